"""Exports taken in: ours without loss, other programs' as well as they can be understood, with a report."""

import asyncio
import base64
import hashlib
import io
import sqlite3
from collections.abc import Iterator
from typing import Any, cast

from pydantic import ValidationError

from app.core.messages import Message, new_id
from app.store.blobs import StoredBlobs
from app.store.cards import insert_press
from app.store.conversations import ConversationOptions, ConversationRow, insert_row, new_row
from app.store.errors import StoreError
from app.store.exports import FORMAT, VERSION, Exported
from app.store.foreign import parse, read_entries
from app.store.foreign.nodes import Draft, as_dict, as_list, line_up
from app.store.lanes import Lanes
from app.store.messages import insert_message
from app.store.report import ImportReport

UNZIPPED_BYTES = 1 << 30


class _Taken:
    """What an import has done so far."""

    def __init__(self, program: str):
        self.program = program
        self.conversations: list[str] = []
        self.messages = 0
        self.already = 0
        self.notes: list[str] = []

    def report(self) -> ImportReport:
        return ImportReport(
            program=self.program,
            conversations=tuple(self.conversations),
            messages=self.messages,
            already=self.already,
            notes=tuple(self.notes),
        )


class Imports:
    def __init__(self, lanes: Lanes, blobs: StoredBlobs):
        self._lanes = lanes
        self._blobs = blobs

    async def take(self, content: bytes) -> ImportReport:
        """Import a file's content. Raises StoreError `invalid`, in words, for what is no export at all."""
        data = await asyncio.to_thread(_parse, content)
        whole = as_dict(data)
        return await (self._take_ours(whole) if whole.get("format") == FORMAT else self._take_foreign(data))

    async def _take_ours(self, data: dict[str, Any]) -> ImportReport:
        version = data.get("version")
        if not isinstance(version, int) or version > VERSION:
            raise StoreError("newer", f"This export is of a newer LeoChat (version {version}): update LeoChat.")
        taken = _Taken(FORMAT)
        for number, raw in enumerate(as_list(data.get("conversations"))):
            try:
                kept = Exported.model_validate(raw)
                row = ConversationRow.model_validate({"message_count": 0, "deleted_ms": None, **kept.conversation})
            except ValidationError as error:
                taken.notes.append(f"Conversation {number + 1} could not be read: {_first(error)}.")
                continue
            messages = list(_messages(kept, row.title, taken))
            await self._take_blobs(kept, taken)
            await self._insert(row, messages, kept, taken)
        return taken.report()

    async def _take_blobs(self, kept: Exported, taken: _Taken) -> None:
        for ref, blob in kept.blobs.items():
            try:
                data = base64.b64decode(blob.data, validate=True)
            except ValueError:
                data = b""
            if await self._blobs.put(data, blob.media_type, blob.name) != ref:
                taken.notes.append(f"The attachment {blob.name or ref} is damaged in the export.")

    async def _take_foreign(self, data: object) -> ImportReport:
        taken = _Taken("")
        for entry in read_entries(data):
            taken.program = taken.program or entry.program
            if entry.draft is None:
                taken.notes.append(f"{entry.note}.")
                continue
            messages, head = line_up(entry.draft)
            taken.notes += [f"{entry.title}: {note}." for note in dict.fromkeys(entry.draft.notes)]
            row = _foreign_row(entry.program, entry.draft, head)
            if messages:
                await self._insert(row, messages, Exported(conversation={}, messages=[]), taken)
            else:
                taken.notes.append(f"{entry.title}: it holds no messages.")
        if not taken.program:
            raise StoreError("invalid", "This file is no export that LeoChat knows.")
        return taken.report()

    async def _insert(self, row: ConversationRow, messages: list[Message], kept: Exported, taken: _Taken) -> None:
        """Write it, under an id of its own where another conversation has it; what is there already is left alone."""

        def work(db: sqlite3.Connection) -> str | None:
            there = db.execute("SELECT 1 FROM conversations WHERE id = ?", (row.id,)).fetchone()
            if there and _holds(db, row.id, messages):
                return None
            new = row.model_copy(update={"id": new_id("conv")}) if there else row
            insert_row(db, new.model_copy(update={"message_count": 0}))
            for message in messages:
                insert_message(db, new.id, message, final=message.id not in kept.partials, count_usage=not there)
            for press in kept.presses:
                insert_press(db, new.id, press)
            return new.id

        made = await self._lanes.write(work, durable=True)
        if made is None:
            taken.already += 1
        else:
            taken.conversations.append(made)
            taken.messages += len(messages)


def _holds(db: sqlite3.Connection, conversation_id: str, messages: list[Message]) -> bool:
    """Whether the conversation there has all these messages."""
    sql = "SELECT id FROM messages WHERE conversation_id = ?"
    there = {row[0] for row in db.execute(sql, (conversation_id,))}
    return {message.id for message in messages} <= there


def _messages(kept: Exported, title: str, taken: _Taken) -> Iterator[Message]:
    """The messages that can be read; what stood under one that cannot stands under the one above it."""
    above: dict[str, str | None] = {}
    for raw in kept.messages:
        fields = cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}
        parent = fields.get("parent_id")
        parent = above.get(parent, parent) if isinstance(parent, str) else None
        try:
            yield Message.model_validate({**fields, "parent_id": parent})
        except ValidationError as error:
            above[str(fields.get("id"))] = parent
            taken.notes.append(f"{title}: a message could not be read: {_first(error)}.")


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _foreign_row(program: str, draft: Draft, head: str | None) -> ConversationRow:
    """The same conversation of the same program has the same id at every import."""
    source = draft.source_id or draft.title + str([node.id for node in draft.nodes])
    digest = hashlib.sha256(f"{program}\n{source}".encode()).hexdigest()[:24]
    options = ConversationOptions(system=draft.system, extra={"imported_from": program})
    row = new_row(f"conv_{digest}", draft.title, options)
    created = draft.created_ms or row.created_ms
    times = {"created_ms": created, "updated_ms": max(draft.updated_ms, created)}
    return row.model_copy(update={**times, "head_id": head, "pinned": draft.pinned})


def _parse(content: bytes) -> object:
    try:
        return parse(_unzipped(content) if content.startswith(b"PK") else content)
    except ValueError as error:
        raise StoreError("invalid", f"This file cannot be read as an export: {error}.") from None


def _unzipped(content: bytes) -> bytes:
    """The conversations file in a zip as vendors send it."""
    import zipfile  # costs as much as the rest of the room together

    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except zipfile.BadZipFile as error:
        raise ValueError(f"the zip file is damaged ({error})") from None
    with archive:
        names = [info for info in archive.infolist() if info.filename.endswith((".json", ".jsonl"))]
        names.sort(key=lambda info: (not info.filename.endswith("conversations.json"), info.filename))
        if not names:
            raise ValueError("the zip holds no JSON file")
        if names[0].file_size > UNZIPPED_BYTES:
            raise ValueError("the file in the zip is too large")
        return archive.read(names[0])
