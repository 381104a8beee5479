"""Draws a question: a species and three wrong answers, from PokéAPI where it can be reached, else embedded."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from demos.pokemon_quiz.game import Option, Question
from demos.pokemon_quiz.pokeapi import PokeApi
from demos.pokemon_quiz.pokeapi_answers import UnreachableError
from demos.pokemon_quiz.species import LAST_IDS, Species, first_generation

T = TypeVar("T")
LAST_ID = 649
EMBEDDED = LAST_IDS[0]
ONLINE_SECONDS = 6.0
WRONG = 3


class Dealer:
    """`offline()` is asked at every draw: true keeps to the embedded facts and drawings."""

    def __init__(self, api: PokeApi, offline: Callable[[], bool], rng: random.Random | None = None) -> None:
        self._api = api
        self._offline = offline
        self._rng = rng or random.SystemRandom()

    async def question(self, difficulty: str, language: str, asked: Sequence[int] = ()) -> Question:
        """A question about a species that is not in `asked`, its four options in random order."""
        answer, others = await self._draw(difficulty, asked)
        wrong = wrong_answers(answer, others, difficulty, language, self._rng)
        if len(wrong) < WRONG:
            wrong = wrong_answers(answer, [*others, *first_generation().values()], "any", language, self._rng)
        options = [Option(one.name(language), one.names["en"]) for one in (answer, *wrong)]
        self._rng.shuffle(options)
        return Question(answer, tuple(options), asked_at=time.time())

    async def picture(self, species: Species) -> str | None:
        """A small picture for a question, or None: then it is drawn."""
        return await self._online(lambda: self._api.small_picture(species.id))

    async def artwork_url(self, species: Species) -> str | None:
        """The large picture for an answer, or None: then it is drawn."""
        return await self._online(lambda: self._api.artwork_url(species.id))

    @property
    def _kept_local(self) -> bool:
        return self._offline() or self._api.resting

    async def _draw(self, difficulty: str, asked: Sequence[int]) -> tuple[Species, list[Species]]:
        if not self._kept_local:
            number = self._rng.choice([number for number in range(1, LAST_ID + 1) if number not in asked])
            if number > EMBEDDED and (drawn := await self._online(lambda: self._from_api(number, difficulty))):
                return drawn
        known = first_generation()
        answer = known[self._rng.choice([number for number in known if number not in asked])]
        return answer, list(known.values())

    async def _from_api(self, number: int, difficulty: str) -> tuple[Species, list[Species]]:
        """The species, and some of its generation and (but on easy) of its type for the wrong answers."""
        (answer,) = await self._api.species(number)
        first, last = _bounds(number)
        near = self._rng.sample([other for other in range(first, last + 1) if other != number], 6)
        if difficulty != "easy":
            alike = [
                other for other in await self._api.of_type(answer.types[0]) if EMBEDDED < other <= LAST_ID and other != number
            ]
            near = [*self._rng.sample(alike, min(5, len(alike))), *near[:2]]
        return answer, await self._api.species(*dict.fromkeys(near))

    async def _online(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        if self._kept_local:
            return None
        try:
            async with asyncio.timeout(ONLINE_SECONDS):
                return await ask()
        except (UnreachableError, OSError):  # TimeoutError is one; a full disk keeps nothing
            self._api.rest()
            return None


def wrong_answers(
    answer: Species, pool: Iterable[Species], difficulty: str, language: str, rng: random.Random
) -> list[Species]:
    """Three species that are not the answer and do not look like it in every fact.

    easy: of other types; normal: one or two share a type; hard: the nearest in type, height and weight.
    """
    others = {
        one.name(language): one for one in pool if one.look != answer.look and one.name(language) != answer.name(language)
    }
    near = [one for one in others.values() if set(one.types) & set(answer.types)]
    far = [one for one in others.values() if one not in near]
    match difficulty:
        case "easy":
            return rng.sample(far, min(WRONG, len(far)))
        case "normal":
            chosen = rng.sample(near, min(rng.choice((1, 2)), len(near)))
            return chosen + rng.sample(far, min(WRONG - len(chosen), len(far)))
        case "hard":
            nearest = sorted(others.values(), key=lambda one: _distance(answer, one))[:8]
            return rng.sample(nearest, min(WRONG, len(nearest)))
        case _:
            return rng.sample(list(others.values()), min(WRONG, len(others)))


def _distance(one: Species, other: Species) -> float:
    """Types count most; then height and weight, as ratios."""
    types = len(set(one.types) ^ set(other.types))
    sizes = ((one.height_dm, other.height_dm), (one.weight_hg, other.weight_hg))
    return types + sum(abs(a - b) / max(a, b, 1) for a, b in sizes)


def _bounds(number: int) -> tuple[int, int]:
    last = next(last for last in LAST_IDS if number <= last)
    return max((before for before in LAST_IDS if before < number), default=0) + 1, last
