"""The cards of the knowledge server: the sources of an answer, and one passage to read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mcp_types import Annotations, EmbeddedResource, TextResourceContents

from mcp_servers.knowledge.scan import shown

if TYPE_CHECKING:
    from mcp_servers.knowledge.search import Hit

Json = dict[str, Any]
CARD = "application/vnd.leochat.card+json"

_WORDS = {
    "en": {
        "sources": "Sources",
        "show": "Show",
        "open": "Open",
        "whole": "Open the file",
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
        "open": "Abrir",
        "whole": "Abrir el archivo",
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
        opens = {"type": "ui-command", "command": "open_file", "payload": {"path": path_of(hit)}}
        actions += [
            {"id": f"show_{number}", "label": _say(language, "show"), "kind": "secondary", "action": show},
            {"id": f"open_{number}", "label": _say(language, "open"), "kind": "secondary", "action": opens},
        ]
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
    opens = {"type": "ui-command", "command": "open_file", "payload": {"path": path_of(hit)}}
    return _resource(
        {
            "id": f"passage_{hit.id}",
            "kind": "review",
            "title": shown(PurePosixPath(hit.path).name),
            "subtitle": place(hit, language),
            "body": [{"type": "text", "text": text, "format": "markdown" if markdown else "plain"}],
            "actions": [{"id": "open", "label": _say(language, "whole"), "kind": "secondary", "action": opens}],
            "metadata": {"path": path_of(hit)},
        }
    )


def path_of(hit: Hit) -> str:
    """The whole path of its file."""
    return str(Path(hit.folder, *hit.path.split("/")))


def _resource(card: Json) -> EmbeddedResource:
    held = TextResourceContents(uri=f"card:{card['id']}", mime_type=CARD, text=json.dumps(card, ensure_ascii=False))
    return EmbeddedResource(type="resource", resource=held, annotations=Annotations(audience=["user"]))
