"""What a program would fetch for a document when it opens it (linked pictures, templates, parts): taken out."""

from __future__ import annotations

import io
import re
import zipfile

from mcp_servers.office_zip import opened
from mcp_servers.worker import WorkError

_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*?(?:/>|>\s*</(?:\w+:)?Relationship>)", re.DOTALL)
_ELSEWHERE = re.compile(rb"""TargetMode\s*=\s*["']External["']""")
_LINK = re.compile(rb"""Type\s*=\s*["'][^"']*/hyperlink["']""")
_PARTS_OF_OTHERS = re.compile(rb"""Type\s*=\s*["'][^"']*/aFChunk["']""")
"""Web pages inside a document, with addresses of their own."""

_SOURCE = re.compile(
    rb"(<(?:v|o):(?:imagedata|fill|stroke|shadow|OLEObject)\b[^>]*?)"
    rb"""\s(?:o:)?(?:src|href)\s*=\s*(?:"[^"]*"|'[^']*')"""
)
"""Drawings of the old kind name their picture's address themselves."""


def without_outside(data: bytes, name: str) -> tuple[bytes, int]:
    """The same .docx without what lies elsewhere, and how much that was. Links that a person clicks stay.

    Raises WorkError where the archive is damaged.
    """
    archive = opened(data, name)
    made, count = io.BytesIO(), 0
    try:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as copy:
            for part in archive.infolist():
                held = archive.read(part)
                if part.filename.lower().endswith(".rels"):
                    held, found = _relations(held)
                    count += found
                elif part.filename.lower().endswith(".xml") and (b"src=" in held or b"href=" in held):
                    held, found = _SOURCE.subn(rb"\1", held)
                    count += found
                copy.writestr(part.filename, held)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError) as error:
        raise WorkError(f"{name} is damaged: a part of it cannot be unpacked ({error}).") from error
    return (made.getvalue(), count) if count else (data, 0)


def _relations(held: bytes) -> tuple[bytes, int]:
    count = 0

    def kept(match: re.Match[bytes]) -> bytes:
        nonlocal count
        relation = match.group()
        if _PARTS_OF_OTHERS.search(relation) or (_ELSEWHERE.search(relation) and not _LINK.search(relation)):
            count += 1
            return b""
        return relation

    return _RELATION.sub(kept, held), count
