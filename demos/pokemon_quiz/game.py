"""The rules of one game: frozen states, and the only two steps between them, an answer and a next question."""

import secrets
import time
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from demos.pokemon_quiz.species import Species, from_json


class RuleError(Exception):
    """A step that the game does not allow now. `word` is the key of the sentence that says why."""

    def __init__(self, word: str, **values: object) -> None:
        super().__init__(word)
        self.word = word
        self.values = values


@dataclass(frozen=True, slots=True)
class Option:
    """`label` is the name in the game's language, `english` the English one; both are accepted as a guess."""

    label: str
    english: str


@dataclass(frozen=True, slots=True)
class Question:
    """`asked_at` in seconds since the epoch; `chosen` is the label of the given answer, `seconds` how long it took."""

    answer: Species
    options: tuple[Option, ...]
    asked_at: float
    chosen: str | None = None
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    id: str
    rounds: int
    difficulty: str
    language: str
    round: int
    score: int
    asked: tuple[int, ...]
    question: Question

    @property
    def right_label(self) -> str:
        return self.question.answer.name(self.language)

    @property
    def answered(self) -> bool:
        return self.question.chosen is not None

    @property
    def over(self) -> bool:
        return self.answered and self.round == self.rounds


def new_game(rounds: int, difficulty: str, language: str, question: Question) -> Game:
    asked = (question.answer.id,)
    return Game(
        secrets.token_urlsafe(12),
        rounds,
        difficulty,
        language,
        round=1,
        score=0,
        asked=asked,
        question=question,
    )


def answered(game: Game, guess: str, now: float | None = None) -> Game:
    """The game after `guess`. Raises RuleError where the question has its answer or the guess is no option."""
    if game.answered:
        raise RuleError("answered_already", round=game.round)
    chosen = _matching(game.question.options, guess)
    if chosen is None:
        raise RuleError(
            "not_an_option",
            guess=guess.strip()[:60],
            options=", ".join(option.label for option in game.question.options),
        )
    seconds = max(0, round((time.time() if now is None else now) - game.question.asked_at))
    question = replace(game.question, chosen=chosen.label, seconds=seconds)
    return replace(game, question=question, score=game.score + (chosen.label == game.right_label))


def check_next(game: Game) -> None:
    """Raises RuleError where no next question may be asked."""
    if not game.answered:
        raise RuleError("answer_first", round=game.round)
    if game.over:
        raise RuleError("over", rounds=game.rounds)


def next_round(game: Game, question: Question) -> Game:
    check_next(game)
    return replace(game, round=game.round + 1, asked=(*game.asked, question.answer.id), question=question)


def to_json(game: Game) -> dict[str, Any]:
    return asdict(game)


def from_state(raw: Mapping[str, Any]) -> Game:
    question = raw["question"]
    return Game(
        **{key: raw[key] for key in ("id", "rounds", "difficulty", "language", "round", "score")},
        asked=tuple(raw["asked"]),
        question=Question(
            answer=from_json(question["answer"]),
            options=tuple(Option(**option) for option in question["options"]),
            **{key: question[key] for key in ("asked_at", "chosen", "seconds")},
        ),
    )


def _plain(name: str) -> str:
    """Without case, accents, spaces and punctuation; the signs of Nidoran♀ and ♂ are kept."""
    marked = unicodedata.normalize("NFKD", name.casefold()).replace("♀", "f").replace("♂", "m")
    return "".join(letter for letter in marked if letter.isalnum())


def _matching(options: tuple[Option, ...], guess: str) -> Option | None:
    wanted = _plain(guess)
    exact = next((option for option in options if option.label == guess.strip()), None)
    return exact or next(
        (option for option in options if wanted and wanted in (_plain(option.label), _plain(option.english))),
        None,
    )
