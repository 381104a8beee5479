"""Runs the programs that do the work, and turns their failures into one sentence."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from places import CACHE, LOGS, ROOT
from say import SetupError, say

TAIL = 15  # lines of a failed program's output worth showing where its cause is not known

UNREACHABLE = "the package registry could not be reached: check the network or set HTTPS_PROXY"
UNTRUSTED = (
    "the registry's certificate is not trusted: set SSL_CERT_FILE (for npm also"
    " NODE_EXTRA_CA_CERTS) to your company's certificates"
)
# What pip, uv, npm, apt and the system say, and what a person should hear instead.
CAUSES = {
    "no space left on device|ENOSPC|not enough space on the disk": ("the disk is full: free some space"),
    "hash mismatch|do not match the hashes|EINTEGRITY": (
        "a downloaded package is not the one that the lock file pins: something changed it"
    ),
    "certificate verify failed|invalid peer certificate|SELF_SIGNED|CERT_": UNTRUSTED,
    r"unable to get (local )?issuer|self.signed certificate": UNTRUSTED,
    "name resolution|could not resolve|dns error|ENOTFOUND|EAI_AGAIN|getaddrinfo": UNREACHABLE,
    "network is unreachable|ECONNREFUSED|ECONNRESET|connection refused|nodename nor": UNREACHABLE,
    "ETIMEDOUT|timed out|error sending request|ProxyError|tunnel connection": UNREACHABLE,
    "failed to establish a new connection": UNREACHABLE,
    "ERESOLVE|EUSAGE|can only install packages when your package.json": (
        "package.json and package-lock.json do not fit each other: run npm install in frontend"
    ),
    "requires a different python|no matching distribution|no solution found": (
        "no pinned package fits this Python: use CPython 3.11 to 3.13"
    ),
    "EACCES|permission denied": "a file or folder may not be written: check who owns it",
}


def run(
    command: Sequence[str | Path],
    *,
    what: str,
    folder: Path = ROOT,
    more_env: Mapping[str, str] | None = None,
) -> None:
    """Run `command` with its output in `.cache/logs`; raise SetupError with the cause if it fails.

    `what` completes the sentence "... failed", and names the log.
    """
    _make_logs()
    log = LOGS / f"{re.sub('[^a-z]+', '-', what.lower()).strip('-')}.log"
    with log.open("wb") as out:
        code = _run_into(out.fileno(), command, folder, more_env)
    if code != 0:
        raise SetupError(_sentence(what, log))


def _make_logs() -> None:
    """Made by root on somebody's behalf (sudo) the folders are that person's, whose next command writes beside them."""
    LOGS.mkdir(parents=True, exist_ok=True)
    owner = os.environ.get("SUDO_UID", "")
    if owner.isdigit() and hasattr(os, "geteuid") and os.geteuid() == 0:
        for folder in (CACHE, LOGS):
            os.chown(folder, int(owner), -1)


def _run_into(out: int, command: Sequence[str | Path], folder: Path, more_env: Mapping[str, str] | None) -> int:
    try:
        return subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, **(more_env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    except OSError as error:
        os.write(out, f"{command[0]}: {error}\n".encode())
        return 127


def _sentence(what: str, log: Path) -> str:
    text, shown = log.read_text(encoding="utf-8", errors="replace"), log.relative_to(ROOT).as_posix()
    for pattern, cause in CAUSES.items():
        if re.search(pattern, text, re.IGNORECASE):
            return f"{what} failed: {cause}, then run the same command again. (Log: {shown})"
    for line in text.splitlines()[-TAIL:]:
        say(f"  | {line}")
    return f"{what} failed; its last lines are above, all of them in {shown}."
