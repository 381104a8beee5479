"""From a command as written to a program: PATH, login shell, Windows batch files."""

import sys
from pathlib import Path

import pytest

from app.mcp_host.command import CommandFinder, CommandNotFoundError, batch_line, login_path
from app.mcp_host.config import ServerConfig
from app.mcp_host.environment import UnfilledVariableError, base_environment, expanded

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a login shell is a POSIX thing")


def program(folder: Path, name: str, text: str = "#!/bin/sh\n") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@POSIX
async def test_a_program_only_the_login_shell_knows_is_found(tmp_path: Path) -> None:
    hidden = program(tmp_path / "nvm", "npx-of-nvm")
    shell = program(tmp_path, "shell", f'#!/bin/sh\nPATH="{hidden.parent}:$PATH"; export PATH\nshift 2; exec /bin/sh "$@"\n')
    outer = {"PATH": "/usr/bin:/bin", "SHELL": str(shell)}
    found = await CommandFinder(outer).find("npx-of-nvm", ("-y", "a b"), {})
    assert found.argv == (str(hidden), "-y", "a b")
    assert str(hidden.parent) in found.path


@POSIX
async def test_a_login_shell_that_hangs_or_fails_costs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mcp_host.command.SHELL_LIMIT", 0.3)
    hangs = program(tmp_path, "hangs", "#!/bin/sh\nsleep 60\n")
    fails = program(tmp_path, "fails", "#!/bin/sh\nexit 1\n")
    assert await login_path({"SHELL": str(hangs), "PATH": "/usr/bin:/bin"}) is None
    assert await login_path({"SHELL": str(fails), "PATH": "/usr/bin:/bin"}) is None
    assert await login_path({"SHELL": str(tmp_path / "missing"), "PATH": "/usr/bin:/bin"}) is None


async def test_a_servers_own_path_wins(tmp_path: Path) -> None:
    own = program(tmp_path / "own", "tool.exe")
    found = await CommandFinder({"PATH": ""}).find("tool.exe", (), {"PATH": str(own.parent)})
    assert found.argv[0] == str(own)


async def test_a_missing_program_is_told_with_a_cure() -> None:
    with pytest.raises(CommandNotFoundError) as caught:
        await CommandFinder({"PATH": "/nowhere", "TERM": "x", "SHLVL": "1"}).find("npx", (), {"PATH": "/nowhere"})
    problem = caught.value.problem
    assert "npx" in problem.cause
    assert "Node.js" in problem.cure
    assert "/nowhere" in problem.detail


def test_arguments_reach_a_batch_file_whole() -> None:
    line = batch_line(r"C:\Program Files\nodejs\npx.cmd", ("-y", r"C:\My Files", "a&b", "100%", 'say "hi"'))
    assert line.startswith('^"C:\\Program Files\\nodejs\\npx.cmd^" ')
    assert "a^^^&b" in line
    assert "100^^^%" in line
    assert "a&b" not in line.replace("^&", "")


def test_variables_are_filled_in_at_launch() -> None:
    config = ServerConfig(
        name="s", command="${BIN}", args=("${A:-other}", "$B", "${env:BIN}"), env={"X": "${BIN}!"}, url="${U}"
    )
    filled = expanded(config, {"BIN": "prog", "U": "https://x"})
    assert (filled.command, filled.args, filled.env, filled.url) == (
        "prog", ("other", "$B", "prog"), {"X": "prog!"}, "https://x",
    )  # fmt: skip
    for text in ("${NOPE}", "${input:key}", "${workspaceFolder}"):
        with pytest.raises(UnfilledVariableError):
            expanded(ServerConfig(name="s", command=text), {})


def test_what_is_filled_in_is_not_read_again() -> None:
    config = ServerConfig(name="s", command="x", env={"K": "${SECRET}"})
    assert expanded(config, {"SECRET": "pa${ss}word"}).env == {"K": "pa${ss}word"}


def test_children_get_no_keys_and_no_shell_functions() -> None:
    given = base_environment({"PATH": "/bin", "OPENAI_API_KEY": "k", "HOME": "/h", "TERM": "() { evil; }", "https_proxy": "p"})
    assert given["HOME"] == "/h"
    assert given["https_proxy"] == "p"
    assert "OPENAI_API_KEY" not in given
    assert "TERM" not in given
