"""The quiz as a player and a host see it: questions, answers, refusals, restarts and languages."""

import asyncio
import json
from typing import Any

import pytest
from mcp_types import TextContent

from app.core.outline import outline
from app.core.recognise import read_card
from demos.pokemon_quiz import create
from demos.pokemon_quiz.cards import question_card
from demos.pokemon_quiz.game import Option, Question, new_game
from demos.pokemon_quiz.species import first_generation
from demos.pokemon_quiz.words import LANGUAGES
from tests.demos.conftest import Meet, Person, Shown

OPTIONS = ["opt_0", "opt_1", "opt_2", "opt_3"]
Config = dict[str, object]


def right_option(question: Shown) -> str:
    """The action id of the right answer, found by the facts that are shown."""
    by_name = {species.name("en"): species for species in first_generation().values()}
    for option in OPTIONS:
        species = by_name[question.label(option)]
        facts = {
            "Types": ", ".join(species.types).title(),
            "Height": f"{species.height_dm / 10:.1f} m",
            "Weight": f"{species.weight_hg / 10:.1f} kg",
        }
        if all(facts[label] == value for label, value in question.fields.items() if label in facts):
            return option
    raise AssertionError("no option has the facts of the question")


async def test_a_whole_quiz_is_played_by_buttons_only(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        shown = await person.call("pokemon_start", rounds=3)
        session = shown.card["id"].removeprefix("pq_").removesuffix("_q1")
        names: set[str] = set()
        for number in (1, 2, 3):
            assert shown.card["id"] == f"pq_{session}_q{number}"
            assert (shown.card["kind"], shown.action_ids) == ("quiz", OPTIONS)
            assert shown.blocks("progress") == [{"value": number, "max": 3, "label": f"Question {number} of 3"}]
            right = right_option(shown)
            names.add(shown.label(right))
            shown = await person.press(shown, right)
            assert (shown.card["id"], shown.card["kind"]) == (f"pq_{session}_a{number}", "quiz")
            assert shown.card["tone"] == "success"
            assert f"Score {number} of {number}" in shown.badges
            if number < 3:
                assert shown.action_ids == ["next"]
                shown = await person.press(shown, "next")
        assert "Final score: 3 of 3" in shown.words
        assert shown.action_ids == ["restart"]
        assert shown.sends("restart") == '[pokemon_start rounds=3 lang="en" difficulty="normal"]'
        assert len(names) == 3, "no Pokémon is asked twice"
        again = await person.press(shown, "restart")
        assert again.card["id"].endswith("_q1")
        assert session not in again.card["id"]


async def test_a_wrong_answer_costs_the_point_and_tells_the_right_name(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start")
        right = right_option(question)
        wrong = next(option for option in OPTIONS if option != right)
        answer = await person.press(question, wrong)
    assert answer.card["tone"] == "error"
    assert question.label(right) in answer.card["title"]
    assert "Score 0 of 1" in answer.badges
    assert set(answer.fields) == {"Number", "Types", "Generation", "Category", "Height", "Weight"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
def test_no_question_of_all_pokemon_tells_its_answer(language: str, difficulty: str) -> None:
    others = tuple(Option(name, name) for name in ("A", "B", "C"))
    for species in first_generation().values():
        name, english = species.name(language), species.name("en")
        question = Question(species, (*others, Option(name, english)), asked_at=0)
        (item,) = question_card(new_game(5, difficulty, language, question), None).content
        assert isinstance(item, TextContent)
        told = json.loads(item.text)
        told["card"]["actions"] = []
        seen = json.dumps(told, ensure_ascii=False).casefold()
        assert name.casefold() not in seen
        assert english.casefold() not in seen
        assert f'"{species.id}"' not in seen
        assert len(told["card"]["body"][-3]["fields"]) >= 2


async def test_a_question_has_its_answer_among_four_names_and_asks_the_model_to_wait(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        for difficulty in ("easy", "normal", "hard"):
            question = await person.call("pokemon_start", lang="zh", difficulty=difficulty)
            labels = {question.label(option) for option in OPTIONS}
            answer = await person.press(question, "opt_0")
            name = first_generation()[int(answer.fields["编号"])].name("zh")
            assert len(labels) == 4
            assert name in labels
            assert "Do not answer" in question.instruction
            assert not any(label in question.instruction for label in labels)
            assert all(image["url"].startswith("data:image/") for image in question.blocks("image"))


async def test_harder_questions_show_less(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        easy, normal, hard = [
            await person.call("pokemon_start", difficulty=difficulty, rounds=1) for difficulty in ("easy", "normal", "hard")
        ]
    assert easy.blocks("image")
    assert {"Types", "Height", "Weight"} <= set(normal.fields)
    assert not hard.blocks("image")
    assert set(hard.fields) < set(normal.fields)


async def test_right_answers_stand_in_every_place(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        places = {right_option(await person.call("pokemon_start", difficulty="easy")) for _ in range(40)}
    assert places == set(OPTIONS)


async def test_a_question_is_answered_once_only(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start")
        first = await person.press(question, "opt_0")
        second = await person.press(question, "opt_1")
        assert second.is_error
        assert "already answered" in second.words
        assert second.action_ids == ["next"]
        assert (second.card["kind"], first.is_error) == ("error", False)


async def test_of_many_answers_at_once_one_counts(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start")
        right = right_option(question)
        answers = await asyncio.gather(*(person.press(question, right) for _ in range(8)))
        assert [answer.is_error for answer in answers].count(False) == 1
        next_one = [await person.press(answers[0], "next") for _ in range(2)]
    assert [shown.is_error for shown in next_one] == [False, True]
    assert "Score 1 of 1" in next_one[0].badges


async def test_next_needs_an_answer_and_stops_at_the_end(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start", rounds=1)
        session = question.card["metadata"]["sessionId"]
        early = await person.call("pokemon_next", sessionId=session)
        assert early.is_error
        assert "still open" in early.words
        assert [early.label(option) for option in OPTIONS] == [question.label(option) for option in OPTIONS]
        await person.press(early, "opt_2")
        late = await person.call("pokemon_next", sessionId=session)
        assert late.is_error
        assert "over" in late.words
        assert late.action_ids == ["restart"]


async def test_unknown_sessions_guesses_and_lengths_are_clear_errors(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        for tool, more in (("pokemon_answer", {"guess": "Mew"}), ("pokemon_next", {})):
            unknown = await person.call(tool, sessionId="nobody", **more)
            assert unknown.is_error
            assert "not known" in unknown.words
            assert unknown.sends("restart").startswith("[pokemon_start")
        for rounds in (0, 21, -3):
            refused = await person.call("pokemon_start", rounds=rounds)
            assert refused.is_error
            assert "1 to 20" in refused.words
        question = await person.call("pokemon_start", rounds=20)
        guess = await person.call("pokemon_answer", sessionId=question.card["metadata"]["sessionId"], guess="Leo")
        assert guess.is_error
        assert all(question.label(option) in guess.words for option in OPTIONS)
        assert not (await person.press(guess, "opt_0")).is_error


@pytest.mark.parametrize("change", [str.upper, str.lower, "  {} ".format])
async def test_a_written_guess_may_differ_in_case_and_space(config: Config, meet: Meet, change: Any) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start", lang="fr")
        session = question.card["metadata"]["sessionId"]
        answer = await person.call("pokemon_answer", sessionId=session, guess=change(question.label("opt_3")))
    assert not answer.is_error


async def test_a_game_goes_on_after_a_restart(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start", rounds=2)
        right = right_option(question)
    async with meet(create(config)) as person:
        answer = await person.press(question, right)
        assert answer.card["tone"] == "success"
    async with meet(create(config)) as person:
        second = await person.press(answer, "next")
        assert second.card["id"].endswith("_q2")
        assert "Score 1 of 1" in second.badges
        over = await person.press(second, "opt_0")
        assert over.action_ids == ["restart"]


async def test_the_language_is_the_apps_unless_asked_otherwise(config: Config, meet: Meet) -> None:
    config["language"] = "es-MX"
    async with meet(create(config)) as person:
        spanish = await person.call("pokemon_start")
        assert spanish.card["title"] == "¿Quién es este Pokémon?"
        assert "Altura" in spanish.fields
        assert "," in spanish.fields["Altura"]
        config["language"] = "pt"
        assert (await person.call("pokemon_start")).card["title"] == "Who is this Pokémon?"
        japanese = await person.call("pokemon_start", lang="ja")
        assert japanese.card["title"] == "このポケモンはだれ？"
        config["language"] = "de"
        answer = await person.press(japanese, "opt_1")
        assert "正解" in answer.card["title"] or "ざんねん" in answer.card["title"]


async def test_what_the_model_gets_is_far_shorter_than_the_card(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        question = await person.call("pokemon_start", difficulty="hard")
        answer = await person.press(question, "opt_0")
    for shown in (question, answer):
        assert len(outline(read_card(shown.card))) <= 0.4 * len(shown.text)


async def test_tools_say_truthfully_what_they_do(config: Config, meet: Meet, hints: Any) -> None:
    steps = ("pokemon_start", "pokemon_answer", "pokemon_next")
    async with meet(create(config)) as person:
        assert await hints(person.client) == dict.fromkeys(steps, (False, False, False, False))
    async with meet(create(config | {"offline": False})) as person:
        assert await hints(person.client) == dict.fromkeys(steps, (False, False, False, True))


async def test_session_ids_cannot_be_guessed(config: Config, meet: Meet) -> None:
    async with meet(create(config)) as person:
        ids = {await _session(person) for _ in range(30)}
    assert len(ids) == 30
    assert all(len(one) >= 16 for one in ids)


async def _session(person: Person) -> str:
    return (await person.call("pokemon_start", rounds=1)).card["metadata"]["sessionId"]


def test_the_embedded_facts_are_whole() -> None:
    table = first_generation()
    assert list(table) == list(range(1, 152))
    for language in LANGUAGES:
        assert len({species.name(language) for species in table.values()}) == 151
        assert all(species.categories[language] for species in table.values())
    assert all(one.height_dm > 0 and one.weight_hg > 0 and 1 <= len(one.types) <= 2 for one in table.values())
    pikachu = table[25]
    assert (pikachu.types, pikachu.height_dm, pikachu.weight_hg) == (("electric",), 4, 60)
    assert (pikachu.name("ja"), pikachu.categories["de"]) == ("ピカチュウ", "Maus-Pokémon")
