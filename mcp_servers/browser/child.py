"""The process that the browser belongs to, as the server sees it: started when needed, asked, ended."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from mcp_servers.browser.call import PageError

LONGEST_LINE = 64 * 1024 * 1024
END_SECONDS = 2.0
"""What the browser gets to write down what it knows."""

CANCEL_SECONDS = 2.0
"""How long a cancelled call may take to stop before everything is ended."""

MODULE = "mcp_servers.browser.worker"
PASSED_ON = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "LC_ALL",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE",
        "XDG_CURRENT_DESKTOP",
        "DBUS_SESSION_BUS_ADDRESS",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "COMSPEC",
        "PATHEXT",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "SSL_CERT_FILE",
        "NODE_EXTRA_CA_CERTS",
        "PLAYWRIGHT_DOWNLOAD_HOST",
    ]
)

Progress = Callable[[str], Awaitable[None]]


class Child:
    """One process for its life. Calls may overlap."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._progress: dict[int, Progress] = {}
        self._hurry: dict[int, asyncio.TimerHandle] = {}
        self._telling: set[asyncio.Task[None]] = set()
        self._errors = b""
        self._readers = [asyncio.ensure_future(work) for work in (self._hear(), self._hear_errors())]

    @classmethod
    async def start(cls) -> Child:
        """Start the process; the browser is started by its first call."""
        frozen = getattr(sys, "frozen", False)
        command = [sys.executable, "mcp", "browser", "--browser-worker"] if frozen else [sys.executable, "-P", "-m", MODULE]
        return cls(
            await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                env=_environment(),
                cwd=str(Path.home()),
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        )

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.returncode is None and not self._readers[0].done()

    async def call(self, message: Mapping[str, Any], progress: Progress, seconds: float) -> dict[str, Any]:
        """The answer to a call. Raises PageError; cancelled, it stops the call, and everything if the call does not stop.

        `seconds` is how long the process may be silent about it.
        """
        number = next(self._numbers)
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        heard = asyncio.Event()

        async def told(words: str) -> None:
            heard.set()
            await progress(words)

        self._waiting[number], self._progress[number] = future, told
        try:
            self._say({**message, "id": number})
            said = await self._answered(future, heard, seconds)
        except asyncio.CancelledError:
            self._stop_call(number)
            raise
        finally:
            self._waiting.pop(number, None)
            self._progress.pop(number, None)
        if "fault" in said:
            raise PageError(said["fault"], said.get("meta"))
        return said["reply"]

    async def _answered(self, future: asyncio.Future[dict[str, Any]], heard: asyncio.Event, seconds: float) -> dict[str, Any]:
        while True:
            waking = asyncio.ensure_future(heard.wait())
            try:
                await asyncio.wait({future, waking}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waking.cancel()
            if future.done():
                return future.result()
            if not heard.is_set():
                self.kill()
                raise PageError(f"The browser did not answer within {seconds:g} s and was ended. The next call starts it anew.")
            heard.clear()

    def _stop_call(self, number: int) -> None:
        with contextlib.suppress(PageError):
            self._say({"cancel": number})
            self._hurry[number] = asyncio.get_running_loop().call_later(CANCEL_SECONDS, self.kill)

    def _say(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        if not self.alive or self._process.stdin.is_closing():
            raise PageError(self._ended())
        self._process.stdin.write(json.dumps(message).encode("utf-8") + b"\n")

    async def _hear(self) -> None:
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                self._heard(json.loads(line))
        except ValueError:  # a line over the limit, or one that is no JSON: nothing after it can be trusted
            self.kill()
        finally:
            for future in self._waiting.values():
                if not future.done():
                    future.set_result({"fault": self._ended()})

    def _heard(self, said: dict[str, Any]) -> None:
        number = int(said["id"])
        if "told" in said:
            if number in self._progress:
                task = asyncio.ensure_future(self._progress[number](said["told"]))
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)
            return
        if handle := self._hurry.pop(number, None):
            handle.cancel()
        future = self._waiting.get(number)
        if future is not None and not future.done() and "cancelled" not in said:
            future.set_result(said)

    async def _hear_errors(self) -> None:
        assert self._process.stderr is not None
        while some := await self._process.stderr.read(4096):
            self._errors = (self._errors + some)[-4096:]

    def _ended(self) -> str:
        lines = [line for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        why = f" ({lines[-1].strip()[:300]})" if lines else ""
        return f"The browser's process ended{why}. What the call may have done is unknown; the next call starts it anew."

    async def end(self) -> None:
        """Let the browser close, then end whatever is left, within about two seconds."""
        try:
            with contextlib.suppress(PageError):
                self._say({"end": True})
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._process.wait(), END_SECONDS)
        finally:
            self.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), END_SECONDS)
            for reader in self._readers:
                reader.cancel()
            await asyncio.gather(*self._readers, return_exceptions=True)

    def kill(self) -> None:
        """End it at once, with all that it started."""
        for handle in self._hurry.values():
            handle.cancel()
        self._hurry.clear()
        if self._process.returncode is None:
            for process in _tree(self._process.pid):
                with contextlib.suppress(Exception):
                    process.kill()
        if self._process.stdin is not None:
            self._process.stdin.close()


def _tree(pid: int) -> list[Any]:
    """The process and all below it, the lowest first, so that none is orphaned before it is known."""
    import psutil

    try:
        root = psutil.Process(pid)
        return [*reversed(root.children(recursive=True)), root]
    except psutil.Error:
        return []


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {**kept, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONUTF8": "1"}
