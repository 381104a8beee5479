"""A task with tools, killed at named points and at what it says: the conversation is whole and Resume comes to the same end."""

import sys
from pathlib import Path

import pytest

from tests.kill.asking import Event, ask
from tests.kill.case import Case, whole

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL to be sent on Windows"),
]
POINTS = [
    "store.task.begun", "store.task.ended", "store.blob.written", "store.blob.renamed", "store.append.written:2",
    "store.append.written:3", "store.append.written:4", "store.append.written:5", "store.append.written:7",
    "store.checkpoint.written", "store.checkpoint.written:2", "store.before_commit:4", "store.before_commit:7",
    "store.before_commit:9", "store.after_commit:5", "store.after_commit:8", "store.after_commit:10",
]  # fmt: skip
MOMENTS = [
    ("block_delta", 1), ("message_end", 2), ("tool_start", 1), ("tool_start", 2), ("tool_start", 3), ("tool_end", 1),
    ("tool_end", 2), ("tool_end", 4), ("checkpoint", 1), ("message_start", 4), ("block_delta", 6), ("model_end", 3),
]  # fmt: skip


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path)


def test_an_uncut_run_counts_each_once(case: Case) -> None:
    done = case.ask(ask)
    assert done.code == 0, done.errors
    whole(case, done)
    assert case.runs() == {1: 1, 2: 1, 3: 1}
    assert (case.folder / "documents" / "LeoChat" / "two.txt").read_text("utf-8") == "two"


def test_the_program_itself_is_killed_while_its_tools_run(case: Case) -> None:
    def running(event: Event) -> bool:
        return event["type"] == "tool_start" and event["call"]["arguments"].get("n") == 2

    killed = case.ask(ask, until=running)
    assert killed.code == -9
    whole(case, killed, ask)


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_point_of_the_store(case: Case, point: str) -> None:
    killed = case.ask(LEOCHAT_FAILPOINT=point)
    assert killed.code == -9, f"{point} was not reached: {killed.errors}"
    whole(case, killed)


@pytest.mark.parametrize(("kind", "number"), MOMENTS)
def test_killed_when_something_was_said(case: Case, kind: str, number: int) -> None:
    left = number

    def moment(event: Event) -> bool:
        nonlocal left
        left -= event["type"] == kind
        return left == 0

    killed = case.ask(until=moment)
    assert left == 0, f"there was no {kind} {number}"
    whole(case, killed)
