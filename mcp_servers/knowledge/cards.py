"""The cards of the knowledge server: the sources of an answer, and one passage to read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mcp_types import Annotations, EmbeddedResource, TextResourceContents

from mcp_servers.knowledge.scan import shown
from mcp_servers.openable import is_document

if TYPE_CHECKING:
    from mcp_servers.knowledge.search import Hit

Json = dict[str, Any]
CARD = "application/vnd.leochat.card+json"

_WORDS = {
    "en": {
        "sources": "Sources",
        "show": "Show",
        "open": "Open the file",
        "reveal": "Show in folder",
        "page": "page {0}",
        "lines": "lines {0}–{1}",
        "line": "line {0}",
        "sheet": "sheet {0}",
        "rows": "rows {0}–{1}",
        "row": "row {0}",
    },
    "es": {
        "sources": "Fuentes",
        "show": "Mostrar",
        "open": "Abrir el archivo",
        "reveal": "Mostrar en la carpeta",
        "page": "página {0}",
        "lines": "líneas {0}–{1}",
        "line": "línea {0}",
        "sheet": "hoja {0}",
        "rows": "filas {0}–{1}",
        "row": "fila {0}",
    },
}


def place(one: Hit, language: str = "en") -> str:
    """Where in its file a passage stands, in words: the page, the sheet and its rows, the lines, the headings."""
    said: list[str] = []
    if one.page is not None:
        said.append(_say(language, "page", one.page))
    if one.sheet is not None:
        said.append(_say(language, "sheet", shown(one.sheet)))
    if one.first is not None and one.last is not None:
        what = "row" if one.sheet is not None else "line"
        several = one.last > one.first
        said.append(_say(language, f"{what}s" if several else what, one.first, one.last))
    if one.head and one.sheet is None:
        said.append(shown(one.head))
    return ", ".join(said)


def _say(language: str, key: str, *values: object) -> str:
    return _WORDS["es" if language.startswith("es") else "en"][key].format(*values)


def sources(hits: Sequence[Hit], question: str, language: str) -> EmbeddedResource:
    """A list of passages, each with a button that shows it whole; for the person alone, since the model has the text."""
    body: list[Json] = []
    actions: list[Json] = []
    for number, hit in enumerate(hits):
        if number:
            body.append({"type": "divider"})
        body.append({"type": "text", "text": shown(PurePosixPath(hit.path).name)})
        if where := place(hit, language):
            body.append({"type": "text", "text": where})
        show = {"type": "tool-call", "tool": "read_passage", "arguments": {"id": hit.id, "show": True}}
        actions.append({"id": f"show_{number}", "label": _say(language, "show"), "kind": "secondary", "action": show})
    digest = hashlib.sha256(f"{question}{[hit.id for hit in hits]}".encode("utf-8", "replace")).hexdigest()[:12]
    return _resource({
        "id": f"sources_{digest}",
        "kind": "list",
        "title": _say(language, "sources"),
        "subtitle": question[:120],
        "body": body,
        "actions": actions,
    })  # fmt: skip


def passage(hit: Hit, text: str, language: str, *, markdown: bool) -> EmbeddedResource:
    """One passage to read."""
    return _resource(
        {
            "id": f"passage_{hit.id}",
            "kind": "review",
            "title": shown(PurePosixPath(hit.path).name),
            "subtitle": place(hit, language),
            "body": [{"type": "text", "text": text, "format": "markdown" if markdown else "plain"}],
            "actions": _opening(hit, language),
            "metadata": {"path": path_of(hit)},
        }
    )


def _opening(hit: Hit, language: str) -> list[Json]:
    """The file in its own program, unless that may run what is in it; and in its folder."""
    path = path_of(hit)
    ways = [("open", {"path": path})] if is_document(path) else []
    return [
        {
            "id": name,
            "label": _say(language, name),
            "kind": "secondary",
            "action": {"type": "ui-command", "command": "open_file", "payload": payload},
        }
        for name, payload in [*ways, ("reveal", {"path": path, "reveal": True})]
    ]


def path_of(hit: Hit) -> str:
    """The whole path of its file."""
    return str(Path(hit.folder, *hit.path.split("/")))


def _resource(card: Json) -> EmbeddedResource:
    held = TextResourceContents(uri=f"card:{card['id']}", mime_type=CARD, text=json.dumps(card, ensure_ascii=False))
    return EmbeddedResource(type="resource", resource=held, annotations=Annotations(audience=["user"]))
