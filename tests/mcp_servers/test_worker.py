"""Work in a child process: what it answers, and how it is ended."""

import os
import sys
import time
from typing import Any

import anyio
import psutil
import pytest

from mcp_servers import worker
from mcp_servers.worker import MIB, Limits, WorkError, work

HERE = "tests.mcp_servers.test_worker:"
WAIT = 20.0


def double(request: dict[str, Any]) -> dict[str, Any]:
    print("a library's chatter")
    return {"twice": request["number"] * 2, "text": request["text"]}


def refuse(request: dict[str, Any]) -> None:
    raise WorkError(f"Not {request['what']}.")


def count(request: dict[str, Any], tell: Any) -> int:
    for done in range(request["of"]):
        tell(done + 1, request["of"], "counting")
    return request["of"]


def sleep(request: dict[str, Any], tell: Any) -> None:
    tell(os.getpid(), None, "asleep")
    time.sleep(request["seconds"])


def swell(_: dict[str, Any]) -> int:
    kept = [b"x" * MIB for _ in range(600)]
    time.sleep(WAIT)
    return len(kept)


def die(_: dict[str, Any]) -> None:
    os.write(2, b"the library broke\n")
    os._exit(3)


def flood(_: dict[str, Any]) -> str:
    os.write(2, b"e" * 300_000)
    return "x" * (2 * MIB)


async def test_a_child_answers_and_its_chatter_is_no_answer() -> None:
    assert await work(HERE + "double", {"number": 21, "text": "ñ 日本\n"}) == {"twice": 42, "text": "ñ 日本\n"}


async def test_the_packaged_app_serves_its_children_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def _packaged(task: str, limits: Limits) -> list[str]:
        return [sys.executable, "-m", "app", "mcp", "--worker", task, str(limits.memory)]

    monkeypatch.setattr(worker, "command", _packaged)
    assert await work(HERE + "double", {"number": 1, "text": ""}) == {"twice": 2, "text": ""}


async def test_a_refusal_comes_back_in_its_own_words() -> None:
    with pytest.raises(WorkError, match="Not this"):
        await work(HERE + "refuse", {"what": "this"})


async def test_progress_is_told_while_it_works() -> None:
    heard: list[tuple[float, float | None, str]] = []

    async def hear(done: float, of: float | None, words: str) -> None:
        await anyio.lowlevel.checkpoint()
        heard.append((done, of, words))

    assert await work(HERE + "count", {"of": 3}, progress=hear) == 3
    assert heard == [(1, 3, "counting"), (2, 3, "counting"), (3, 3, "counting")]


async def test_what_takes_too_long_is_killed_and_said() -> None:
    pids: list[int] = []

    async def hear(done: float, *_: object) -> None:
        await anyio.lowlevel.checkpoint()
        pids.append(int(done))

    with pytest.raises(WorkError, match="longer than 3 s"):
        await work(HERE + "sleep", {"seconds": 60}, Limits(seconds=3), hear)
    assert not any(psutil.pid_exists(pid) for pid in pids)


async def test_a_cancelled_call_leaves_no_child_behind() -> None:
    pids: list[int] = []
    async with anyio.create_task_group() as group:

        async def hear(done: float, *_: object) -> None:
            await anyio.lowlevel.checkpoint()
            pids.append(int(done))
            group.cancel_scope.cancel()

        group.start_soon(work, HERE + "sleep", {"seconds": 60}, Limits(), hear)
    assert len(pids) == 1
    assert not psutil.pid_exists(pids[0])


async def test_too_much_memory_ends_it() -> None:
    with pytest.raises(WorkError, match="more than 128 MiB of memory"):
        await work(HERE + "swell", {}, Limits(memory=128 * MIB))


async def test_a_crash_is_told_with_its_last_words() -> None:
    with pytest.raises(WorkError, match="the library broke"):
        await work(HERE + "die", {})


async def test_an_answer_over_the_limit_is_refused() -> None:
    with pytest.raises(WorkError, match="larger than 1 MiB"):
        await work(HERE + "flood", {}, Limits(answer=MIB))
