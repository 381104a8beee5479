"""The program about itself: what it is made of, what it tells for a diagnosis, what an edition brings, newer versions."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from app.chat.arrivals import arriving_folders
from app.chat.diagnosis import without_name
from app.chat.leochat import LeoChat, Run
from app.chat.refused import Refused
from app.chat.said import Notice, Said
from app.chat.updates import is_newer, newest
from app.chat.windows import Window
from app.mcp_host.config import is_accepted, load_servers
from app.settings import edition
from app.settings.edition import VARIABLE
from tests.chat.conftest import Opener, watched

SECRETS = ("sk-ant-0123456789abcdef", "what nobody may read", "private.example", "Ana's own words")


async def test_about_lists_the_parts_with_licences_to_read(opened: Opener) -> None:
    leo = await opened()
    about = await leo.program.about("en", "nowhere")
    named = {part.name.lower(): part for part in about.parts}
    assert {"leochat", "pydantic", "mcp", "starlette"} <= named.keys()
    assert named["pydantic"].licence == "MIT"
    assert (named["preact"].kind, named["preact"].licence) == ("npm", "MIT")
    assert "vitest" not in named
    assert "Permission is hereby granted" in await leo.program.licence("pydantic", "python")
    assert (about.packaged, about.sbom, about.window) == (False, None, "a browser")
    assert Path(about.logs) == leo.home / "logs"
    with pytest.raises(Refused, match="came without"):
        await leo.program.licence("nothing", "python")


async def test_a_diagnosis_tells_states_and_counts_and_no_keys_or_texts(opened: Opener) -> None:
    leo = await opened(bundled=("memory",))
    leo.settings.set("model.system", SECRETS[3])
    leo.settings.set("general.text_size", 120)
    leo.settings.set("network.picture_hosts", [SECRETS[2]])
    leo.secrets.set("anthropic", "https://api.anthropic.com", SECRETS[0])
    session, _ = await watched(leo)
    await session.send(SECRETS[1])
    await session.tasks.wait()
    (leo.home / "logs").mkdir(exist_ok=True)
    line = f"2026-01-02 03:04:05,678 WARNING leochat.desktop {SECRETS[1]}\n"
    (leo.home / "logs" / "leochat.log").write_text(line * 3, "utf-8")
    text = await leo.program.diagnosis("in a file")
    assert "conversations: 1" in text
    assert "bundled memory: ready" in text
    assert "general.text_size = 120" in text
    assert "  model.system\n" in text
    assert "3 x WARNING leochat.desktop" in text
    assert [secret for secret in SECRETS if secret in text] == []


def test_a_home_elsewhere_does_not_tell_whose_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana.lopez")
    monkeypatch.setenv("USERPROFILE", "/home/ana.lopez")
    monkeypatch.setenv("USER", "alopez")
    assert without_name("/home/ana.lopez/.local/share/LeoChat").replace("\\", "/") == "~/.local/share/LeoChat"
    assert without_name("kept in /data/alopez/leo/keys.json") == "kept in /data/NAME/leo/keys.json"
    assert without_name("/backup/ana.lopez") == "/backup/NAME"


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    file = tmp_path / "edition.toml"
    file.write_text(
        """
name = "Harbour Desk"
id = "harbour"
version = "2.0"
[[servers]]
name = "log"
command = "{program}"
args = ["mcp", "memory"]
[[servers]]
name = "tides"
url = "https://tides.example/mcp"
enabled = false
[[servers]]
name = "ours"
command = "/bin/false"
accepted = true
enabled = false
[[prompts]]
title = "Tides"
text = "When?"
text_es = "¿Cuándo?"
""",
        "utf-8",
    )
    monkeypatch.setenv(VARIABLE, str(file))
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    edition.cache_clear()
    yield tmp_path / "home"
    edition.cache_clear()


def opened_quietly(home: Path) -> LeoChat:
    return LeoChat(home, Run(bundled=(), quiet=True, offline=True), environ={})


async def test_an_editions_servers_arrive_once_and_wait_for_consent(harbour: Path) -> None:
    leo = opened_quietly(harbour)
    configs = {c.name: c for c in load_servers(harbour / "servers.json")}
    assert {n: (c.enabled, is_accepted(c)) for n, c in configs.items()} == {
        "log": (True, False),
        "tides": (False, False),
        "ours": (False, True),
    }
    assert configs["log"].command.endswith(("leochat", "leochat.exe"))
    assert configs["tides"].transport == "http"
    await leo.host.remove("tides")
    await leo.close()
    again = opened_quietly(harbour)
    assert "tides" not in {s.name for s in again.host.statuses()}
    await again.close()


def test_an_editions_folders_arrive_once(harbour: Path) -> None:
    (harbour.parent / "handbook").mkdir()
    with (harbour.parent / "edition.toml").open("a", encoding="utf-8") as file:
        file.write('[[knowledge]]\nname = "Handbook"\nfolder = "handbook"\n')
    harbour.mkdir()
    assert arriving_folders(harbour) == [str(harbour.parent / "handbook")]
    assert arriving_folders(harbour) == []


async def test_an_edition_is_named_wherever_the_program_is(harbour: Path) -> None:
    leo = opened_quietly(harbour)
    told = leo.settings_data().edition
    assert (told.name, told.version, told.prompts[0].title) == ("Harbour Desk", "2.0", "Tides")
    about = await leo.program.about("es", "")
    assert (about.name, about.made_with != "2.0") == ("Harbour Desk", True)
    assert (await leo.program.diagnosis("")).startswith("Harbour Desk 2.0, made with LeoChat ")
    await leo.close()


class Notices(Window):
    """A window that keeps what it is told about no conversation."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        if isinstance(event, Notice):
            self.messages.append(event.message)


class Answers(BaseHTTPRequestHandler):
    """Versions by path."""

    answers: dict[str, tuple[int, bytes]] = {
        "/newer": (200, b'{"version": "99.1", "url": "https://leochat.example/news"}'),
        "/same": (200, b'{"version": "v0.0.1"}'),
        "/odd": (200, b'{"version": "newest"}'),
        "/page": (200, b"<html>"),
        "/gone": (404, b""),
        "/bait": (200, b'{"version": "99.1", "url": "file:///etc/passwd"}'),
        "/long": (200, b'{"version": "99.1", "url": "' + b"x" * 100_000),
    }
    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status, body = self.answers[self.path]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name there)
        """Nothing on stderr."""


@pytest.fixture
def versions() -> Generator[str]:
    Answers.asked = []
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


async def test_nothing_is_asked_until_a_person_wants_it_and_then_it_only_tells(opened: Opener, versions: str) -> None:
    leo = await opened()
    leo.settings.set("program.updates_from", f"{versions}/newer")
    assert Answers.asked == []
    page = Notices()
    leo.windows.add(page)
    await leo.set_setting("program.updates", True)
    assert Answers.asked == ["/newer"]
    assert page.messages == ["LeoChat 99.1 is there. https://leochat.example/news"]
    found = await leo.program.look()
    assert (found.newer, found.url, found.problem) == ("99.1", "https://leochat.example/news", None)


@pytest.mark.parametrize(
    ("path", "words"),
    [("/odd", "no version"), ("/page", "no version"), ("/gone", "404"), ("/long", "too long")],
)
async def test_an_answer_that_is_no_version_is_said(versions: str, path: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        await newest(versions + path)


async def test_addresses_that_are_not_safe_are_neither_asked_nor_passed_on(versions: str) -> None:
    with pytest.raises(Refused, match="must begin with https"):
        await newest("http://updates.example/latest.json")
    with pytest.raises(Refused, match="Nobody said where"):
        await newest("")
    assert (await newest(f"{versions}/bait")).url == ""


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [("0.10", "0.9", True), ("1.0", "1.0.0", False), ("1.0.1", "1.0", True), ("0.1.0", "0.2.0", False), ("2", "1.9.9", True)],
)
def test_versions_are_compared_by_numbers(version: str, than: str, newer: bool) -> None:
    assert is_newer(version, than) is newer


async def test_staying_in_the_tray_is_refused_with_words_where_there_is_none(opened: Opener) -> None:
    leo = await opened()
    page = Notices()
    leo.windows.add(page)
    await leo.set_setting("program.keep_running", True)
    assert "There is no tray icon" in page.messages[0]
    assert json.loads((leo.home / "settings.json").read_text("utf-8"))["program"] == {"keep_running": True}
