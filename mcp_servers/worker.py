"""Work on data nobody has vetted, in a child process with limits that can be ended at any moment."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    from anyio.abc import Process

MIB = 1024 * 1024
START = "from mcp_servers.worker import main; main()"
POLL = 0.1
"""Seconds between two looks at the child's memory."""

Progress = Callable[[float, float | None, str], Awaitable[None]]
"""Called with how much is done, of how much (None: unknown), and a few words."""


@dataclass(frozen=True)
class Limits:
    """Seconds for all of it, bytes of memory, bytes of the answer."""

    seconds: float = 30.0
    memory: int = 1024 * MIB
    answer: int = 64 * MIB


DEFAULT = Limits()


class WorkError(Exception):
    """The work was refused or ended; the text goes to the model as it is.

    Raised by tasks in the child to refuse, and by `work` for whatever kept a task from its end.
    """


async def work(task: str, request: Mapping[str, Any], limits: Limits = DEFAULT, progress: Progress | None = None) -> Any:
    """What the function `module:name` answers to `request`, run in a child process.

    Request and answer are JSON values. The function takes the request and may take a second
    argument, `tell(done, of, words)`. Raises WorkError: the task's own, or when time, memory or
    answer are over the limits, or when the child crashed. A cancelled call kills the child.
    """
    import anyio

    run = _Run(limits, progress)
    with anyio.CancelScope(shield=True) as starting:
        process = await anyio.open_process(
            command(task, limits),
            env=_environment(),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        starting.shield = False  # cancelled before this, the process would be nobody's
        try:
            with anyio.move_on_after(limits.seconds):
                await run.through(process, json.dumps(request).encode("utf-8"))
        finally:
            await _ended(process)
    return run.result()


class _Run:
    """One child from its request to its answer; nothing is raised while the task group is open."""

    def __init__(self, limits: Limits, progress: Progress | None) -> None:
        self._limits = limits
        self._progress = progress
        self._said: dict[str, Any] | None = None
        self._trouble = f"This took longer than {limits.seconds:g} s and was stopped."
        self._errors = b""

    async def through(self, process: Process, request: bytes) -> None:
        import anyio

        async with anyio.create_task_group() as together:
            together.start_soon(self._watch, process)
            together.start_soon(self._hear_errors, process)
            await self._send(process, request)
            await self._hear(process)
            if self._said is None and await self._exited(process):
                self._trouble = f"This could not be processed: the worker process ended early ({self._last()})."
            together.cancel_scope.cancel()

    def result(self) -> Any:
        if self._said is None:
            raise WorkError(self._trouble)
        if "refused" in self._said:
            raise WorkError(self._said["refused"])
        return self._said["done"]

    async def _send(self, process: Process, request: bytes) -> None:
        import anyio

        assert process.stdin
        with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.send(request)
            await process.stdin.aclose()

    async def _hear(self, process: Process) -> None:
        import anyio
        from anyio.streams.buffered import BufferedByteReceiveStream

        assert process.stdout
        output = BufferedByteReceiveStream(process.stdout)
        try:
            while self._said is None:
                said = cast("dict[str, Any]", json.loads(await output.receive_until(b"\n", self._limits.answer)))
                if "progress" not in said:
                    self._said = said
                elif self._progress:
                    await self._progress(*said["progress"])
        except anyio.DelimiterNotFound:
            self._said = {"refused": f"The result is larger than {self._limits.answer // MIB} MiB. Ask for less at once."}
        except (anyio.IncompleteRead, anyio.EndOfStream):
            return

    async def _exited(self, process: Process) -> bool:
        """Whether the child ended by itself, and was not ended by `_watch`."""
        await process.wait()
        return self._trouble != _too_large(self._limits.memory)

    async def _hear_errors(self, process: Process) -> None:
        assert process.stderr
        async for part in process.stderr:
            self._errors = (self._errors + part)[-4096:]

    def _last(self) -> str:
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else "no reason given"

    async def _watch(self, process: Process) -> None:
        import anyio
        import psutil

        with contextlib.suppress(psutil.Error, ProcessLookupError):  # it has ended, and `_hear` notices
            child = psutil.Process(process.pid)
            while child.memory_info().rss <= self._limits.memory:  # noqa: ASYNC110 - no event tells of memory
                await anyio.sleep(POLL)
            self._trouble = _too_large(self._limits.memory)
            process.kill()


def command(task: str, limits: Limits) -> list[str]:
    """How a child starts; the packaged app serves it through its own command line."""
    start = [sys.executable, "mcp", "--worker"] if getattr(sys, "frozen", False) else [sys.executable, "-c", START]
    return [*start, task, str(limits.memory)]


def _environment() -> dict[str, str]:
    home = str(Path(__file__).resolve().parents[1])
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": home, "PYTHONUTF8": "1"}


async def _ended(process: Process) -> None:
    import anyio

    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.aclose()


def _too_large(memory: int) -> str:
    return f"This needs more than {memory // MIB} MiB of memory and was stopped."


def main(arguments: list[str] | None = None) -> None:
    """The child: run one task on the request from standard input."""
    task, memory = sys.argv[1:3] if arguments is None else arguments[:2]
    _limit(int(memory))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    sys.stdout = sys.stderr
    _say(answers, _answer(task, int(memory), answers))


def _limit(memory: int) -> None:
    """A second fence where the system has it: no more address space than the memory and some room."""
    if sys.platform != "linux":
        return
    import resource

    room = memory + 512 * MIB
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(task: str, memory: int, answers: BinaryIO) -> dict[str, Any]:
    module, _, name = task.partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        request = json.loads(sys.stdin.buffer.read())
        if function.__code__.co_argcount > 1:
            return {"done": function(request, lambda *told: _say(answers, {"progress": told}))}  # type: ignore[reportUnknownLambdaType]
        return {"done": function(request)}
    except WorkError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"refused": _too_large(memory)}
    except RecursionError:
        return {"refused": "This is nested too deeply to be processed."}


def _say(answers: BinaryIO, told: dict[str, Any]) -> None:
    answers.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
    answers.flush()
