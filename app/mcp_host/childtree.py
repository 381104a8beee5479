"""A child process and everything it starts: kept together, stopped together, outliving nobody."""

import asyncio
import contextlib
import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
from typing import Any

import psutil

GRACE = 2.0

# Set in every child's environment: descendants that left the process group are found by it.
MARK_NAME = "LEOCHAT_HOST_MARK"
_numbers = itertools.count(1)


class _Mark:
    """What all children of this process share. A fork's are its own: the guard of one must not end those of another."""

    value = secrets.token_hex(12)

    @classmethod
    def renew(cls) -> None:
        cls.value = secrets.token_hex(12)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Mark.renew)

# Reads process groups to watch from stdin; when that ends (we are gone, however) it kills them and
# whatever else carries the mark.
_GUARD = """
trap '' INT TERM HUP
watched=' '
while read -r verb group; do
  case $verb in
    add) watched="$watched$group " ;;
    del) watched="${watched%% $group *} ${watched#* $group }" ;;
  esac
done
for group in $watched; do kill -KILL -- "-$group" 2>/dev/null; done
if [ -d /proc/self ]; then
  for file in $(grep -l -a -F "$1" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file#/proc/}; pid=${pid%/environ}
    [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null
  done
fi
"""


class Guard:
    """A tiny shell that kills our children when we die without saying goodbye (POSIX)."""

    def __init__(self) -> None:
        self._shell: subprocess.Popen[bytes] | None = None

    def watch(self, group: int) -> None:
        self._say(f"add {group}\n")

    def forget(self, group: int) -> None:
        if self._shell is not None:
            self._say(f"del {group}\n")

    def close(self) -> None:
        """End the guard; what it still watches dies with it."""
        if self._shell is None or self._shell.stdin is None:
            return
        with contextlib.suppress(OSError):
            self._shell.stdin.close()
        try:
            self._shell.wait(1.0)
        except subprocess.TimeoutExpired:
            self._shell.kill()
            self._shell.wait()
        self._shell = None

    def _say(self, line: str) -> None:
        if sys.platform == "win32" or not shutil.which("sh"):
            return
        if self._shell is None or self._shell.poll() is not None:
            self._shell = subprocess.Popen(
                ["sh", "-c", _GUARD, "sh", f"{MARK_NAME}={_Mark.value}"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, close_fds=True, cwd="/",
                env={"PATH": os.environ.get("PATH", os.defpath)},
            )  # fmt: skip
        assert self._shell.stdin is not None
        with contextlib.suppress(OSError):
            self._shell.stdin.write(line.encode())
            self._shell.stdin.flush()


def new_mark() -> str:
    """A value for `MARK_NAME` in one child's environment."""
    return f"{_Mark.value}-{next(_numbers)}"


def spawn_options() -> dict[str, Any]:
    """Keyword arguments that put a child into a group of its own."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        return {"creationflags": flags}
    return {"start_new_session": True}


class ProcessTree:
    """One started child with its descendants. On Windows a Job Object, else a process group."""

    def __init__(self, pid: int, guard: Guard, mark: str) -> None:
        self.pid = pid
        self._mark = mark
        self._guard = guard
        self._job = _job_with(pid)
        self._root: psutil.Process | None = None
        with contextlib.suppress(psutil.Error):
            self._root = psutil.Process(pid)
        guard.watch(pid)

    def members(self) -> list[psutil.Process]:
        """Every living process of the tree, also those that left the group or lost their parent."""
        found: dict[int, psutil.Process] = {}
        with contextlib.suppress(psutil.Error):
            if self._root is not None and self._root.is_running():
                found = {p.pid: p for p in (self._root, *self._root.children(recursive=True))}
        if sys.platform != "win32":
            found |= {p.pid: p for p in self._group()}
        return [p for p in found.values() if _alive(p)]

    def _group(self) -> list[psutil.Process]:
        if sys.platform == "win32":
            return []
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return []
        found: list[psutil.Process] = []
        for pid in psutil.pids():
            if _group_of(pid) == self.pid:
                with contextlib.suppress(psutil.Error):
                    found.append(psutil.Process(pid))
        return found

    async def stop(self, grace: float = GRACE) -> None:
        """After stdin was closed: wait, TERM, wait, KILL, for the whole tree. At most 2 x grace."""
        if not await self._gone_within(grace):
            for process in self.members():
                _signal(process, signal.SIGTERM)
            if not await self._gone_within(grace):
                self.kill()
                await self._gone_within(1.0)
        for process in await asyncio.to_thread(_marked, self._mark):
            with contextlib.suppress(psutil.Error):
                process.kill()
        self._guard.forget(self.pid)
        _close_job(self._job, terminate=False)
        self._job = None

    def kill(self) -> None:
        """KILL everything now."""
        _close_job(self._job, terminate=True)
        for process in self.members():
            with contextlib.suppress(psutil.Error):
                process.kill()

    async def _gone_within(self, seconds: float) -> bool:
        deadline = asyncio.get_running_loop().time() + seconds
        pause = 0.01
        while self.members():
            if asyncio.get_running_loop().time() >= deadline:
                return False
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.1)
        return True


def _marked(mark: str) -> list[psutil.Process]:
    """Processes that carry the mark: they left tree and group, but not their environment."""
    if sys.platform == "win32":
        return []
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK_NAME) == mark:
                found.append(process)
    return found


def _alive(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _group_of(pid: int) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def _signal(process: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.Error):
        process.send_signal(number)


def _job_with(pid: int) -> Any:
    """A Job Object that kills its members when its last handle closes, with `pid` in it."""
    if sys.platform != "win32":
        return None
    import pywintypes
    import win32api
    import win32con
    import win32job

    try:
        job = win32job.CreateJobObject(None, "")
        limits = win32job.QueryInformationJobObject(job, win32job.JobObjectExtendedLimitInformation)
        limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        win32job.SetInformationJobObject(job, win32job.JobObjectExtendedLimitInformation, limits)
        access = win32con.PROCESS_TERMINATE | win32con.PROCESS_SET_QUOTA
        handle = win32api.OpenProcess(access, False, pid)
        try:
            win32job.AssignProcessToJobObject(job, handle)
        finally:
            win32api.CloseHandle(handle)
    except pywintypes.error:
        return None  # psutil still finds the tree
    return job


def _close_job(job: Any, *, terminate: bool) -> None:
    if sys.platform != "win32" or job is None:
        return
    import pywintypes
    import win32api
    import win32job

    with contextlib.suppress(pywintypes.error):
        if terminate:
            win32job.TerminateJobObject(job, 1)
        else:
            win32api.CloseHandle(job)
