"""Which changes belong together, what is copied, and when old copies go."""

from pathlib import Path

import pytest

from mcp_servers.backups import IDLE, KEPT_DAYS, Backups
from mcp_servers.changed_files import Owner


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def backups(tmp_path: Path, clock: Clock) -> Backups:
    return Backups(tmp_path / "kept", clock)


def test_only_the_first_change_of_a_file_in_a_task_is_copied(backups: Backups) -> None:
    first = backups.keep("t1", "/a/x.xlsx", b"one", named=True)
    again = backups.keep("t1", "/a/x.xlsx", b"two", named=True)
    assert (again.id, len(again.files)) == (first.id, 1)
    assert backups.before(again, again.files[0]) == b"one"
    backups.keep("t1", "/b/x.xlsx", None, named=True)
    found = backups.get(first.id)
    assert found is not None
    assert [backups.before(found, file) for file in found.files] == [b"one", None]


def test_a_task_is_what_the_host_names_else_it_ends_with_a_pause(backups: Backups, clock: Clock) -> None:
    named = backups.keep("t1", "/x", b"", named=True).id
    unnamed = backups.keep("talk", "/x", b"", named=False).id
    clock.now += IDLE + 1
    assert backups.keep("t1", "/x", b"", named=True).id == named
    assert backups.keep("talk", "/x", b"", named=False).id != unnamed
    assert Owner.of({"leochat/taskId": "t", "leochat/conversationId": "c"}) == Owner("t", named=True)
    assert Owner.of({"leochat/conversationId": "c"}) == Owner("c", named=False)
    assert Owner.of(None) == Owner("here", named=False)


def test_what_is_undone_is_not_offered_again_and_old_sets_go(backups: Backups, clock: Clock) -> None:
    found = backups.keep("t1", "/x", b"", named=True)
    backups.close(found)
    assert backups.latest("t1") is None
    clock.now += (KEPT_DAYS + 1) * 86_400
    backups.keep("t2", "/x", b"", named=True)
    assert backups.get(found.id) is None
    assert backups.get("../" + found.id) is None
