"""Links that appear between the check and the use lead nowhere, and half-written files are never seen."""

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.reading import Lines, read_lines
from mcp_servers.filesystem.roots import Roots
from mcp_servers.filesystem.writing import create_directory, move_file, write_file
from tests.mcp_servers.filesystem.world import SECRET, World, make

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="swapping two names in one step is Linux's own")

SECONDS = 1.0
"""How long each race is run."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path)


EXCHANGE = 2  # RENAME_EXCHANGE, renameat2(2)
HERE = -100  # AT_FDCWD


@contextmanager
def swapping(place: Path, other: Path) -> Generator[None]:
    """Two things take each other's place, over and over, in one step each time."""
    done = threading.Event()
    libc = ctypes.CDLL(None)
    names = os.fsencode(place), os.fsencode(other)

    def swap() -> None:
        while not done.is_set():
            libc.renameat2(HERE, names[0], HERE, names[1], EXCHANGE)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(10)


def tried(work: Callable[[], object]) -> tuple[int, int]:
    """How often the work was done and refused while the race ran."""
    worked = refused = 0
    until = time.monotonic() + SECONDS
    while time.monotonic() < until or not worked or not refused:
        assert time.monotonic() < until + 20, (worked, refused)
        try:
            work()
            worked += 1
        except FilesError:
            refused += 1
    return worked, refused


@pytest.fixture
def swapped(world: World) -> Generator[None]:
    """`swap` is a real folder and a link to the outside in turn."""
    real, link = world.allowed / "swap", world.allowed / "link"
    real.mkdir()
    (real / "secret.txt").write_text("harmless", encoding="utf-8")
    link.symlink_to(world.outside)
    with swapping(real, link):
        yield


@pytest.mark.usefixtures("swapped")
def test_reading_through_a_folder_that_turns_into_a_link(world: World) -> None:
    roots = Roots([str(world.allowed)])

    def read() -> None:
        assert read_lines(Patience(), roots, "swap/secret.txt", Lines()) == "harmless"

    tried(read)


@pytest.mark.usefixtures("swapped")
def test_writing_through_a_folder_that_turns_into_a_link(world: World) -> None:
    roots = Roots([str(world.allowed)])
    before = world.fingerprint()
    tried(lambda: write_file(roots, "swap/new.txt", "mine"))
    tried(lambda: create_directory(roots, "swap/newdir"))
    assert world.fingerprint() == before
    assert {path.name for path in world.outside.iterdir()} == {"dir", "secret.txt"}


@pytest.mark.usefixtures("swapped")
def test_moving_through_a_folder_that_turns_into_a_link(world: World) -> None:
    roots = Roots([str(world.allowed)])
    before = world.fingerprint()

    def there_and_back() -> None:
        move_file(roots, "swap/secret.txt", "sub/moved.txt")
        for _ in range(1000):
            with suppress(FilesError):
                move_file(roots, "sub/moved.txt", "swap/secret.txt")
                return

    tried(there_and_back)
    assert world.fingerprint() == before


def test_a_file_that_turns_into_a_link(world: World) -> None:
    roots = Roots([str(world.allowed)])
    real, link = world.allowed / "swap.txt", world.allowed / "link.txt"
    real.write_text("harmless", encoding="utf-8")
    link.symlink_to(world.outside / "secret.txt")

    def read() -> None:
        assert read_lines(Patience(), roots, "swap.txt", Lines()) == "harmless"

    with swapping(real, link):
        tried(read)
    assert (world.outside / "secret.txt").read_text(encoding="utf-8") == SECRET


def test_a_reader_never_sees_half_a_file(world: World) -> None:
    roots = Roots([str(world.allowed)])
    whole = [letter * 200_000 for letter in "ab"]
    write_file(roots, "big.txt", whole[0])
    done = threading.Event()
    seen: set[str] = set()

    def look() -> None:
        while not done.is_set():
            seen.add((world.allowed / "big.txt").read_text(encoding="utf-8"))

    reader = threading.Thread(target=look)
    reader.start()
    for turn in range(60):
        write_file(roots, "big.txt", whole[turn % 2])
    done.set()
    reader.join(10)
    assert seen <= set(whole)
    assert list(world.allowed.glob("*.tmp")) + list(world.allowed.glob(".*.tmp")) == []
