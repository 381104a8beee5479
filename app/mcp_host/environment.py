"""The variables a child gets: a small allow-list and its own, with `${VAR}` filled in at launch."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from app.mcp_host.config import ServerConfig
from app.mcp_host.wording import problem

_POSIX = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
    "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
)  # fmt: skip
_WINDOWS = (
    "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT",
    "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP",
    "TMP", "USERNAME", "USERPROFILE", "WINDIR",
)  # fmt: skip
# Proxies and company certificates are honoured by the children as by the app.
_NETWORK = (
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
)  # fmt: skip
_PYTHON = {"PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_UNFILLED = re.compile(r"\$\{[^}]*\}")


class UnfilledVariableError(ValueError):
    """A `${…}` that nothing fills; `problem` has the words for a person."""

    def __init__(self, reference: str, where: str) -> None:
        super().__init__(reference)
        self.problem = problem(
            "variable",
            "{where} needs {reference}, which is not set.",
            "Set this environment variable, or write the value itself into the server's settings.",
            retry=False,
            where=where,
            reference=reference,
        )


def base_environment(outer: Mapping[str, str], path: str | None = None) -> dict[str, str]:
    """The allow-list's part of `outer`, with `path` in place of its PATH if given."""
    names = _WINDOWS if sys.platform == "win32" else _POSIX
    wanted = {*names, *_NETWORK, *(n.lower() for n in _NETWORK)}
    found = {n: v for n, v in outer.items() if n in wanted or n.upper() in names}
    # An exported shell function is code, not a value.
    found = {n: v for n, v in found.items() if not v.startswith("()")}
    if path is not None:
        found["PATH"] = path
    return found | _PYTHON


def expand(text: str, outer: Mapping[str, str], where: str) -> str:
    """`text` with `${VAR}`, `${env:VAR}`, `${VAR:-default}` and `${userHome}` filled in.

    Raises `UnfilledVariableError` where one has no value.
    """

    def value(match: re.Match[str]) -> str:
        name, default = match.group(1), match.group(2)
        if name == "userHome":
            return str(Path.home())
        found = outer.get(name) or default
        if found is None:
            raise UnfilledVariableError(match.group(0), where)
        return found

    filled = _VARIABLE.sub(value, text)
    if (left := _UNFILLED.search(text)) and not _VARIABLE.fullmatch(left.group(0)):
        raise UnfilledVariableError(left.group(0), where)
    return filled


def expanded(config: ServerConfig, outer: Mapping[str, str] | None = None) -> ServerConfig:
    """The server with every `${VAR}` of its launch filled in from the app's own environment."""
    given = os.environ if outer is None else outer

    def fill(text: str, where: str) -> str:
        return expand(text, given, where)

    return config.model_copy(
        update={
            "command": fill(config.command, "The command"),
            "args": tuple(fill(a, "An argument") for a in config.args),
            "env": {n: fill(v, f"The variable {n}") for n, v in config.env.items()},
            "headers": {n: fill(v, f"The header {n}") for n, v in config.headers.items()},
            "url": None if config.url is None else fill(config.url, "The URL"),
            "identity": config.identity
            and config.identity.model_copy(update={"token": fill(config.identity.token, "The identity's token")}),
            "cwd": None if config.cwd is None else fill(config.cwd, "The folder"),
        }
    )
