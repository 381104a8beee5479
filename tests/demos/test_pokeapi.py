"""The quiz with a network: a stand-in of PokéAPI over real HTTP, whole, slow, broken or away."""

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from demos.pokemon_quiz import create
from demos.pokemon_quiz.dealer import Dealer
from demos.pokemon_quiz.pokeapi import PokeApi
from tests.demos.conftest import Meet

PNG = b"\x89PNG\r\n\x1a\n" + bytes(900)
TYPES = ("fire", "water", "grass")


def answer(path: str) -> bytes | None:
    """What PokéAPI would say: made-up facts in its own shapes."""
    kind, _, rest = path.strip("/").partition("/")
    if kind == "sprites":
        big = rest.startswith("other/home")
        return PNG + bytes(90_000) if big else PNG
    if kind == "type":
        members = [{"pokemon": {"url": f"http://x/pokemon/{number}/"}} for number in range(152, 800, 3)]
        return json.dumps({"pokemon": members}).encode()
    number = int(rest)
    if kind == "pokemon":
        types = [{"slot": 1, "type": {"name": TYPES[number % 3]}}]
        return json.dumps({"height": number, "weight": 2 * number, "types": types}).encode()
    names = [{"language": {"name": tag}, "name": f"{tag}mon{number}"} for tag in ("en", "es", "ja", "zh-hans")]
    genera = [{"language": {"name": "en"}, "genus": "Test Pokémon"}]
    return json.dumps({"names": names, "genera": genera, "shape": {"name": "wings"}}).encode()


@contextmanager
def served(reply: Callable[[str], bytes | None]) -> Generator[tuple[str, list[str]]]:
    """The address of a server, and the paths it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = reply(self.path)
            self.send_response(200 if body is not None else 500)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body or b"")

        do_HEAD = do_GET  # noqa: N815 - the base class's name

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
            """Nothing: the test's output stays readable."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


class Chosen:
    """Draws the ids that a test wants, and the first of everything else."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = list(numbers)

    def choice(self, among: Any) -> Any:
        return self._numbers.pop(0) if self._numbers and self._numbers[0] in among else among[0]

    def sample(self, among: Any, count: int) -> list[Any]:
        return list(among)[:count]

    def shuffle(self, things: list[Any]) -> None:
        things.reverse()


def dealer(folder: Path, address: str, *numbers: int, offline: bool = False) -> Dealer:
    api = PokeApi(folder, address, f"{address}/sprites")
    return Dealer(api, lambda: offline, Chosen(*numbers))  # pyright: ignore[reportArgumentType]


def damage(folder: Path) -> None:
    for kept in folder.glob("*.json"):
        kept.write_text('{"id": ', encoding="utf-8")


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard"])
async def test_a_later_generation_comes_from_the_network_once(tmp_path: Path, difficulty: str) -> None:
    with served(answer) as (address, asked):
        question = await dealer(tmp_path, address, 400).question(difficulty, "ja")
        assert question.answer.name("ja") == "jamon400"
        assert question.answer.generation == "IV"
        assert question.answer.categories == {"en": "Test Pokémon"}
        assert len({option.label for option in question.options}) == 4
        count = len(asked)
        assert count > 0
        again = await dealer(tmp_path, address, 400).question(difficulty, "ja")
        assert again.answer == question.answer
        assert len(asked) == count, "it was kept on disk"


async def test_a_damaged_copy_is_fetched_again(tmp_path: Path) -> None:
    with served(answer) as (address, asked):
        await dealer(tmp_path, address, 200).question("hard", "en")
        damage(tmp_path)
        before = len(asked)
        assert (await dealer(tmp_path, address, 200).question("hard", "en")).answer.id == 200
        assert len(asked) == 2 * before


async def test_pictures_of_questions_are_small_and_nameless(config: dict[str, object], meet: Meet) -> None:
    with served(answer) as (address, _):
        online = config | {"offline": False, "pokeapi_url": address, "pictures_url": f"{address}/sprites"}
        async with meet(create(online)) as person:
            question = await person.call("pokemon_start", difficulty="easy")
            (image,) = question.blocks("image")
            assert image["url"].startswith("data:image/png;base64,")
            assert len(image["url"]) < 80_000
            shown = await person.press(question, "opt_0")
            (artwork,) = shown.blocks("image")
            assert artwork["url"].startswith(f"{address}/sprites/other/official-artwork/")


@pytest.mark.parametrize("body", [None, b"<html>", b"{}", b"[1"])
async def test_a_broken_service_is_left_alone_for_a_minute(tmp_path: Path, body: bytes | None) -> None:
    with served(lambda _: body) as (address, asked):
        one = dealer(tmp_path, address, 600, 600, 600)
        question = await one.question("normal", "en")
        assert question.answer.id <= 151
        assert len({option.label for option in question.options}) == 4
        count = len(asked)
        assert (await one.question("normal", "en")).answer.id <= 151
        assert await one.picture(question.answer) is None
        assert len(asked) == count


async def test_without_a_network_a_question_comes_at_once(tmp_path: Path) -> None:
    with served(answer) as (address, _):
        pass
    begun = time.monotonic()
    question = await dealer(tmp_path, address, 300).question("normal", "en")
    assert question.answer.id <= 151
    assert time.monotonic() - begun < 5


async def test_a_service_that_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("demos.pokemon_quiz.dealer.ONLINE_SECONDS", 0.3)
    free = Event()

    def hang(_: str) -> bytes | None:
        free.wait(timeout=20)
        return None

    with served(hang) as (address, _):
        question = await dealer(tmp_path, address, 300).question("normal", "en")
        assert question.answer.id <= 151
        free.set()


async def test_offline_never_asks_the_network(tmp_path: Path) -> None:
    with served(answer) as (address, asked):
        one = dealer(tmp_path, address, 300, offline=True)
        question = await one.question("easy", "en")
        assert await one.picture(question.answer) is None
        assert await one.artwork_url(question.answer) is None
        assert asked == []
