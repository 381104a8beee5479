"""Getting a Chromium of our own, by Playwright's installer, where the computer has no browser."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import cast

from mcp_servers.browser.call import PageError, Tell
from mcp_servers.browser.child import PASSED_ON
from mcp_servers.browser.finding import CURES

SECONDS = 1200.0
_NETWORK = re.compile(r"(?i:https?_proxy|no_proxy|all_proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|PLAYWRIGHT_[A-Z_]+")
SILENCE = 120.0
"""Seconds without a word after which the installer has failed."""


async def install(folder: Path, tell: Tell) -> str:
    """Download it into `folder`, telling how far it is; what was done, in words. Raises PageError."""
    from playwright._impl._driver import compute_driver_executable

    program = [str(part) for part in compute_driver_executable()]
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    process = await asyncio.create_subprocess_exec(
        *program,
        "install",
        "chromium",
        "--no-shell",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**_environment(), "PLAYWRIGHT_BROWSERS_PATH": str(folder)},
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    try:
        async with asyncio.timeout(SECONDS):
            last = await _follow(process, tell)
            code = await process.wait()
    except TimeoutError as error:
        raise PageError(f"The download came to a halt and was stopped. {_otherwise()}") from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if code != 0:
        raise PageError(f"Chromium could not be downloaded: {last or f'the installer ended with code {code}'}. {_otherwise()}")
    return f"Chromium is installed in {folder}. browser_navigate starts it."


def _environment() -> dict[str, str]:
    """What it needs to reach the download, and none of our keys."""
    from playwright._impl._driver import get_driver_env  # pyright: ignore[reportUnknownVariableType]

    driver = cast("dict[str, str]", get_driver_env())
    own = {name: value for name, value in driver.items() if name not in os.environ or os.environ[name] != value}
    kept = {name: value for name, value in os.environ.items() if name in PASSED_ON or _NETWORK.fullmatch(name)}
    return {**kept, **own}


async def _follow(process: asyncio.subprocess.Process, tell: Tell) -> str:
    """Tell each percentage; the last line that says something is wrong."""
    assert process.stdout
    last = ""
    while line := await asyncio.wait_for(process.stdout.readline(), SILENCE):
        text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.decode("utf-8", "replace")).strip()
        if percent := re.search(r"(\d+)% of ", text):
            await tell(f"Downloading Chromium: {percent[1]} %")
        elif "rror" in text and not text.startswith("at "):
            last = text[:300]
    return last


def _otherwise() -> str:
    return f"Install a browser yourself. {CURES.get(sys.platform, CURES['linux'])}."
