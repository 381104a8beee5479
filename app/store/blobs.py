"""Bytes too large for a message, as files named by their content; a row each says what they are."""

import asyncio
import codecs
import hashlib
import os
import re
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.messages import Media, new_id, now_ms
from app.store.errors import in_words
from app.store.failpoints import failpoint
from app.store.lanes import Lanes

REF_DIGITS: Final = 40
_REF: Final = re.compile(rf"[0-9a-f]{{{REF_DIGITS}}}")
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class BlobRow:
    """`size` in bytes; `chars` in characters where the bytes are UTF-8 text, else None."""

    ref: str
    media_type: str
    name: str | None
    size: int
    chars: int | None


@dataclass(frozen=True, slots=True)
class TextPage:
    """Characters `offset` to `offset + len(text)` of a text that has `chars` in all."""

    text: str
    offset: int
    chars: int


class StoredBlobs:
    """`app.core.ports.Blobs` on files: a ref is the first 40 hex digits of the content's SHA-256."""

    def __init__(self, lanes: Lanes, home: Path):
        self._lanes = lanes
        self._folder = home / "blobs"

    def path(self, ref: str) -> Path:
        """Where the file of `ref` is or would be. Raises ValueError for what is no ref."""
        if not _REF.fullmatch(ref):
            raise ValueError(f"not a blob's ref: {ref!r}")
        return self._folder / ref[:2] / ref

    async def put(self, data: bytes, media_type: str, name: str | None = None) -> str:
        """Keep the bytes, synced before their row is written; the same ones again give the same ref and type, under the name
        that was given last."""
        ref, chars = await asyncio.to_thread(self._write, data, media_type)
        values = (ref, media_type, name, len(data), chars, now_ms())

        def work(db: sqlite3.Connection) -> None:
            sql = (
                "INSERT INTO blobs (ref, media_type, name, size, chars, created_ms) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (ref) DO UPDATE SET created_ms = excluded.created_ms, name = coalesce(excluded.name, name)"
            )
            db.execute(sql, values)

        await self._lanes.write(work)
        return ref

    async def row(self, ref: str) -> BlobRow | None:
        sql = "SELECT ref, media_type, name, size, chars FROM blobs WHERE ref = ?"

        def work(db: sqlite3.Connection) -> BlobRow | None:
            found = db.execute(sql, (ref,)).fetchone()
            return BlobRow(*found) if found else None

        return await self._lanes.read(work)

    async def get(self, ref: str) -> Media | None:
        """The bytes with their type and name; None where there are none."""
        row = await self.row(ref)
        if row is None:
            return None
        data = await asyncio.to_thread(_read, self.path(ref))
        return None if data is None else Media(media_type=row.media_type, data=data, name=row.name)

    async def read_text(self, ref: str, offset: int = 0, length: int = 3000) -> TextPage | None:
        """A page of a text, counted in characters; None where there is no such blob or it is not text."""
        row = await self.row(ref)
        if row is None or row.chars is None:
            return None
        start = min(max(offset, 0), row.chars)
        text = await asyncio.to_thread(_read_slice, self.path(ref), start, max(length, 0))
        return None if text is None else TextPage(text, start, row.chars)

    def _write(self, data: bytes, media_type: str) -> tuple[str, int | None]:
        ref = hashlib.sha256(data).hexdigest()[:REF_DIGITS]
        path = self.path(ref)
        with in_words(path):
            if not path.exists() or path.stat().st_size != len(data):
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                part = path.with_name(new_id("part"))
                try:
                    with part.open("xb") as file:
                        file.write(data)
                        file.flush()
                        os.fsync(file.fileno())
                    failpoint("store.blob.written")
                    part.replace(path)
                    _sync_folder(path.parent)
                finally:
                    part.unlink(missing_ok=True)
                failpoint("store.blob.renamed")
        return ref, _chars(data, media_type)


def _sync_folder(folder: Path) -> None:
    """Make a new name in the folder outlive a power cut (Windows does so by itself)."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _chars(data: bytes, media_type: str) -> int | None:
    if media_type.startswith(("image/", "audio/", "video/")) and media_type != "image/svg+xml":
        return None
    try:
        return len(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _read_slice(path: Path, offset: int, length: int) -> str | None:
    """`length` characters from `offset`, with never more than a chunk and the page in memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    page: list[str] = []
    skip, want = offset, length
    try:
        with path.open("rb") as file:
            while want > 0 and (chunk := file.read(_CHUNK)):
                text = decoder.decode(chunk)
                piece = text[skip : skip + want]
                skip = max(skip - len(text), 0)
                want -= len(piece)
                page.append(piece)
    except FileNotFoundError:
        return None
    return "".join(page)
