"""Nine servers that nobody here wrote, from npm and PyPI: each connects, lists, answers a call, and is gone when stopped."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.mcp_host.config import ServerConfig, accept_launch
from tests.mcp_host.desk import OpenDesk, eventually, words
from tests.mcp_host.http_server import Reply, http_server

CACHE = Path(__file__).parents[2] / ".cache"
NPM = CACHE / "mcp-everything" / "node_modules" / ".bin"
PYPI = CACHE / "reference-python" / ("Scripts" if sys.platform == "win32" else "bin")
INSTALL = "is not installed: python3 build test installs it"
Arguments = Callable[[Path, str], tuple[str, ...]]


@dataclass(frozen=True)
class Real:
    """`args`, `env` and `given` may use the folder and the web page of a test; `says` is in the answer."""

    program: Path
    tool: str
    says: str
    args: Arguments = lambda folder, page: ()
    env: Callable[[Path], dict[str, str]] = lambda folder: {}
    given: Callable[[Path, str], dict[str, Any]] = lambda folder, page: {}
    tools: int = 1


def git_folder(folder: Path, page: str) -> tuple[str, ...]:
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(folder)], check=True)
    return ("--repository", str(folder))


def browser(folder: Path, page: str) -> tuple[str, ...]:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no browser: python3 build test installs one where it may")
    return ("--headless", "--isolated", "--no-sandbox", "--executable-path", found)


THOUGHT = {"thought": "lions sleep", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1}
ENTITIES = {"entities": [{"name": "Leo", "entityType": "lion", "observations": ["sleeps"]}]}
SERVERS = {
    "everything": Real(NPM / "mcp-server-everything", "echo", "Echo: hi", lambda f, p: ("stdio",),
                       given=lambda f, p: {"message": "hi"}),
    "filesystem": Real(NPM / "mcp-server-filesystem", "list_directory", "lion.txt", lambda f, p: (str(f),),
                       given=lambda f, p: {"path": str(f)}),
    "memory": Real(NPM / "mcp-server-memory", "create_entities", "Leo", given=lambda f, p: ENTITIES,
                   env=lambda f: {"MEMORY_FILE_PATH": str(f / "m.json")}),
    "sequential-thinking": Real(NPM / "mcp-server-sequential-thinking", "sequentialthinking", "thoughtNumber",
                                given=lambda f, p: THOUGHT),
    "playwright": Real(NPM / "playwright-mcp", "browser_navigate", "Page URL", browser,
                       given=lambda f, p: {"url": p}, tools=15),
    "fetch": Real(PYPI / "mcp-server-fetch", "fetch", "A lion sleeps", given=lambda f, p: {"url": p},
                  args=lambda f, p: ("--ignore-robots-txt", "--allow-private-ips")),
    "time": Real(PYPI / "mcp-server-time", "get_current_time", "UTC", lambda f, p: ("--local-timezone", "UTC"),
                 given=lambda f, p: {"timezone": "UTC"}),
    "git": Real(PYPI / "mcp-server-git", "git_status", "trunk", git_folder, given=lambda f, p: {"repo_path": str(f)}),
    "sqlite": Real(PYPI / "mcp-server-sqlite", "list_tables", "[]", lambda f, p: ("--db-path", str(f / "a.db"))),
}  # fmt: skip


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SERVERS)
async def test_a_real_server_connects_lists_answers_and_is_gone(desk: OpenDesk, name: str, tmp_path: Path) -> None:
    real = SERVERS[name]
    program = shutil.which(str(real.program))
    if program is None:
        pytest.skip(f"{real.program.name} {INSTALL}")
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "lion.txt").write_text("sleeps")
    page = Reply(body=b"<html><body><p>A lion sleeps in the sun.</p></body></html>", content_type="text/html")
    async with http_server(lambda asked: page) as url:
        config = ServerConfig(
            name=name,
            command=program,
            args=real.args(folder, url),
            env=real.env(folder),
            cwd=str(folder),
            timeout=120,
            start_timeout=120,
        )
        async with desk(accept_launch(config), wait=False) as d:
            status = await d.until(name, "ready", "error", seconds=120)
            assert status.state == "ready", (status.problem, d.host.log(name))
            assert len(status.tools) >= real.tools
            assert status.server_version
            output = await d.call(real.tool, **real.given(folder, url))
            assert not output.is_error, words(output)
            assert real.says in words(output)
            root = psutil.Process(status.pid or 0)
            tree = [root, *root.children(recursive=True)]
    await eventually(lambda: not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in tree))
