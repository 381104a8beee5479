"""What a person configured: one record a server, its launch as a hash, and the file they are kept in."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from pydantic import Field, ValidationError

from app.core.frozen import Frozen

Kind: TypeAlias = Literal["bundled", "demo", "third_party"]
Transport: TypeAlias = Literal["stdio", "http", "sse", "tcp"]

# Variables whose value, not only whose name, decides what code a child runs.
_LOADING = ("LD_", "DYLD_", "PYTHON", "NODE_", "BASH_ENV", "ENV", "PATH", "RUBY", "PERL5", "JAVA_")


class Identity(Frozen):
    """A company's identity provider that vouches for a person: where, as which client, and with which token of theirs.

    `token` is an ID token, usually `${NAME}` of a variable that the company's own sign-in sets.
    """

    token_endpoint: str
    client_id: str
    token: str


class ServerConfig(Frozen):
    """One server as configured. Bundled servers and demos need only `name` and `kind`.

    `accepted_hash` is the `launch_hash` a person agreed to (`declined_hash`: said no to) and `accepted_launch` what was shown
    then; `definitions` maps tool names to the hash of the definition agreed to. `timeout` (seconds)
    is the time limit of a call without progress (None: that of all servers), `start_timeout` that of start and handshake.
    `era` legacy: begin with `initialize`, for servers that a first question of the newer protocol upsets.
    `bundle`: the folder that was unpacked for it. `client_id`, `client_secret`: LeoChat's registration where a server knows
    it beforehand; `signs_in` client: they alone sign in, with no person at a browser (the secret may be a private key as PEM,
    or a signed token); with an `identity`, in the name of whom it vouches for.
    `roots_allowed`: it may know
    the allowed folders; `sampling_allowed`: it may use the model without asking each time.
    """

    name: str = Field(min_length=1, max_length=200)
    kind: Kind = "third_party"
    transport: Transport = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    enabled: bool = True
    accepted_hash: str | None = None
    accepted_launch: tuple[str, ...] = ()
    declined_hash: str | None = None
    definitions: dict[str, str] = {}
    tools_off: tuple[str, ...] = ()
    ui_commands_allowed: bool = False
    trusted: bool = False
    bundle: str | None = None
    roots_allowed: bool = False
    sampling_allowed: bool = False
    serial: bool = False
    era: Literal["auto", "legacy"] = "auto"
    client_id: str | None = None
    client_secret: str | None = None
    signs_in: Literal["person", "client"] = "person"
    identity: Identity | None = None
    timeout: float | None = Field(default=None, gt=0, le=3600)
    start_timeout: float = Field(default=60.0, gt=0, le=600)
    description: str | None = None

    @property
    def bundled(self) -> bool:
        return self.kind != "third_party"


def launch_lines(config: ServerConfig) -> tuple[str, ...]:
    """The launch as a person is shown it, one fact a line; equal lines are an equal launch."""
    if config.bundled:
        return (f"{config.kind}: {config.name}",)
    facts: list[tuple[str, str]] = [("transport", config.transport)]
    if config.transport == "stdio":
        facts.append(("command", config.command))
        facts += [("argument", a) for a in config.args]
        if config.cwd:
            facts.append(("folder", config.cwd))
        facts += [("variable", _shown_variable(n, v)) for n, v in sorted(config.env.items())]
    else:
        facts.append(("url", config.url or ""))
        facts += [("header", name.lower()) for name in sorted(config.headers)]
        facts += [("identity", config.identity.token_endpoint) for _ in range(1) if config.identity]
    return tuple(f"{label}: {visible(value)}" for label, value in facts)


def _shown_variable(name: str, value: str) -> str:
    return f"{name}={value}" if name.upper().startswith(_LOADING) else name


def shown_variables(config: ServerConfig) -> tuple[str, ...]:
    """The names of its variables; with the value where that decides what code runs."""
    return tuple(visible(_shown_variable(n, v)) for n, v in sorted(config.env.items()))


def visible(text: str) -> str:
    """The text with invisible and direction-changing characters written out as `\\u{…}`."""
    return "".join(c if c.isprintable() or c == " " else f"\\u{{{ord(c):x}}}" for c in text)


def launch_hash(config: ServerConfig) -> str:
    """The identity of what would be started: command, arguments, variable names, folder, URL."""
    return hashlib.sha256("\n".join(launch_lines(config)).encode("utf-8", "replace")).hexdigest()


def accept_launch(config: ServerConfig) -> ServerConfig:
    """The same server with its present launch agreed to."""
    return config.model_copy(update={"accepted_hash": launch_hash(config), "accepted_launch": launch_lines(config)})


def is_accepted(config: ServerConfig) -> bool:
    return config.bundled or config.accepted_hash == launch_hash(config)


def may_command(config: ServerConfig) -> bool:
    """Whether its results may carry UI commands without asking: `leochat`, and whom a person allowed."""
    return config.ui_commands_allowed or (config.bundled and config.name == "leochat")


def command_line(config: ServerConfig) -> str:
    """The whole command, or the address, on one line for a person to read."""
    if config.bundled:
        return f"leochat mcp {config.name}"
    if config.transport != "stdio":
        return visible(config.url or "")
    return " ".join(_quoted(visible(part)) for part in (config.command, *config.args))


def _quoted(part: str) -> str:
    plain = part and not any(c.isspace() or c in "\"'\\$&|;<>()`*?" for c in part)
    return part if plain else json.dumps(part, ensure_ascii=False)


def load_servers(path: Path) -> tuple[ServerConfig, ...]:
    """The servers kept in `path`; none where there is no file yet.

    Raises `ValueError` in words where the file cannot be read as what it should be: it is never
    overwritten in that case by loading alone. Single entries that do not fit are left out.
    """
    try:
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise ValueError(f"The list of servers in {path} cannot be read: {error}") from error
    entries: Any = cast("Mapping[str, Any]", raw).get("servers") if isinstance(raw, Mapping) else None
    if not isinstance(entries, list):
        raise ValueError(f"The list of servers in {path} is not a list.")
    return tuple(_readable(cast("list[Any]", entries)))


def set_aside(path: Path) -> Path:
    """Move a list that cannot be read out of the way; where it is now."""
    kept = path.with_name(f"{path.name}.broken-{int(time.time())}")
    path.replace(kept)
    return kept


def _readable(entries: Sequence[Any]) -> Iterable[ServerConfig]:
    for entry in entries:
        try:
            yield ServerConfig.model_validate(entry)
        except ValidationError:
            continue


def save_servers(path: Path, servers: Iterable[ServerConfig]) -> None:
    """Write the list whole or not at all; only its owner may read it, since variables hold keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = [s.model_dump(mode="json", exclude_defaults=True) for s in servers]
    text = json.dumps({"version": 1, "servers": listed}, indent=2, ensure_ascii=False)
    handle, temporary = tempfile.mkstemp(prefix=path.name, dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as out:
            out.write(text + "\n")
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
