"""The quiz's cards: a question that does not tell its answer, an answer, and the errors with their way out."""

import re

from mcp_types import CallToolResult

from demos import cards
from demos.pokemon_quiz.drawing import coloured, silhouette
from demos.pokemon_quiz.game import Game, RuleError
from demos.pokemon_quiz.words import say, tenths, type_names

SHOWN_FACTS = {
    "easy": ("types", "generation", "category", "height", "weight"),
    "normal": ("types", "generation", "category", "height", "weight"),
    "hard": ("types", "height", "weight"),
}
LONGEST_THOUGHT = 600
ALL_FACTS = ("number", "types", "generation", "category", "height", "weight")
WAIT = (
    "The question is on the user's screen and the user answers it, by a button or in words. "
    "Do not answer it, do not name or hint at any Pokémon and do not call pokemon_answer by yourself: "
    "say at most one short sentence in the user's language and wait. "
    'If the user writes a guess, call pokemon_answer with sessionId "{id}" and that guess.'
)
GO_ON = (
    "The card shows the result. Say one short, friendly sentence in the user's language. "
    "The user goes on by the Next button; call pokemon_next with "
    'sessionId "{id}" only when the user asks for the next question.'
)
CLOSING = "The quiz is over and the card shows the final score. Say one short, friendly sentence in the user's language."


def question_card(game: Game, picture: str | None) -> CallToolResult:
    """`picture`: a `data:` address (easy), or None for a silhouette; hard has neither."""
    language = game.language
    body = [cards.fields(_facts(game, SHOWN_FACTS[game.difficulty], spoiler_free=True))]
    if game.difficulty != "hard":
        drawn = silhouette(game.question.answer.shape)
        body.insert(0, cards.image(picture or drawn, say(language, "picture" if picture else "silhouette")))
    body += [_score(game, done=game.round - 1), _progress(game)]
    made = cards.card(
        f"pq_{game.id}_q{game.round}",
        "quiz",
        say(language, "question"),
        subtitle=say(language, game.difficulty),
        body=body,
        actions=_options(game),
        metadata={
            "sessionId": game.id,
            "round": game.round,
            "rounds": game.rounds,
            "score": game.score,
        },
    )
    return cards.shown(made, WAIT.format(id=game.id))


def answer_card(game: Game, artwork_url: str | None) -> CallToolResult:
    """`artwork_url`: a picture of the Pokémon, or None for a drawing."""
    language, question = game.language, game.question
    right = question.chosen == game.right_label
    picture = cards.image(artwork_url, game.right_label) if artwork_url else _drawing(game)
    body = [picture, cards.fields(_facts(game, ALL_FACTS, spoiler_free=False))]
    body += [
        cards.badge(say(language, "point" if right else "no_point"), "success" if right else "error"),
        _score(game, done=game.round),
    ]
    if game.over:
        body.append(cards.text(say(language, "final", score=game.score, rounds=game.rounds)))
    body.append(_progress(game))
    made = cards.card(
        f"pq_{game.id}_a{game.round}",
        "quiz",
        say(language, "right" if right else "wrong", name=game.right_label),
        subtitle=_remark(game, right),
        tone="success" if right else "error",
        body=body,
        actions=[_again(game) if game.over else _next(game)],
        metadata={
            "sessionId": game.id,
            "round": game.round,
            "rounds": game.rounds,
            "score": game.score,
            "correct": right,
        },
    )
    return cards.shown(made, CLOSING if game.over else GO_ON.format(id=game.id))


def rule_card(game: Game, broken: RuleError) -> CallToolResult:
    """Why this step is not allowed now, with the buttons that are."""
    way_out = _options(game) if not game.answered else [_again(game) if game.over else _next(game)]
    wait = WAIT.format(id=game.id) if not game.answered else "Tell the user in one short sentence."
    title, words = say(game.language, "refused"), say(game.language, broken.word, **broken.values)
    return cards.refused(f"pq_{game.id}_error", title, words, wait, way_out)


def no_game_card(language: str) -> CallToolResult:
    start = cards.button(
        "restart",
        say(language, "start"),
        cards.call_text("pokemon_start", lang=language),
        kind="primary",
    )
    words = say(language, "no_game")
    return cards.refused(
        "pq_unknown",
        say(language, "refused"),
        words,
        "Offer to start a new quiz with pokemon_start.",
        [start],
    )


def bad_rounds_card(language: str, rounds: int) -> CallToolResult:
    words = say(language, "bad_rounds", rounds=rounds)
    return cards.refused(
        "pq_rounds",
        say(language, "refused"),
        words,
        "Call pokemon_start again with rounds from 1 to 20.",
    )


def _facts(game: Game, shown: tuple[str, ...], *, spoiler_free: bool) -> list[tuple[str, str]]:
    """The facts as label and value. Some names are in a fact (Haunter's is the ghost type in Japanese): then it is left out."""
    language, species = game.language, game.question.answer
    values = {
        "number": str(species.id),
        "types": type_names(language, species.types),
        "generation": species.generation,
        "category": species.categories.get(language, ""),
        "height": tenths(language, species.height_dm, "m"),
        "weight": tenths(language, species.weight_hg, "kg"),
    }
    told = [(say(language, fact), values[fact]) for fact in shown if values[fact]]
    names = {game.right_label, species.name("en")} if spoiler_free else set[str]()
    return [fact for fact in told if not any(_tells(fact[1], name) for name in names)]


def _tells(value: str, name: str) -> bool:
    """Whether the fact holds the name, or the name a word of it: "Dragon" is told by "Dragonite"."""
    fact, plain = value.casefold(), name.casefold()
    for also in ("pokémon", "ポケモン", "宝可梦"):
        fact = fact.replace(also, " ")
    words = [word.strip(" -") for word in re.split("[,、]", fact)]
    return plain in fact or any(len(word) > 1 and word in plain for word in words)


def _remark(game: Game, right: bool) -> str:
    """The time it took is told only where the player was there all along."""
    question = game.question
    if not right:
        return say(game.language, "chosen", guess=question.chosen)
    prompt = question.seconds <= LONGEST_THOUGHT
    return say(game.language, "answered_in", seconds=question.seconds) if prompt else ""


def _drawing(game: Game) -> cards.Json:
    species = game.question.answer
    return cards.image(
        coloured(species.shape, species.types),
        say(game.language, "drawing_of", name=game.right_label),
    )


def _score(game: Game, done: int) -> cards.Json:
    return cards.badge(say(game.language, "score", score=game.score, done=done), "info")


def _progress(game: Game) -> cards.Json:
    return cards.progress(game.round, game.rounds, say(game.language, "round", round=game.round, rounds=game.rounds))


def _options(game: Game) -> list[cards.Json]:
    labels = [option.label for option in game.question.options]
    return [
        cards.button(f"opt_{index}", label, cards.call_text("pokemon_answer", sessionId=game.id, guess=label))
        for index, label in enumerate(labels)
    ]


def _next(game: Game) -> cards.Json:
    return cards.button(
        "next",
        say(game.language, "next"),
        cards.call_text("pokemon_next", sessionId=game.id),
        kind="primary",
    )


def _again(game: Game) -> cards.Json:
    sends = cards.call_text("pokemon_start", rounds=game.rounds, lang=game.language, difficulty=game.difficulty)
    return cards.button("restart", say(game.language, "again"), sends, kind="primary")
