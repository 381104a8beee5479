"""What a document is made of: its headings, how much there is of everything, and who wrote it."""

from __future__ import annotations

from typing import Any

from mcp_servers.word.inline import A
from mcp_servers.word.package import Doc, W
from mcp_servers.word.parts import Notes
from mcp_servers.word.places import headings


def outline_of(document: Doc) -> dict[str, Any]:
    """Headings with their levels, counts, the styles in use, and the properties that are set."""
    body, told = document.element.body, document.core_properties
    changes = sum(1 for _ in body.iter(f"{W}ins", f"{W}del", f"{W}moveFrom"))
    facts = {"title": told.title, "author": told.author, "modified": told.modified and told.modified.isoformat()}
    return {
        "headings": [{"level": one.level, "text": one.text} for one in headings(document)],
        "words": sum(len((text.text or "").split()) for text in body.iter(f"{W}t")),
        "paragraphs": sum(1 for _ in body.iter(f"{W}p")),
        "tables": sum(1 for _ in body.iter(f"{W}tbl")),
        "pictures": sum(1 for _ in body.iter(f"{A}blip")),
        "sections": len(document.sections),
        "comments": len(Notes(document).comments()),
        "tracked_changes": changes,
        "styles": sorted({str(one.style.name) for one in document.paragraphs if one.style is not None}),
        "properties": {key: said for key, said in facts.items() if said},
    }
