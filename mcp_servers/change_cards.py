"""The card after a file was changed: where it is, a look at what is in it, and the way back."""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from mcp_types import CallToolResult, ContentBlock, EmbeddedResource, TextContent, TextResourceContents

from mcp_servers.changed_files import Undo
from mcp_servers.openable import is_document

Json = dict[str, Any]
CARD = "application/vnd.leochat.card+json"

MOST_LINES = 20
"""Of a difference that a card shows."""

_WORDS = {
    "en": {
        "open": "Open",
        "reveal": "Show in folder",
        "undo": "Undo this task's changes",
        "sure": "Every file this task has changed becomes what it was before. Files it made are removed.",
        "back": "Undo",
        "keep": "Keep",
        "file": "File",
        "undone": "Changes undone",
        "restored": "As before",
        "removed": "Removed",
        "left": "Left alone, changed since",
        "saved": "{}",
        "kept": "Saved; it can be undone",
        "lost": "This change could not keep: {}. Undo brings it back.",
    },
    "es": {
        "open": "Abrir",
        "reveal": "Mostrar en la carpeta",
        "undo": "Deshacer los cambios de esta tarea",
        "sure": "Cada archivo que esta tarea ha cambiado vuelve a ser como era. Los que creó se eliminan.",
        "back": "Deshacer",
        "keep": "Conservar",
        "file": "Archivo",
        "undone": "Cambios deshechos",
        "restored": "Como antes",
        "removed": "Eliminado",
        "left": "Sin tocar: cambiado después",
        "saved": "Guardado; se puede deshacer",
        "kept": "Guardado; se puede deshacer",
        "lost": "Este cambio no ha podido conservar: {}. Al deshacerlo vuelve.",
    },
}
_SPANISH = {
    "slicers": "segmentaciones de datos",
    "timelines": "escalas de tiempo",
    "form controls": "controles de formulario",
    "ActiveX controls": "controles ActiveX",
    "threaded comments (kept as plain ones)": "hilos de comentarios (quedan como notas)",
    "the data model": "el modelo de datos",
    "query tables": "tablas de consulta",
    "data connections": "conexiones de datos",
    "sparklines": "minigráficos",
    "drop-down lists and rules that refer to other sheets": "listas y reglas que remiten a otras hojas",
    "newer details of conditional formats": "detalles nuevos de los formatos condicionales",
    "shapes and text boxes": "formas y cuadros de texto",
    "drawn pictures (EMF, WMF, SVG)": "imágenes dibujadas (EMF, WMF, SVG)",
}


def _say(language: str, key: str) -> str:
    return _WORDS["es" if language.startswith("es") else "en"][key]


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> Json:
    """A table block."""
    return {"type": "table", "table": {"columns": list(columns), "rows": [list(row) for row in rows], "caption": caption}}


def losses(lost: Iterable[str], language: str) -> Json:
    """What a change could not keep, as a block of its card for the person."""
    spanish = language.startswith("es")
    named = ", ".join(_SPANISH.get(one, one) if spanish else one for one in lost)
    return {"type": "text", "text": _say(language, "lost").format(named)}


def card_id(change: str, path: str) -> str:
    """Of one file's card in a set of changes: a newer card takes the place of an older one of the same file alone."""
    return f"changed_{change}_{sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def changed(words: str, path: str, change: str, body: Iterable[Json], language: str, data: Mapping[str, Any]) -> CallToolResult:
    """`words` for the model (and for clients without cards) and a card for the person.

    Its buttons open the file, show it in its folder, and call the tool `undo_changes {change}` of the same server.
    """
    undo: Json = {
        "id": "undo",
        "label": _say(language, "undo"),
        "kind": "secondary",
        "confirm": {
            "title": _say(language, "undo"),
            "message": _say(language, "sure"),
            "confirmText": _say(language, "back"),
            "cancelText": _say(language, "keep"),
        },
        "action": {"type": "tool-call", "tool": "undo_changes", "arguments": {"change": change}},
    }
    card: Json = {
        "id": card_id(change, path),
        "kind": "summary",
        "title": Path(path).name,
        "subtitle": _headline(words, language),
        "tone": "success",
        "body": [*body, {"type": "fields", "fields": [{"label": _say(language, "file"), "value": path}]}],
        "actions": [*_opening(path, language), undo],
        "metadata": {"path": path, "change": change},
    }
    return _with_card(words, card, dict(data))


def _headline(words: str, language: str) -> str:
    """What the first line says, which may be the fence of a difference."""
    first = words.partition("\n")[0][:200]
    return _say(language, "kept") if first.startswith("```") else _say(language, "saved").format(first.rstrip(":"))


def details(words: str) -> list[Json]:
    """What stands below the first line of an answer, or in its fence, as a block of a card: a difference, say."""
    first, _, rest = words.strip().partition("\n")
    fence = first[: len(first) - len(first.lstrip("`"))]
    lines = (rest.removesuffix(fence) if fence else rest).strip("\n").split("\n")
    if lines == [""]:
        return []
    shown = [line[:200] for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"… (+{len(lines) - MOST_LINES:,})")
    return [{"type": "code", "code": {"text": "\n".join(shown), "language": "diff" if fence else ""}}]


def _opening(path: str, language: str) -> list[Json]:
    """The buttons for a file that is there."""
    if not Path(path).is_file():
        return []
    actions: list[Json] = []
    if is_document(path):
        command: Json = {"type": "ui-command", "command": "open_file", "payload": {"path": path}}
        actions.append({"id": "open", "label": _say(language, "open"), "kind": "primary", "action": command})
    shown: Json = {"type": "ui-command", "command": "open_file", "payload": {"path": path, "reveal": True}}
    return [*actions, {"id": "reveal", "label": _say(language, "reveal"), "kind": "secondary", "action": shown}]


def undone(done: Undo, change: str, language: str) -> CallToolResult:
    """What an undo did; its card takes the place of the cards of all files of the set."""
    lines = [
        *(("restored", path) for path in done.restored),
        *(("removed", path) for path in done.removed),
        *(("left", path) for path in done.left),
    ]
    english = "\n".join(f"{_WORDS['en'][what]}: {path}" for what, path in lines) or "Everything was as before already."
    card: Json = {
        "id": f"changed_{change}",
        "kind": "summary",
        "title": _say(language, "undone"),
        "tone": "warning" if done.left else "success",
        "body": [{"type": "fields", "fields": [{"label": _say(language, what), "value": path} for what, path in lines]}],
        "actions": [],
        "metadata": {"replaces": [card_id(change, path) for path in done.paths]},
    }
    return _with_card(english, card, {"restored": done.restored, "removed": done.removed, "left": done.left})


def _with_card(words: str, card: Json, data: Json) -> CallToolResult:
    held = TextResourceContents(uri=f"card:{card['id']}", mime_type=CARD, text=json.dumps(card, ensure_ascii=False))
    content: list[ContentBlock] = [TextContent(type="text", text=words), EmbeddedResource(type="resource", resource=held)]
    return CallToolResult(content=content, structured_content=data)
