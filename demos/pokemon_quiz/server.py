"""The quiz's three tools."""

# ruff: noqa: N803 - the argument names are the wire format's

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from demos.pokemon_quiz.cards import (
    answer_card,
    bad_rounds_card,
    no_game_card,
    question_card,
    rule_card,
)
from demos.pokemon_quiz.dealer import Dealer
from demos.pokemon_quiz.game import Game, RuleError, answered, check_next, new_game, next_round
from demos.pokemon_quiz.games import Games
from demos.pokemon_quiz.pokeapi import API_URL, PICTURES_URL, PokeApi
from demos.pokemon_quiz.words import known_language
from mcp_servers.serving import WordsServer

MOST_ROUNDS = 20
INSTRUCTIONS = (
    "A Pokémon guessing game played by cards. Start it with pokemon_start; the user answers with the "
    "buttons of the question card. Never answer a question for the user."
)

Rounds = Annotated[
    int,
    Field(description="How many questions", json_schema_extra={"minimum": 1, "maximum": MOST_ROUNDS}),
]
Difficulty = Annotated[
    Literal["easy", "normal", "hard"],
    Field(description="easy: with a picture; normal: a silhouette and all facts; hard: few facts, similar answers"),
]
Language = Annotated[
    Literal["en", "es", "zh", "ja", "de", "fr"] | None,
    Field(description="Language of the quiz; default: the app's"),
]
SessionId = Annotated[str, Field(description="The sessionId of the quiz, as in its card", min_length=1)]
Guess = Annotated[str, Field(description="The user's answer: one of the four Pokémon names", min_length=1)]


class Quiz:
    """The tools' work. `config` is that of `create`; `pokeapi_url` and `pictures_url` may name a mirror."""

    def __init__(self, config: Mapping[str, object]) -> None:
        self._config = config
        folder = Path(str(config["data_dir"]))
        api = PokeApi(
            folder / "pokeapi",
            str(config.get("pokeapi_url") or API_URL),
            str(config.get("pictures_url") or PICTURES_URL),
        )
        self._games = Games(folder)
        self._dealer = Dealer(api, lambda: bool(self._config.get("offline")))

    @property
    def language(self) -> str:
        return known_language(self._config.get("language"))

    async def start(self, rounds: int, difficulty: str, lang: str | None) -> CallToolResult:
        language = lang or self.language
        if not 1 <= rounds <= MOST_ROUNDS:
            return bad_rounds_card(language, rounds)
        game = new_game(rounds, difficulty, language, await self._dealer.question(difficulty, language))
        await asyncio.to_thread(self._games.add, game)
        return await self._question(game)

    async def answer(self, session_id: str, guess: str) -> CallToolResult:
        found = await self._find(session_id)
        if found is None:
            return no_game_card(self.language)
        game, version = found
        try:
            after = answered(game, guess)
        except RuleError as broken:
            return rule_card(game, broken)
        if not await asyncio.to_thread(self._games.replace, after, version):
            return await self.answer(session_id, guess)
        return answer_card(after, await self._dealer.artwork_url(after.question.answer))

    async def next(self, session_id: str) -> CallToolResult:
        found = await self._find(session_id)
        if found is None:
            return no_game_card(self.language)
        game, version = found
        try:
            check_next(game)
        except RuleError as broken:
            return rule_card(game, broken)
        after = next_round(game, await self._dealer.question(game.difficulty, game.language, game.asked))
        if not await asyncio.to_thread(self._games.replace, after, version):
            return await self.next(session_id)
        return await self._question(after)

    async def _find(self, session_id: str) -> tuple[Game, int] | None:
        return await asyncio.to_thread(self._games.find, session_id.strip())

    async def _question(self, game: Game) -> CallToolResult:
        easy = game.difficulty == "easy"
        return question_card(game, await self._dealer.picture(game.question.answer) if easy else None)


def build(config: Mapping[str, object]) -> MCPServer:
    quiz = Quiz(config)
    server = WordsServer("pokemon_quiz", title="Pokémon quiz", instructions=INSTRUCTIONS)

    async def pokemon_start(rounds: Rounds = 5, difficulty: Difficulty = "normal", lang: Language = None) -> CallToolResult:
        """Start a new Pokémon quiz ("Who is this Pokémon?") and show its first question as a card with four answer buttons."""
        return await quiz.start(rounds, difficulty, lang)

    async def pokemon_answer(sessionId: SessionId, guess: Guess) -> CallToolResult:
        """Give the user's answer to the open question: only a name the user chose or wrote, never your own."""
        return await quiz.answer(sessionId, guess)

    async def pokemon_next(sessionId: SessionId) -> CallToolResult:
        """Show the next question of a running Pokémon quiz, after the last one was answered."""
        return await quiz.next(sessionId)

    titles = {
        pokemon_start: "Start a Pokémon quiz",
        pokemon_answer: "Answer the quiz question",
        pokemon_next: "Next quiz question",
    }
    for tool, title in titles.items():
        server.add_tool(
            tool,
            title=title,
            annotations=_annotations(title, online=not config.get("offline")),
            structured_output=False,
        )
    return server


def _annotations(title: str, *, online: bool) -> ToolAnnotations:
    """Each step changes the game once and destroys nothing; facts and pictures may come from the network."""
    return ToolAnnotations(
        title=title,
        read_only_hint=False,
        destructive_hint=False,
        idempotent_hint=False,
        open_world_hint=online,
    )
