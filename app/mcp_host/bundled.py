"""The servers that come with the app: packages under `mcp_servers` and `demos`, found by looking."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, cast

from app.mcp_host.config import ServerConfig

if TYPE_CHECKING:
    from mcp.server import MCPServer

# These ask although their server never does: they act outside the window.
ASKING = {("leochat", "open_url"), ("leochat", "copy_to_clipboard")}


@dataclass(frozen=True, slots=True)
class Bundled:
    """A server of ours: `create(config)` makes it, `title` and `description` are by language.

    `off`: it waits until somebody switches it on (one for people who develop clients, say).
    """

    name: str
    kind: Literal["bundled", "demo"]
    title: Mapping[str, str]
    description: Mapping[str, str]
    version: str
    create: "Callable[[Mapping[str, object]], MCPServer]"
    off: bool = False

    @property
    def as_it_comes(self) -> ServerConfig:
        """How it is configured before a person changes anything."""
        return ServerConfig(name=self.name, kind=self.kind, enabled=not self.off)

    @property
    def never_asks(self) -> bool:
        return self.kind == "demo" or self.name == "leochat"


def discover(packages: Iterable[str] = ("mcp_servers", "demos")) -> tuple[Bundled, ...]:
    """Every package with `ABOUT` and `create`: `leochat` first, then by name, demos last.

    `pkgutil` also looks into a frozen app. Raises `ImportError` only where a package is broken.
    """
    found = [b for package in packages for b in _within(package)]
    return tuple(sorted(found, key=lambda b: (b.kind == "demo", b.name != "leochat", b.name)))


def _within(package: str) -> Iterable[Bundled]:
    parent = importlib.import_module(package)
    for entry in pkgutil.iter_modules(parent.__path__):
        if not entry.ispkg:
            continue
        module = importlib.import_module(f"{package}.{entry.name}")
        if (made := _bundled(entry.name, module)) is not None:
            yield made


def _bundled(name: str, module: ModuleType) -> Bundled | None:
    about: Any = getattr(module, "ABOUT", None)
    create: Any = getattr(module, "create", None)
    if not isinstance(about, Mapping) or not callable(create):
        return None
    facts = cast("Mapping[str, Any]", about)
    return Bundled(
        name=name,
        kind="demo" if facts.get("kind") == "demo" else "bundled",
        title=_by_language(facts.get("title"), name),
        description=_by_language(facts.get("description"), ""),
        version=str(facts.get("version", "")),
        create=cast("Callable[[Mapping[str, object]], MCPServer]", create),
        off=facts.get("kind") == "developer",
    )


def _by_language(value: Any, default: str) -> Mapping[str, str]:
    if isinstance(value, Mapping):
        return cast("Mapping[str, str]", value)
    return {"en": value if isinstance(value, str) else default}


def in_language(texts: Mapping[str, str], language: str) -> str:
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")
