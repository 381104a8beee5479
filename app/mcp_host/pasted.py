"""Server configurations as other programs write them, read into ours; everything arrives unaccepted."""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from app.mcp_host.config import ServerConfig, Transport
from app.mcp_host.loosejson import NotJsonError, read_loosely

Fields = Mapping[str, Any]

# Where the servers are, in the order in which they are looked for; a dot is a step inwards.
_PLACES = (
    "mcpServers", "mcp.servers", "mcp.mcpServers", "servers", "mcp_servers", "mcp", "context_servers",
    "amp.mcpServers", "cody.mcpServers", "tools.mcpServers", "projects",
)  # fmt: skip
_TYPES: dict[str, Transport] = {
    "stdio": "stdio", "local": "stdio", "command": "stdio", "docker": "stdio", "inmemory": "stdio",
    "http": "http", "streamable-http": "http", "streamablehttp": "http", "streamable_http": "http",
    "remote": "http", "https": "http", "sse": "sse", "tcp": "tcp",
}  # fmt: skip
_URLS = ("url", "httpUrl", "http_url", "serverUrl", "server_url", "baseUrl", "endpoint", "uri", "sseUrl")
_LAUNCHERS = {
    "npx",
    "uvx",
    "uv",
    "node",
    "python",
    "python3",
    "docker",
    "podman",
    "bunx",
    "bun",
    "deno",
    "pipx",
    "dotnet",
    "go",
    "java",
}
_COMMANDS = ("command", "cmd", "executable")
_KNOWN = {
    *_URLS, *_COMMANDS, "args", "arguments", "env", "environment", "envVars", "cwd", "workingDirectory",
    "headers", "requestHeaders", "httpHeaders", "http_headers", "type", "transport", "transportType",
    "disabled", "enabled", "isActive", "name", "description", "timeout", "requestTimeout",
    "connectionTimeout", "initializationTimeout", "trust", "tools", "autoApprove", "alwaysAllow", "id",
    "disabledTools", "excludeTools", "includeTools", "enabledTools",
}  # fmt: skip


@dataclass(slots=True)
class Pasted:
    """The servers found, and what a person should know of what was not taken as it stood."""

    servers: list[ServerConfig] = field(default_factory=list[ServerConfig])
    notes: list[str] = field(default_factory=list[str])


def parse_pasted(text: str) -> Pasted:
    """Read what a person pasted: JSON of any client, a lone server, a command line, or a URL.

    Raises `ValueError` in words where there is no server in it. Nothing found is accepted: each
    server waits until its launch was looked at.
    """
    bare = text.strip()
    if (lone := _lone_line(bare)) is not None:
        return lone
    value = read_loosely(bare)
    pasted = Pasted()
    inputs = _inputs(value)
    for name, entry in _entries(value):
        config = _server(name, entry, inputs, pasted.notes)
        if config is not None:
            pasted.servers.append(config)
    if not pasted.servers:
        raise ValueError(" ".join(pasted.notes) or "There is no server in this JSON.")
    return pasted


def _lone_line(text: str) -> Pasted | None:
    """A URL or a command such as `npx -y @scope/server`, without JSON around it."""
    if "\n" in text or "{" in text or '":' in text or not text:
        return None
    if re.match(r"https?://\S+$", text):
        name = re.sub(r"^(mcp|api|www)\.", "", text.split("/")[2].rpartition("@")[2].split(":")[0])
        return Pasted([ServerConfig(name=name.split(".")[0] or "server", transport="http", url=text)])
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if len(words) < 2 or not (words[0] in _LAUNCHERS or re.search(r"[/\\]|\.exe$", words[0])):
        return None
    name = _name_of_command(words[1:]) or words[0]
    return Pasted([ServerConfig(name=name, command=words[0], args=tuple(words[1:]))])


def _name_of_command(args: Iterable[str]) -> str:
    """A short name from a package: `@scope/server-everything@1` is `everything`."""
    package = next((a for a in args if not a.startswith("-")), "")
    base = re.sub(r"@[\w.-]+$", "", package.rstrip("/").split("/")[-1])
    return re.sub(r"^(mcp-)?(server-)?|(-mcp)?(-server)?$", "", base) or base


def _entries(value: Any) -> list[tuple[str, Fields]]:
    """Every server in the JSON with its name, wherever the program it is from keeps them."""
    if isinstance(value, list):
        return [e for item in cast("list[Any]", value) for e in _entries(item)]
    if not isinstance(value, Mapping):
        return []
    fields = cast("Fields", value)
    for place in _PLACES:
        if found := _named(_at(fields, place)):
            return found
    if _is_server(fields):
        return [(str(fields.get("name") or fields.get("id") or _guessed_name(fields)), fields)]
    return _named(fields)


def _at(fields: Fields, place: str) -> Any:
    if place in fields:
        return fields[place]
    here: Any = fields
    for step in place.split("."):
        here = cast("Fields", here).get(step) if isinstance(here, Mapping) else None
    return here


def _named(value: Any) -> list[tuple[str, Fields]]:
    if isinstance(value, list):
        listed = [cast("Fields", e) for e in cast("list[Any]", value) if isinstance(e, Mapping)]
        return [(str(e.get("name") or e.get("id") or _guessed_name(e)), e) for e in listed if _is_server(e)]
    if not isinstance(value, Mapping):
        return []
    found: list[tuple[str, Fields]] = []
    for name, entry in cast("Fields", value).items():
        if not isinstance(entry, Mapping):
            continue
        fields = cast("Fields", entry)
        if _is_server(fields):
            found.append((name, fields))
        elif (inner := _entries(fields)) and name not in ("inputs", "$schema"):
            found += inner
    return found


def _is_server(fields: Fields) -> bool:
    return any(isinstance(fields.get(k), str | list | Mapping) for k in _COMMANDS) or any(
        isinstance(fields.get(k), str) for k in _URLS
    )


def _guessed_name(fields: Fields) -> str:
    args = fields.get("args")
    words = [str(a) for a in cast("list[Any]", args)] if isinstance(args, list) else []
    if words and (name := _name_of_command(words)):
        return name
    url = next((str(fields[k]) for k in _URLS if isinstance(fields.get(k), str)), "")
    return url.split("/")[2].split(":")[0] if url.count("/") >= 2 else "server"


def _server(name: str, entry: Fields, inputs: Fields, notes: list[str]) -> ServerConfig | None:
    try:
        command, args = _command(entry)
        url = next((str(entry[k]).strip() for k in _URLS if isinstance(entry.get(k), str)), None)
        config = ServerConfig(
            name=name.strip()[:200] or "server",
            transport=_transport(entry, command, url),
            command=command,
            args=args,
            env=_pairs(entry, "env", "environment", "envVars"),
            cwd=_text(entry, "cwd", "workingDirectory"),
            url=url if not command else None,
            headers=_pairs(entry, "headers", "requestHeaders", "httpHeaders", "http_headers"),
            enabled=_enabled(entry),
            tools_off=_names(entry, "disabledTools", "excludeTools"),
            description=_text(entry, "description"),
            **_limits(entry),
        )
    except ValueError as error:
        notes.append(f"{name} was left out: {_first_line(error)}.")
        return None
    notes += _remarks(config, entry, inputs)
    return _with_plain_variables(config)


def _command(entry: Fields) -> tuple[str, tuple[str, ...]]:
    """The program and its arguments from a string, a list, or Zed's `{path, args}`."""
    raw: Any = next((entry[k] for k in _COMMANDS if entry.get(k)), "")
    more: Any = entry.get("args", entry.get("arguments")) or []
    if isinstance(raw, Mapping):
        inner = cast("Fields", raw)
        raw, more = inner.get("path", ""), inner.get("args") or more
    words = [str(w) for w in cast("list[Any]", raw)] if isinstance(raw, list) else [str(raw).strip()]
    if isinstance(more, str):
        more = shlex.split(more)
    if not isinstance(more, list):
        raise ValueError("its arguments are not a list")
    rest = [str(a) if not isinstance(a, bool) else str(a).lower() for a in cast("list[Any]", more)]
    # "npx -y thing" in one string is a whole command line, unless a file of that name is meant.
    if len(words) == 1 and not rest and words[0].split(" ")[0] in _LAUNCHERS and " " in words[0]:
        words = shlex.split(words[0])
    return (words[0] if words else "", (*words[1:], *rest))


def _transport(entry: Fields, command: str, url: str | None) -> Transport:
    raw: Any = entry.get("type") or entry.get("transportType") or entry.get("transport") or ""
    if isinstance(raw, Mapping):
        raw = cast("Fields", raw).get("type", "")
    if command:
        return "stdio"
    if not url:
        raise ValueError("it has neither a command nor a URL")
    if url.startswith("tcp://"):
        return "tcp"
    if not re.match(r"(https?://|\$\{)", url):
        raise ValueError(f"its URL {url[:100]} is neither http nor https")
    named = _TYPES.get(str(raw).strip().lower())
    if named == "sse" or (named is None and re.search(r"/sse/?(\?|$)", url)):
        return "sse"
    return "http"


def _pairs(entry: Fields, *keys: str) -> dict[str, str]:
    """Variables or headers from an object, a list of {key, value} or of `NAME=value`."""
    raw: Any = next((entry[k] for k in keys if entry.get(k)), None)
    if isinstance(raw, Mapping):
        pairs = cast("Fields", raw).items()
        return {str(n): _scalar(v) for n, v in pairs if v is not None}
    found: dict[str, str] = {}
    for item in cast("list[Any]", raw) if isinstance(raw, list) else []:
        if isinstance(item, Mapping):
            pair = cast("Fields", item)
            name = pair.get("key") or pair.get("name")
            if name:
                found[str(name)] = _scalar(pair.get("value", ""))
        elif isinstance(item, str) and "=" in item:
            name, _, value = item.partition("=")
            found[name] = value
    return found


def _scalar(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(entry: Fields, *keys: str) -> str | None:
    return next((str(entry[k]) for k in keys if isinstance(entry.get(k), str) and entry[k]), None)


def _names(entry: Fields, *keys: str) -> tuple[str, ...]:
    raw: Any = next((entry[k] for k in keys if isinstance(entry.get(k), list)), ())
    return tuple(str(n) for n in raw)


def _enabled(entry: Fields) -> bool:
    if isinstance(entry.get("disabled"), bool):
        return not entry["disabled"]
    stated = entry.get("enabled", entry.get("isActive"))
    return stated if isinstance(stated, bool) else True


def _limits(entry: Fields) -> dict[Literal["timeout"], float]:
    """The time limit of a call. Programs differ: over 1000 it is milliseconds, else seconds."""
    raw: Any = entry.get("requestTimeout", entry.get("timeout"))
    if isinstance(raw, bool) or not isinstance(raw, int | float) or raw <= 0:
        return {}
    seconds = raw / 1000 if raw >= 1000 else float(raw)
    return {"timeout": min(max(seconds, 1.0), 3600.0)}


_INPUT = re.compile(r"\$\{input:([^}]+)\}")
_EDITOR = re.compile(r"\$\{(workspaceFolder|workspaceRoot|file|cwd)[^}]*\}")
_BARE = re.compile(r"^(Bearer |Basic |token )?\$([A-Z_][A-Z0-9_]*)$")


def _inputs(value: Any) -> Fields:
    """VS Code's questions by id, which we put to the person as a note."""
    if not isinstance(value, Mapping):
        return {}
    fields = cast("Fields", value)
    listed: Any = fields.get("inputs") or _at(fields, "mcp.inputs") or []
    found = [cast("Fields", i) for i in cast("list[Any]", listed) if isinstance(i, Mapping)] if isinstance(listed, list) else []
    return {str(i.get("id")): i.get("description") or i.get("id") for i in found}


def _texts(config: ServerConfig) -> list[str]:
    return [*config.args, *config.env.values(), *config.headers.values(), config.url or "", config.cwd or ""]


def _remarks(config: ServerConfig, entry: Fields, inputs: Fields) -> Iterable[str]:
    texts = _texts(config)
    for wanted in dict.fromkeys(m for t in texts for m in _INPUT.findall(t)):
        yield f"{config.name}: put in {inputs.get(wanted, wanted)} where ${{input:{wanted}}} stands."
    for wanted in dict.fromkeys(m for t in texts for m in _EDITOR.findall(t)):
        yield f"{config.name}: ${{{wanted}}} is an editor's folder; write a real path in its place."
    if re.search(r"^(cmd|cmd\.exe|wsl|wsl\.exe)$", config.command, re.IGNORECASE):
        yield f"{config.name}: {config.command} is a program of Windows."
    if any(re.search(r"(?i)<?your[_ -]\w+|/path/to/|path/to/|<[A-Z_ ]+>", t) for t in texts):
        yield f"{config.name}: it holds placeholders that have to be replaced."
    if "oauth" in entry:
        yield f"{config.name}: its sign-in settings (oauth) were not taken over."
    unknown = sorted(k for k in entry if k not in _KNOWN and k != "oauth")
    if unknown:
        yield f"{config.name}: not taken over: {', '.join(unknown)}."


def _with_plain_variables(config: ServerConfig) -> ServerConfig:
    """Gemini's `$NAME` as `${NAME}`, where it is a whole value or follows `Bearer`."""

    def braced(values: Mapping[str, str]) -> dict[str, str]:
        return {n: _BARE.sub(r"\1${\2}", v) for n, v in values.items()}

    return config.model_copy(update={"env": braced(config.env), "headers": braced(config.headers)})


def _first_line(error: ValueError) -> str:
    return str(error).splitlines()[0][:200].rstrip(".")


__all__ = ["NotJsonError", "Pasted", "parse_pasted"]
