"""What LeoChat can do about a server's trouble by itself: each remedy is a changed configuration, or a command to copy."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from app.mcp_host.config import ServerConfig
from app.mcp_host.status import Problem, Remedy

LONGER = 300.0

# Where version managers and installers put programs, newest first within a pattern.
_PLACES = (
    "~/.nvm/versions/node/*/bin", "~/.volta/bin", "~/.local/share/fnm/aliases/default/bin", "~/.asdf/shims",
    "~/.local/share/mise/shims", "~/.pyenv/shims", "~/.local/bin", "~/.cargo/bin", "~/.bun/bin", "~/.deno/bin",
    "~/miniconda3/bin", "~/anaconda3/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin", "/snap/bin",
    "/opt/*/bin", "C:/Program Files/nodejs", "~/AppData/Roaming/npm", "~/AppData/Local/Programs/Python/*",
    "~/AppData/Roaming/Python/*/Scripts", "C:/Program Files/Docker/Docker/resources/bin",
)  # fmt: skip
# Another program that does the same: its name and the arguments it wants first.
_STAND_INS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "python": (("python3", ()), ("py", ())),
    "python3": (("python", ()), ("py", ())),
    "uvx": (("uv", ("tool", "run")),),
    "npx": (("npm", ("exec", "--yes", "--")), ("bunx", ()), ("pnpm", ("dlx",))),
    "docker": (("podman", ()),),
    "bunx": (("bun", ("x",)), ("npx", ("-y",))),
    "node": (("nodejs", ()),),
}
_INSTALLS: dict[str, Mapping[str, str]] = {
    "linux": {
        "node": "sudo apt-get install nodejs npm",
        "uv": "python3 -m pip install --user uv",
        "docker": "sudo apt-get install docker.io",
        "python": "sudo apt-get install python3",
        "deno": "npm install -g deno",
        "bun": "npm install -g bun",
    },
    "darwin": {
        "node": "brew install node",
        "uv": "brew install uv",
        "docker": "brew install --cask docker",
        "python": "brew install python",
        "deno": "brew install deno",
        "bun": "brew install bun",
    },
    "win32": {
        "node": "winget install OpenJS.NodeJS",
        "uv": "winget install astral-sh.uv",
        "docker": "winget install Docker.DockerDesktop",
        "python": "winget install Python.Python.3.13",
        "deno": "winget install DenoLand.Deno",
        "bun": "winget install Oven-sh.Bun",
    },
}
_BROUGHT_BY = {"npx": "node", "npm": "node", "uvx": "uv", "python3": "python", "bunx": "bun", "docker-compose": "docker"}


def remedies_for(config: ServerConfig, problem: Problem | None) -> tuple[Remedy, ...]:
    """What may help, the likeliest first."""
    if problem is None or config.bundled:
        return ()
    return tuple(dict.fromkeys(_for(config, problem)))


def applied(config: ServerConfig, remedy: Remedy) -> ServerConfig | None:
    """The configuration with the remedy in it; None for one that a person carries out."""
    changes: dict[str, Any] | None = None
    match remedy.kind:
        case "program":
            program, args = _without_shell(config)
            stand_in = _stand_in_args(Path(program).name, Path(remedy.value).name)
            changes = {"command": remedy.value, "args": (*stand_in, *args)}
        case "argument":
            at = 1 if remedy.value == "-i" and config.args[:1] == ("run",) else 0
            changes = {"args": (*config.args[:at], remedy.value, *config.args[at:])}
        case "address":
            changes = {"url": remedy.value}
        case "handshake":
            changes = {"era": "legacy"}
        case "longer":
            changes = {"start_timeout": LONGER}
        case "install":
            pass
    return None if changes is None else config.model_copy(update=changes)


def _for(config: ServerConfig, problem: Problem) -> Iterator[Remedy]:
    if problem.kind in ("command_not_found", "spawn"):
        yield from _programs(config)
    silent = config.transport == "stdio" and problem.kind in ("timeout", "exited", "closed", "protocol")
    if silent and (missing := _missing_argument(config)) is not None:
        yield Remedy(kind="argument", value=missing)
    if problem.kind == "timeout" and config.start_timeout < LONGER:
        yield Remedy(kind="longer", value=f"{LONGER:g}")
    if problem.kind in ("timeout", "protocol") and config.era == "auto":
        yield Remedy(kind="handshake", value="initialize")
    if problem.kind in ("http", "unreachable", "protocol") and config.url and config.transport in ("http", "sse"):
        yield from (Remedy(kind="address", value=url) for url in _other_addresses(config.url, problem))


def _missing_argument(config: ServerConfig) -> str | None:
    """What makes a launcher ask on a terminal that is not there, or leave its input closed."""
    name, args = _name(config.command), config.args
    if name == "npx" and not {"-y", "--yes"} & set(args):
        return "-y"
    interactive = any(a in ("-i", "--interactive", "-it", "-ti") or (a[:1] == "-" and a[1:2] != "-" and "i" in a) for a in args)
    if name in ("docker", "podman") and args[:1] == ("run",) and not interactive:
        return "-i"
    return None


def _programs(config: ServerConfig) -> Iterator[Remedy]:
    program, _ = _without_shell(config)
    name = _name(program)
    wanted = [name, *(other for other, _ in _STAND_INS.get(name, ()))]
    if program == config.command:
        found = [path for one in wanted for path in _found(one)]
    else:
        found = [path for one in (program, *wanted[1:]) if (path := shutil.which(one))]
    yield from (Remedy(kind="program", value=path) for path in found[:1])
    platform = "linux" if sys.platform.startswith("linux") else sys.platform
    install = _INSTALLS.get(platform, {}).get(_BROUGHT_BY.get(name, name))
    if install and not found:
        yield Remedy(kind="install", value=install)


def _without_shell(config: ServerConfig) -> tuple[str, tuple[str, ...]]:
    """The program behind Windows' `cmd /c` where there is no cmd."""
    if sys.platform != "win32" and _name(config.command) == "cmd" and config.args[:1] in (("/c",), ("/C",)) and config.args[1:]:
        return config.args[1], config.args[2:]
    return config.command, config.args


def _stand_in_args(wanted: str, found: str) -> tuple[str, ...]:
    names = _name(wanted), _name(found)
    return next((args for other, args in _STAND_INS.get(names[0], ()) if other == names[1]), ())


def _name(command: str) -> str:
    name = command.replace("\\", "/").rpartition("/")[2].lower()
    return name.removesuffix(".cmd").removesuffix(".exe")


def _found(name: str) -> Iterable[str]:
    path = os.pathsep.join(str(place) for pattern in _PLACES for place in _matching(pattern))
    found = shutil.which(name) or shutil.which(name, path=path)
    return [found] if found else []


def _matching(pattern: str) -> list[Path]:
    whole = Path(pattern).expanduser()
    if "*" not in pattern:
        return [whole]
    at = next(i for i, part in enumerate(whole.parts) if "*" in part)
    root = Path(*whole.parts[:at])
    try:
        return sorted(root.glob("/".join(whole.parts[at:])), reverse=True)
    except OSError:
        return []


def _other_addresses(url: str, problem: Problem) -> Iterator[str]:
    place = urlsplit(url)
    if place.path in ("", "/") and problem.kind != "unreachable":
        yield from (urlunsplit(place._replace(path=path)) for path in ("/mcp", "/sse"))
    if place.scheme == "https" and place.hostname in ("localhost", "127.0.0.1", "::1"):
        yield urlunsplit(place._replace(scheme="http"))
