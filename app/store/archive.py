"""Conversations out of the store and back: our own JSON without loss, Markdown for people, other programs' exports in."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.messages import new_id
from app.store.blobs import StoredBlobs
from app.store.errors import in_words
from app.store.exports import export_pieces, stored_row
from app.store.lanes import Lanes
from app.store.messages import branch_rows
from app.store.report import ImportReport

if TYPE_CHECKING:  # what is rarely needed is imported when it is
    from app.store.markdown import MarkdownWords


class Archive:
    def __init__(self, lanes: Lanes, blobs: StoredBlobs):
        self._lanes = lanes
        self._blobs = blobs

    async def json_text(self, conversation_ids: Sequence[str] | None = None) -> str:
        """These conversations (None: all that are not deleted), complete, as one JSON document."""
        return await self._lanes.upkeep.do(lambda db: "".join(export_pieces(db, self._blobs, conversation_ids)))

    async def export_json(self, target: Path, conversation_ids: Sequence[str] | None = None) -> None:
        """The same into a file, one conversation in memory at a time. Raises StoreError where it cannot be written."""

        def work(db: sqlite3.Connection) -> None:
            part = target.with_name(f".{target.name}.{new_id('part')}")
            with in_words(target):
                try:
                    with part.open("x", encoding="utf-8", newline="\n") as file:
                        file.writelines(export_pieces(db, self._blobs, conversation_ids))
                    part.replace(target)
                finally:
                    part.unlink(missing_ok=True)

        await self._lanes.upkeep.do(work)

    async def markdown(self, conversation_id: str, words: "MarkdownWords | None" = None) -> str:
        """The shown branch of one conversation, cards included."""

        from app.store.markdown import to_markdown

        def work(db: sqlite3.Connection) -> str:
            row = stored_row(db, conversation_id)
            return to_markdown(row, branch_rows(db, conversation_id, row.head_id, None), words)

        return await self._lanes.read(work)

    async def import_file(self, source: Path) -> ImportReport:
        """Take in an export: ours, or another program's (a JSON file, JSON lines, or the zip it came in)."""
        with in_words(source):
            content = await asyncio.to_thread(source.read_bytes)
        return await self.import_bytes(content)

    async def import_bytes(self, content: bytes) -> ImportReport:
        """The same from memory. Raises StoreError `invalid`, in words, for what is no export at all.

        What was imported before is counted in `already`: left as it is, or with another program's newer messages added.
        """
        from app.store.imports import Imports

        return await Imports(self._lanes, self._blobs).take(content)
