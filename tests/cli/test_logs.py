"""The program's log: in the home, small, without keys."""

import logging
from collections.abc import Generator
from pathlib import Path

import pytest

from app.cli import logs


@pytest.fixture(autouse=True)
def _as_before() -> Generator[None]:
    """None but the program's own handlers: libraries that other tests use leave theirs behind."""
    root = logging.getLogger()
    before, level = list(root.handlers), logging.getLogger("leochat").level
    root.handlers.clear()
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:] = before
    logging.getLogger("leochat").setLevel(level)


def test_it_stays_small_whatever_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_BYTES", 2000)
    logs.keep_log(tmp_path)
    for number in range(400):
        logging.getLogger("leochat.test").info("line %d of many", number)
    files = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert files == ["leochat.log", *(f"leochat.log.{n}" for n in (1, 2, 3))]
    assert sum(path.stat().st_size for path in (tmp_path / "logs").iterdir()) < 10_000
    assert "line 399 of many" in (tmp_path / "logs" / "leochat.log").read_text("utf-8")


def test_no_line_is_lost_while_another_program_holds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_paths: object) -> None:
        raise PermissionError(13, "The process cannot access the file because it is being used by another process")

    monkeypatch.setattr(logs, "MOST_BYTES", 500)
    monkeypatch.setattr("os.rename", refused)
    logs.keep_log(tmp_path)
    for number in range(30):
        logging.getLogger("leochat.test").info("line %d of many", number)
    text = (tmp_path / "logs" / "leochat.log").read_text("utf-8")
    assert [n for n in range(30) if f"line {n} of many" not in text] == []


def test_keys_and_the_pages_token_are_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs.keep_log(tmp_path)
    hidden = ("sk-ant-api03-0123456789abcdefghij", "Bearer abcdefghijklmnopqrstuvwxyz", "#token=ABCDEFGHIJKLMNOPQRSTUVWX")
    try:
        raise OSError(f"refused: {hidden[0]}")
    except OSError:
        logging.getLogger("leochat.test").exception("asked with %s at http://127.0.0.1:1/%s", hidden[1], hidden[2])
    text = (tmp_path / "logs" / "leochat.log").read_text("utf-8") + capsys.readouterr().err
    assert "refused: sk-…" in text
    assert [secret for secret in hidden if secret[-16:] in text] == []


def test_a_home_that_cannot_be_written_is_no_reason_not_to_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").write_text("in the way", "utf-8")
    logs.keep_log(tmp_path)
    logging.getLogger("leochat.test").warning("still said")
    assert "still said" in capsys.readouterr().err
