"""One window for a home."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.desktop.instance import CHANNEL, Instance, ask_first, claim

HOLD = """
import sys, pathlib
from app.desktop.instance import claim
held = claim(pathlib.Path(sys.argv[1]))
held.listen(lambda: print("focus", flush=True))
print("held", flush=True)
sys.stdin.read()
"""


def claimed(home: Path) -> Instance:
    made = claim(home)
    assert made is not None
    return made


def test_a_second_claim_is_refused_until_the_first_lets_go(tmp_path: Path) -> None:
    first = claimed(tmp_path)
    assert claim(tmp_path) is None
    first.close()
    claimed(tmp_path).close()


def test_homes_do_not_mind_each_other(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for home in (one, other):
        home.mkdir()
    first, second = claimed(one), claimed(other)
    first.close()
    second.close()


def test_the_first_is_asked_to_come_forward(tmp_path: Path) -> None:
    first, asked = claimed(tmp_path), threading.Event()
    first.listen(asked.set)
    assert ask_first(tmp_path, 10)
    assert asked.wait(10)
    first.close()


def test_only_who_can_read_the_home_may_ask(tmp_path: Path) -> None:
    first, asked = claimed(tmp_path), threading.Event()
    first.listen(asked.set)
    file = tmp_path / CHANNEL
    known = json.loads(file.read_text("utf-8"))
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o077 == 0
    file.write_text(json.dumps({**known, "secret": "guessed"}), "utf-8")
    assert not ask_first(tmp_path, 0.5)
    assert not asked.is_set()
    first.close()


def test_a_crash_leaves_nothing_that_stops_the_next_start(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crashing:
        assert crashing.stdout is not None
        assert crashing.stdout.readline() == "held\n"
        assert claim(tmp_path) is None
        assert ask_first(tmp_path, 10)
        crashing.kill()
    assert (tmp_path / CHANNEL).exists()
    next_one, asked = claimed(tmp_path), threading.Event()
    next_one.listen(asked.set)
    assert ask_first(tmp_path, 10)
    next_one.close()


@pytest.mark.parametrize("left", ["", "{", '{"port": 1, "secret": "s"}', "[]", '{"port": "x"}'])
def test_what_a_crash_left_in_the_file_is_no_answer(tmp_path: Path, left: str) -> None:
    (tmp_path / CHANNEL).write_text(left, "utf-8")
    assert not ask_first(tmp_path, 0.2)
