"""The parts beside a document's main text: links, footnotes, endnotes, comments."""

from __future__ import annotations

from typing import Any

from mcp_servers.word.inline import Inline
from mcp_servers.word.package import Doc, W

_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def links_of(part: Any) -> dict[str, str]:
    """The addresses that a part's relations name, by id."""
    return {key: str(one.target_ref) for key, one in part.rels.items() if one.is_external}


class Notes:
    """Footnotes and endnotes, answered in the order in which the text named them; comments too."""

    def __init__(self, document: Doc) -> None:
        self._parts = {kind: _part(document, kind) for kind in ("footnotes", "endnotes", "comments")}
        self._seen: dict[tuple[str, str], None] = {}

    def seen(self, inline: Inline) -> None:
        """The text named these notes."""
        self._seen.update(dict.fromkeys(inline.notes))

    def wanted(self) -> list[tuple[str, Any, Any]]:
        """Label, element and part of each note that was named, once."""
        found: list[tuple[str, Any, Any]] = []
        for kind, number in list(self._seen):
            part, root = self._parts[f"{kind}s"]
            label = f"{'' if kind == 'footnote' else 'e'}{number}"
            notes = root.iterchildren(f"{W}{kind}") if root is not None else ()
            found += [(label, note, part) for note in notes if note.get(f"{W}id") == number]
        return found

    def comments(self) -> list[tuple[str, str]]:
        """Author and words of each comment."""
        _, root = self._parts["comments"]
        if root is None:
            return []
        return [
            (one.get(f"{W}author") or "somebody", " ".join("".join(one.itertext(f"{W}t")).split()))
            for one in root.iterchildren(f"{W}comment")
        ]


def _part(document: Doc, kind: str) -> tuple[Any, Any]:
    """The part of that kind and its parsed root; (None, None) where there is none."""
    from docx.oxml import parse_xml

    for relation in document.part.rels.values():
        if relation.reltype == _TYPES + kind and not relation.is_external:
            part = relation.target_part
            root: Any = getattr(part, "element", None)
            if root is None:
                try:
                    root = parse_xml(part.blob)
                except SyntaxError:
                    return None, None
            return part, root
    return None, None
