"""Killed at every named point and at random moments: what was acknowledged is there, and the file is sound.

`LEOCHAT_KILLS` sets how many random moments are tried (20 unless set).
"""

import asyncio
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import app.store
from app.store import FAILPOINTS, Store
from app.store.backups import problem_of
from tests.store.writer import write_until_killed

KILLS = int(os.environ.get("LEOCHAT_KILLS", "20"))
PATIENCE = 30.0
ELSEWHERE = ("store.migrate.", "store.restore.")
"""Points that a task does not pass: test_migrations.py and test_backups.py have theirs."""
POINTS = [name for name in FAILPOINTS if not name.startswith(ELSEWHERE)]
COUNTED = [f"{name}:{hit}" for name in ("store.before_commit", "store.after_commit") for hit in (2, 3, 5, 8, 13)]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked from one that has imported the store")


@dataclass
class Said:
    """What the writer said before it ended."""

    conversations: list[str] = field(default_factory=list[str])
    messages: list[str] = field(default_factory=list[str])
    blobs: list[str] = field(default_factory=list[str])
    seq: int = 0
    checkpoint: int = 0
    task: str = ""
    ended: bool = False

    def hear(self, line: str) -> None:
        what = json.loads(line)
        self.conversations += [what["conversation"]] if "conversation" in what else []
        self.messages += [what["message"]] if "message" in what else []
        self.blobs += [what["blob"]] if "blob" in what else []
        self.seq = what.get("seq", self.seq)
        self.checkpoint = what.get("checkpoint", self.checkpoint)
        self.task = what.get("task", self.task)
        self.ended = what.get("ended", self.ended)


def run_writer(home: Path, *, failpoint: str = "", kill_after: float | None = None, rounds: int = 3) -> Said:
    """Let a process write; kill it at a point or after some seconds; give what it said."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "tests.store.writer"])
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=write_until_killed, args=(str(home), writer, failpoint, rounds))
    process.start()
    writer.close()
    if kill_after is not None:
        process.join(kill_after)
        process.kill()
    said = Said()
    with os.fdopen(os.dup(reader.fileno()), encoding="utf-8") as lines:
        for line in lines:
            said.hear(line)
    reader.close()
    process.join(PATIENCE)
    assert process.exitcode in (0, -9), f"the writer ended with {process.exitcode}"
    process.close()
    return said


async def look(home: Path, said: Said) -> None:
    """Open the store as the next start does and hold it against what was said."""
    store = Store.open(home)
    try:
        upkeep = await store.upkeep()
        assert upkeep.problem is None
        for conversation in said.conversations:
            row = await store.conversations.get(conversation)
            assert row is not None
            branch = [message.id for message in await store.messages.branch(conversation)]
            assert set(said.messages) <= set(branch)
            assert row.seq >= said.seq
            assert await store.conversations.reserve_seq(conversation) >= said.seq
            assert row.message_count == len(branch)
        for ref in said.blobs:
            media = await store.blobs.get(ref)
            assert media is not None
            assert media.data.startswith(b"result")
        if said.ended:
            assert await store.tasks.interrupted() == []
        elif said.task:
            await look_at_task(store, said)
    finally:
        store.close()
    assert problem_of(home / "leochat.db") is None


async def look_at_task(store: Store, said: Said) -> None:
    """The task either ended just before the kill, or is offered for Resume and can be taken over."""
    conversation = said.conversations[0]
    row, task = await store.conversations.get(conversation), await store.tasks.last(conversation)
    assert row is not None
    assert task is not None
    assert (task.id, row.last_reason) == (said.task, task.reason)
    assert row.interrupted is (task.reason is None)
    assert [open_task.id for open_task in await store.tasks.interrupted()] == [said.task] * row.interrupted
    await store.tasks.begin("task_resumed", conversation)
    await store.tasks.end("task_resumed", "done")
    assert await store.tasks.interrupted() == []


@pytest.mark.parametrize("point", [*POINTS, *COUNTED])
async def test_nothing_acknowledged_is_lost_when_killed_at_a_named_point(home: Path, point: str) -> None:
    said = await asyncio.to_thread(run_writer, home, failpoint=point)
    assert not said.ended, f"{point} was not passed"
    await look(home, said)


@pytest.mark.timeout(60 + 5 * KILLS)
async def test_nothing_acknowledged_is_lost_when_killed_at_random_moments(tmp_path: Path) -> None:
    dice = random.Random(os.environ.get("LEOCHAT_KILLS_SEED", "1"))
    whole = time.monotonic()
    assert (await asyncio.to_thread(run_writer, tmp_path / "whole", rounds=6)).ended
    span = time.monotonic() - whole
    heard = 0
    for number in range(KILLS):
        home = tmp_path / f"home{number}"
        said = await asyncio.to_thread(run_writer, home, kill_after=dice.uniform(0, span), rounds=6)
        heard += len(said.messages)
        if home.exists():
            await look(home, said)
    assert heard, "every kill came before the first message"


def test_the_variable_kills_where_it_says(home: Path) -> None:
    code = "import os; from tests.store.writer import work_until_killed as work; "
    code += f"work({str(home)!r}, 1, os.environ['LEOCHAT_FAILPOINT'], 1)"
    environ = {**os.environ, "LEOCHAT_FAILPOINT": "store.append.written:2"}
    ended = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ended.returncode == -9, ended.stderr
    assert ended.stdout.count('"message"') == 1


def test_every_named_point_is_in_the_code_and_every_one_in_the_code_is_named() -> None:
    folder = Path(app.store.__file__).parent
    used = {
        name for file in folder.glob("*.py") for name in re.findall(r'failpoint\("([^"]+)"\)', file.read_text(encoding="utf-8"))
    }
    assert used == set(FAILPOINTS)
