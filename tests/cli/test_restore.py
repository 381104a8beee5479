"""A damaged store from the command line: said in words with the way back, and the way back works."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.store import Store
from tests.store.stories import told

ROOT = Path(__file__).parents[2]


async def _made(home: Path, *texts: str) -> None:
    store = Store.open(home)
    try:
        await told(store, *texts)
        await store.back_up()
    finally:
        store.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With one conversation and a backup of it."""
    asyncio.run(_made(tmp_path / "home", "where are the lions", "on the plains"))
    return tmp_path / "home"


def damage(home: Path) -> bytes:
    """Overwrite the store; what is there then."""
    path = home / "leochat.db"
    path.write_bytes(b"no database any more " * 500)
    return path.read_bytes()


@pytest.mark.parametrize("verb", [["serve"], ["ask", "hello", "--no-servers"], ["conversations", "list"]])
def test_every_start_on_a_damaged_store_says_the_way_back(
    home: Path, verb: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    broken = damage(home)
    assert main([*verb, "--home", str(home)]) == 1
    words = capfd.readouterr().err
    assert "is damaged" in words
    assert "leochat conversations restore" in words
    assert Store.backups(home)[0].name in words
    assert (home / "leochat.db").read_bytes() == broken


def test_the_newest_backup_comes_back_and_the_damaged_file_is_kept(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = damage(home)
    assert main(["conversations", "backups", "--home", str(home)]) == 0
    assert Store.backups(home)[0].name in capfd.readouterr().out
    assert main(["conversations", "restore", "--home", str(home)]) == 0
    kept = Path(capfd.readouterr().out.strip().rpartition(" as ")[2])
    assert kept.read_bytes() == broken
    assert main(["conversations", "search", "lions", "--home", str(home)]) == 0
    assert "lions" in capfd.readouterr().out


def test_a_backup_is_chosen_by_name_and_a_wrong_name_is_said(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    older = Store.backups(home)[0].name
    asyncio.run(_made(home, "and the tigers"))
    assert main(["conversations", "restore", "nope.db", "--home", str(home)]) == 1
    assert "no backup nope.db" in capfd.readouterr().err
    assert main(["conversations", "restore", older, "--home", str(home)]) == 0
    capfd.readouterr()
    main(["conversations", "search", "tigers", "--home", str(home)])
    assert "tigers" not in capfd.readouterr().out


def test_nothing_is_restored_while_the_store_is_open_elsewhere(home: Path) -> None:
    store = Store.open(home)
    try:
        command = [sys.executable, "-m", "app", "conversations", "restore", "--home", str(home)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    finally:
        store.close()
    assert done.returncode == 1
    assert "close it first" in done.stderr


def test_without_a_backup_the_words_promise_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_emptied(tmp_path / "home"))
    damage(tmp_path / "home")
    assert main(["serve", "--home", str(tmp_path / "home")]) == 1
    words = capfd.readouterr().err
    assert "There is no backup of it" in words
    assert main(["conversations", "restore", "--home", str(tmp_path / "home")]) == 1


async def _emptied(home: Path) -> None:
    Store.open(home).close()
