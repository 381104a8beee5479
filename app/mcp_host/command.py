"""From a command as people write it to a program that can be started, the way a login shell finds it."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.mcp_host.status import Problem
from app.mcp_host.wording import problem

SHELL_LIMIT = 4.0
_MARK = "leochat-path:"
_USUAL = ("/usr/local/bin", "/opt/homebrew/bin", "~/.local/bin", "~/.cargo/bin", "~/.bun/bin", "~/.deno/bin")
_CURES = {
    "npx": "Install Node.js, which brings {command}.",
    "node": "Install Node.js, which brings {command}.",
    "npm": "Install Node.js, which brings {command}.",
    "uvx": "Install uv, which brings {command}.",
    "uv": "Install uv, which brings {command}.",
    "docker": "Install Docker and start it.",
    "python": "Install Python, or write python3.",
    "deno": "Install Deno.",
    "bunx": "Install Bun, which brings {command}.",
}


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: the whole argument list, and the PATH it was found on.

    `shell_line`: what cmd.exe has to run instead, where the program is a batch file of Windows.
    """

    argv: tuple[str, ...]
    path: str
    shell_line: str | None = None


class CommandNotFoundError(Exception):
    """`problem` names the command and the PATH searched."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.cause)
        self.problem = problem


class CommandFinder:
    """Finds programs; asks the login shell for its PATH once, where that can matter."""

    def __init__(self, outer: Mapping[str, str] | None = None) -> None:
        self._outer = os.environ if outer is None else outer
        self._login: asyncio.Task[str | None] | None = None

    async def find(self, command: str, args: tuple[str, ...], env: Mapping[str, str]) -> Program:
        """Raises `CommandNotFoundError`. A server's own PATH (`env`) wins over all."""
        path = env.get("PATH") or await self._path()
        found = _which(command, path)
        if found is None and "PATH" not in env and sys.platform != "win32":
            path = _joined(await self._login_path() or "", path)
            found = _which(command, path)
        if found is None:
            raise CommandNotFoundError(_not_found(command, path))
        batch = sys.platform == "win32" and Path(found).suffix.lower() in (".cmd", ".bat")
        return Program((found, *args), path, batch_line(found, args) if batch else None)

    async def _path(self) -> str:
        """PATH as it is; without a terminal around us, the login shell's first, then usual folders."""
        own = self._outer.get("PATH", os.defpath)
        if sys.platform == "win32":
            return own
        from_terminal = "TERM" in self._outer and "SHLVL" in self._outer
        first = own if from_terminal else _joined(await self._login_path() or "", own)
        return _joined(first, _usual())

    async def _login_path(self) -> str | None:
        if self._login is None:
            self._login = asyncio.create_task(login_path(self._outer))
        return await asyncio.shield(self._login)


def _which(command: str, path: str) -> str | None:
    return shutil.which(os.path.expanduser(command), path=path)  # noqa: PTH111 (a name, or a path)


def _usual() -> str:
    return os.pathsep.join(str(Path(p).expanduser()) for p in _USUAL)


async def login_path(outer: Mapping[str, str]) -> str | None:
    """PATH as an interactive login shell has it (nvm, asdf, pyenv, Homebrew), or None within 4 s."""
    shell = outer.get("SHELL") or "/bin/sh"
    if not shutil.which(shell):
        return None
    # fish joins lists with spaces in $PATH; `env` prints the exported form everywhere.
    script = f"printf '%s' '{_MARK}'; env | grep '^PATH='"
    process = await asyncio.create_subprocess_exec(
        shell, "-i", "-l", "-c", script,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True, env={**outer, "LEOCHAT_READS_PATH": "1"},
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(), SHELL_LIMIT)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    text = out.decode("utf-8", "replace")
    _, mark, rest = text.partition(_MARK + "PATH=")
    return rest.splitlines()[0] if mark and rest else None


def _joined(*paths: str) -> str:
    parts = (part for path in paths for part in path.split(os.pathsep) if part)
    return os.pathsep.join(dict.fromkeys(parts))


def batch_line(found: str, args: tuple[str, ...]) -> str:
    """One line for cmd.exe in which spaces, quotes, `&` and `%` mean themselves.

    Every argument is quoted as the C runtime reads it, then everything cmd.exe would act on gets a
    caret; a batch file reads its line twice, so the carets are doubled for arguments.
    """
    words = [_caret(subprocess.list2cmdline([found]))]
    words += [_caret(_caret(_c_quoted(a))) for a in args]
    return " ".join(words)


def _c_quoted(argument: str) -> str:
    text = subprocess.list2cmdline([argument])
    if text.startswith('"'):
        return text
    trailing = len(argument) - len(argument.rstrip("\\"))
    return '"' + text + "\\" * trailing + '"'


def _caret(text: str) -> str:
    return "".join("^" + c if c in '()%!^"<>&|' else c for c in text)


def _not_found(command: str, path: str) -> Problem:
    name = Path(command).name.removesuffix(".cmd").removesuffix(".exe")
    is_place = os.sep in command or "/" in command
    return problem(
        "command_not_found",
        "There is no program at {command}." if is_place else "The command {command} was not found.",
        _CURES.get(name, "Install it, or write the whole path of the program."),
        detail="" if is_place else f"PATH searched: {path}",
        retry=False,
        command=command,
    )
