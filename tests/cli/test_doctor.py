"""The doctor on homes that are well and homes that are not, with real servers of ours that misbehave."""

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.__main__ import main
from app.mcp_host.config import ServerConfig, accept_launch, is_accepted, load_servers, save_servers
from app.settings import SettingsFile
from app.store import Store
from tests.mcp_host.desk import fake

Doctor = Callable[..., tuple[int, str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    Store.open(tmp_path / "home").close()
    return tmp_path / "home"


@pytest.fixture
def doctor(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Run it on this home: its exit code, and what it printed."""
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str) -> tuple[int, str]:
        code = main(["doctor", "--home", str(home), *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_home_that_is_well_gives_nought(doctor: Doctor, home: Path) -> None:
    code, said = doctor()
    assert code == 0, said
    for part in (
        str(home),
        "is whole",
        "There is no backup yet",
        "eys are kept",
        "demo: chosen",
        "PATH",
        "come with LeoChat are on",
    ):
        assert part in said


def test_an_address_from_the_environment_is_shown_and_one_that_does_not_answer_is_trouble(
    doctor: Doctor, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    code, said = doctor()
    assert (code, f"· anthropic: {url} (from ANTHROPIC_BASE_URL)" in said) == (0, True), said
    SettingsFile(home).set("model.provider", "anthropic")
    code, said = doctor()
    assert (code, f"✗ anthropic: {url} (from ANTHROPIC_BASE_URL)" in said) == (1, True), said


def test_a_provider_without_its_key_is_told_where_to_put_one(doctor: Doctor, home: Path) -> None:
    SettingsFile(home).set("model.provider", "openai")
    code, said = doctor()
    assert code == 1
    assert "✗ openai: https://api.openai.com/v1, no key" in said
    assert "set OPENAI_API_KEY" in said


def test_a_damaged_store_and_broken_settings_are_trouble(doctor: Doctor, home: Path) -> None:
    (home / "settings.json").write_text("{not json", encoding="utf-8")
    (home / "leochat.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 8000)
    code, said = doctor()
    assert code == 1
    assert "leochat.db is damaged." in said
    assert "The settings could not be read" in said


def test_servers_are_told_with_what_keeps_them_from_starting(doctor: Doctor, home: Path) -> None:
    lost = fake("good", name="lost").model_copy(update={"enabled": False})
    save_servers(
        home / "servers.json",
        [fake("good", name="fine"), lost, ServerConfig(name="new", command="npx", args=("thing",))],
    )
    code, said = doctor()
    assert code == 0, said
    assert "✓ fine: " in said
    assert "(off)" in said
    assert "leochat servers enable new" in said


def test_a_program_that_is_not_there_is_trouble_with_its_cure(doctor: Doctor, home: Path) -> None:
    from app.mcp_host.config import accept_launch

    save_servers(home / "servers.json", [accept_launch(ServerConfig(name="gone", command="no-such-program-x"))])
    code, said = doctor()
    assert code == 1
    assert "The command no-such-program-x was not found. Install it" in said


def test_a_list_of_servers_that_cannot_be_read_is_trouble_and_stays_as_it_is(doctor: Doctor, home: Path) -> None:
    (home / "servers.json").write_text("[1, 2", encoding="utf-8")
    assert doctor()[0] == 1
    assert (home / "servers.json").read_text("utf-8") == "[1, 2"
    assert doctor("leochat")[0] == 1


def test_a_trial_tells_every_step_with_its_time_and_the_protocol(doctor: Doctor, home: Path) -> None:
    save_servers(home / "servers.json", [fake("good")])
    code, said = doctor("fake")
    assert code == 0, said
    for step in ("finding the program: ", "starting it: ", "shaking hands: ", "listing its tools: "):
        assert f"✓ {step}" in said
    assert "(with a handshake)" in said
    assert "2 tools: good, bad" in said


def test_a_server_of_our_own_can_be_tried_by_name(doctor: Doctor) -> None:
    code, said = doctor("leochat")
    assert (code, "(stateless)" in said) == (0, True), said


def test_a_server_that_ends_at_its_start_is_told_with_its_last_words(doctor: Doctor, home: Path) -> None:
    save_servers(home / "servers.json", [fake("ends_at_start", file="dying.py", name="dies")])
    code, said = doctor("dies")
    assert code == 1
    assert "✗ dies ended with exit code 4." in said
    assert "→ Its last lines say why." in said
    assert "stderr: no configuration file" in said


def test_a_server_that_was_not_accepted_is_not_started(doctor: Doctor, home: Path, tmp_path: Path) -> None:
    mark = tmp_path / "started"
    save_servers(home / "servers.json", [ServerConfig(name="new", command="touch", args=(str(mark),))])
    code, said = doctor("new")
    assert code == 1
    assert "leochat servers enable new" in said
    assert not mark.exists()


def test_an_unknown_name_is_wrong_usage_and_gives_the_known_ones(doctor: Doctor) -> None:
    code, said = doctor("nope")
    assert code == 2
    assert "leochat" in said


def test_what_leochat_can_mend_is_offered_and_mended_by_word(doctor: Doctor, home: Path) -> None:
    lost = ServerConfig(name="lost", command="cmd", args=("/c", sys.executable, "-c", "0"))
    save_servers(home / "servers.json", [accept_launch(lost)])
    code, said = doctor("lost")
    assert code == 1
    assert f"use {sys.executable}" in said
    assert "leochat doctor lost --mend" in said
    code, said = doctor("lost", "--mend")
    assert code == 0, said
    [mended] = load_servers(home / "servers.json")
    assert (mended.command, mended.args) == (sys.executable, ("-c", "0"))
    assert not mended.enabled
    assert not is_accepted(mended), "a changed launch has to be accepted again"
    assert doctor("lost", "--mend")[0] == 1
    assert doctor("--mend")[0] == 2
