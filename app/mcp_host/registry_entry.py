"""`server.json` of the official registry, today's form and that of 2025: every way to start a server as one to be added."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from app.mcp_host.blanks import Blank, BlankKind, Candidate, blank
from app.mcp_host.config import ServerConfig, Transport

Fields = Mapping[str, Any]
_VARIABLE = re.compile(r"(?<!\$)\{([A-Za-z_][\w.-]*)\}")
_SECRET = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_KINDS: dict[str, BlankKind] = {"number": "number", "boolean": "boolean", "filepath": "file", "string": "text"}
_TRANSPORTS: dict[str, Transport] = {"streamable-http": "http", "http": "http", "sse": "sse"}


def is_registry_entry(value: Any) -> bool:
    """Whether JSON is a registry's entry, a list of them, or a registry's answer with a list."""
    return any(True for _ in _entries(value))


def read_registry(value: Any) -> tuple[list[Candidate], list[str]]:
    """A candidate for each package and each address of each entry, and notes on what cannot be started."""
    found: list[Candidate] = []
    notes: list[str] = []
    for entry in _entries(value):
        offered = list(_ways(entry))
        found += _named_apart([w for way in offered if (w := way.candidate(notes)) is not None])
        if not offered:
            notes.append(f"{_get(entry, 'name') or 'An entry'} names no package or address that LeoChat can start.")
    return found, notes


def _entries(value: Any) -> Iterator[Fields]:
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _entries(item)
        return
    fields = _fields(value)
    inner = fields.get("servers")
    if isinstance(inner, list):
        yield from _entries(inner)
    elif isinstance(fields.get("server"), Mapping) and "packages" not in fields:
        yield from _entries(fields["server"])
    elif fields.get("name") and {"packages", "remotes", "version_detail"} & set(fields) and "command" not in fields:
        yield fields


def _named_apart(ways: list[Candidate]) -> list[Candidate]:
    """Several ways to one server are several servers, to choose from."""
    if len(ways) == 1:
        return ways
    kinds = ["remote" if w.config.transport != "stdio" else w.config.command for w in ways]
    names = [kind if kinds.count(kind) == 1 else f"{kind}-{kinds[: at + 1].count(kind)}" for at, kind in enumerate(kinds)]
    return [
        w.model_copy(update={"config": w.config.model_copy(update={"name": f"{w.config.name}-{name}"[:200]})})
        for w, name in zip(ways, names, strict=True)
    ]


@dataclass(slots=True)
class _Way:
    """One package or address of an entry, while it is read."""

    entry: Fields
    fields: Fields
    blanks: dict[str, Blank] = field(default_factory=dict[str, Blank])
    notes: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        short = str(_get(self.entry, "name")).rpartition("/")[2]
        return re.sub(r"^(mcp-server-|server-|mcp-)|(-mcp-server|-mcp)$", "", short) or short

    def candidate(self, notes: list[str]) -> Candidate | None:
        return self._remote() if "url" in self.fields else self._package(notes)

    def _remote(self) -> Candidate | None:
        kind = str(_get(self.fields, "type", "transport_type") or "streamable-http")
        config = ServerConfig(
            name=self.name,
            transport=_TRANSPORTS.get(kind, "http"),
            url=self._value(str(self.fields["url"]), self.fields),
            headers=dict(self._pairs(_list(self.fields, "headers"))),
            description=self._description(),
        )
        return self._made(config, ())

    def _package(self, notes: list[str]) -> Candidate | None:
        registry = str(_get(self.fields, "registryType", "registry_type", "registry_name") or "").lower()
        identifier = str(_get(self.fields, "identifier", "name") or "")
        start = _STARTS.get(registry)
        if start is None or not identifier or not _is_plain(identifier):
            kind = f"of the registry {registry!r}" if registry else "of no registry"
            notes.append(f"{self.name}: LeoChat cannot start packages {kind} ({identifier[:200]}).")
            return None
        transport = _fields(self.fields.get("transport"))
        if str(transport.get("type") or "stdio") != "stdio":
            url = str(transport.get("url") or "")
            notes.append(
                f"{self.name}: its package serves {url or 'an address'} once it runs; start it, then add that address."
            )
            return None
        if _is_placeholder(identifier):
            self.notes.append(f"{self.name}: {identifier[:200]} stands for something to be replaced.")
        env = dict(self._pairs(_list(self.fields, "environmentVariables", "environment_variables")))
        command, args = start(self, identifier, str(_get(self.fields, "version") or ""), env)
        hint = _get(self.fields, "runtimeHint", "runtime_hint")
        if isinstance(hint, str) and hint in _RUNTIMES.get(registry, ()):
            command = hint
        config = ServerConfig(name=self.name, command=command, env=env, description=self._description())
        return self._made(config, tuple(args))

    def _made(self, config: ServerConfig, args: tuple[tuple[str, ...], ...]) -> Candidate:
        return Candidate(
            config=config,
            title=str(_get(self.entry, "title") or ""),
            version=str(_get(self.entry, "version") or _fields(_get(self.entry, "version_detail")).get("version") or ""),
            args=args,
            blanks=tuple(self.blanks.values()),
            notes=tuple(self.notes),
        )

    def _description(self) -> str | None:
        return str(_get(self.entry, "description") or "").strip() or None

    # -- arguments, variables, headers ---------------------------------------------------------

    def runtime(self) -> list[tuple[str, ...]]:
        return list(self._arguments(_list(self.fields, "runtimeArguments", "runtime_arguments")))

    def arguments(self) -> list[tuple[str, ...]]:
        return list(self._arguments(_list(self.fields, "packageArguments", "package_arguments")))

    def _arguments(self, listed: Iterable[Fields]) -> Iterator[tuple[str, ...]]:
        for at, one in enumerate(listed):
            name, value = str(one.get("name") or ""), one.get("value")
            if isinstance(value, str) and value == name and " " in value.strip():
                # The form of 2025 puts a whole "--flag value" into both.
                yield tuple(self._value(word, one) for word in _split(value))
                continue
            hint = str(_get(one, "valueHint", "value_hint") or "") or f"argument {at + 1}"
            key = name.lstrip("-") or hint
            if (name and not isinstance(value, str) and not _asks(one)) or (isinstance(value, str) and value == name):
                yield (name,)
            else:
                text = self._value(value, one) if isinstance(value, str) else self._blank(key, one, name or hint)
                yield (name, text) if name else (text,)

    def _pairs(self, listed: Iterable[Fields]) -> Iterator[tuple[str, str]]:
        for one in listed:
            name = str(one.get("name") or "")
            if not name:
                continue
            value = one.get("value")
            yield name, self._value(value, one) if isinstance(value, str) else self._blank(name, one, name)

    def _value(self, text: str, one: Fields) -> str:
        """A fixed text in which `{name}` is a variable; one that stands alone without description is asked for as well."""
        variables = _fields(one.get("variables"))

        def put(match: re.Match[str]) -> str:
            name = match.group(1)
            return self._blank(name, _fields(variables.get(name)), name)

        if _is_placeholder(text):
            self.notes.append(f"{self.name}: {text[:200]} stands for something to be replaced.")
        return _VARIABLE.sub(put, text) if variables else text

    def _blank(self, key: str, one: Fields, title: str) -> str:
        if isinstance(one.get("value"), str) and not _asks(one):
            return str(one["value"])
        default = one.get("default")
        hint = str(one.get("placeholder") or "")
        about = str(one.get("description") or "")
        choices: Any = one.get("choices")
        secret = _get(one, "isSecret", "is_secret")
        self.blanks.setdefault(
            key,
            Blank(
                key=key,
                title=title,
                description=f"{about} ({hint})" if hint and about else about or hint,
                kind=_KINDS.get(str(one.get("format") or ""), "text"),
                required=_get(one, "isRequired", "is_required") is True,
                secret=secret is True or (secret is None and bool(_SECRET.search(key))),
                multiple=_get(one, "isRepeated", "is_repeated") is True,
                default=() if default is None or _is_placeholder(str(default)) else (str(default),),
                choices=tuple(map(str, cast("list[Any]", choices))) if isinstance(choices, list) else (),
            ),
        )
        return blank(key)


def _asks(one: Fields) -> bool:
    asking = ("valueHint", "value_hint", "isRequired", "is_required", "default", "choices", "format", "description")
    return any(key in one for key in asking) and not isinstance(one.get("value"), str)


def _npx(way: _Way, identifier: str, version: str, env: Mapping[str, str]) -> tuple[str, list[tuple[str, ...]]]:
    del env
    runtime = way.runtime()
    yes = [] if any(g[0] in ("-y", "--yes") for g in runtime) else [("-y",)]
    return "npx", [*yes, *runtime, (_versioned(identifier, version, "@"),), *way.arguments()]


def _uvx(way: _Way, identifier: str, version: str, env: Mapping[str, str]) -> tuple[str, list[tuple[str, ...]]]:
    del env
    return "uvx", [*way.runtime(), (_versioned(identifier, version, "@"),), *way.arguments()]


def _dnx(way: _Way, identifier: str, version: str, env: Mapping[str, str]) -> tuple[str, list[tuple[str, ...]]]:
    del env
    return "dnx", [*way.runtime(), (_versioned(identifier, version, "@"),), ("--yes",), *way.arguments()]


def _docker(way: _Way, identifier: str, version: str, env: Mapping[str, str]) -> tuple[str, list[tuple[str, ...]]]:
    image = identifier if ":" in identifier.rpartition("/")[2] or "@" in identifier else _versioned(identifier, version, ":")
    passed = [("-e", name) for name in env]
    runtime, arguments = way.runtime(), way.arguments()
    flat = [word for group in arguments for word in group]
    if "-i" in flat and not runtime:
        # The form of 2025 lists the arguments of `docker run` itself, with or without the image.
        named = any(
            not w.startswith("-") and not (at and flat[at - 1] in ("-e", "-v", "-p", "--mount")) for at, w in enumerate(flat)
        )
        own = [p for p in passed if p[1] not in " ".join(flat)]
        rest = arguments if named else [*arguments, (image,)]
        return "docker", [("run",), *own, *rest]
    interactive = [] if any(g[0] == "-i" for g in runtime) else [("-i",)]
    once = [] if any(g[0] == "--rm" for g in runtime) else [("--rm",)]
    return "docker", [("run",), *interactive, *once, *runtime, *passed, (image,), *arguments]


_STARTS = {"npm": _npx, "pypi": _uvx, "oci": _docker, "docker": _docker, "nuget": _dnx}
_RUNTIMES = {"npm": ("npx", "bunx"), "pypi": ("uvx",), "oci": ("docker", "podman"), "nuget": ("dnx",)}


def _versioned(identifier: str, version: str, sign: str) -> str:
    known = version and version not in ("latest", "0.0.0") and _is_plain(version)
    return f"{identifier}{sign}{version}" if known else identifier


def _is_plain(text: str) -> bool:
    """No name or version begins like an option or holds spaces: it could be another argument."""
    return bool(re.fullmatch(r"[A-Za-z0-9@$][^\s'\"\\;|&<>]*", text))


def _is_placeholder(text: str) -> bool:
    return bool(re.search(r"<[^>]+>|/path/to/|^your[-_ ]|[-_ ]your[-_ ]|\$\{(?!blank:)[^}]*\}", text, re.IGNORECASE))


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _ways(entry: Fields) -> Iterator[_Way]:
    for one in (*_list(entry, "packages"), *_list(entry, "remotes")):
        yield _Way(entry, one)


def _get(fields: Fields, *keys: str) -> Any:
    return next((fields[k] for k in keys if k in fields), None)


def _list(fields: Fields, *keys: str) -> list[Fields]:
    raw = _get(fields, *keys)
    return [cast("Fields", o) for o in cast("list[Any]", raw) if isinstance(o, Mapping)] if isinstance(raw, list) else []


def _fields(value: Any) -> Fields:
    return cast("Fields", value) if isinstance(value, Mapping) else {}
