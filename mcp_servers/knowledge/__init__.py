"""The bundled `knowledge` server: the person's folders as ground to answer from, searched by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from mcp.server import MCPServer

ABOUT = {
    "title": {"en": "Knowledge", "es": "Conocimiento"},
    "description": {
        "en": "Answer from your own folders: laws, manuals, notes. You choose them under Settings, Knowledge.",
        "es": "Responder con tus propias carpetas: leyes, manuales, notas. Las eliges en Ajustes, Conocimiento.",
    },
    "kind": "bundled",
}


def create(config: Mapping[str, object]) -> MCPServer:
    """The server; the index is in `config["data_dir"]` and may be shared with other processes.

    `folders`: folders to index besides those that are in the index already. `roots`: the folders a tool may
    add (a list, or a callable that returns one); a person adds any. `protected`: paths that are never read.
    `embedding`: a callable, or a mapping with `protocol` (openai, ollama), `address`, `model` and `key`; None or
    without an address: search by words alone. `pace` (a `Pace`) and `task` (what the children do) are for tests.
    """
    from pathlib import Path

    from mcp_servers.environment import default_data_dir, text_of
    from mcp_servers.filesystem.roots import Roots
    from mcp_servers.knowledge import server
    from mcp_servers.knowledge.index import Index
    from mcp_servers.knowledge.indexer import READING, Indexer, Pace
    from mcp_servers.knowledge.meaning import Meaning, model_from

    protected = cast("Sequence[str]", config.get("protected") or [])
    allowed = cast("Sequence[str] | Callable[[], Sequence[str]]", config.get("roots") or [])
    index = Index(Path(text_of(config.get("data_dir")) or default_data_dir()))
    embedding = cast("Any", config.get("embedding"))
    meaning = Meaning(index, lambda: model_from(embedding))
    pace = config.get("pace")
    indexer = Indexer(
        index, meaning, protected, pace if isinstance(pace, Pace) else Pace(), text_of(config.get("task"), READING)
    )
    desk = server.Desk(index, meaning, indexer, Roots(allowed, protected), config)
    return server.build(desk, cast("Sequence[str]", config.get("folders") or []))
