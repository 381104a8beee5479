"""Exports taken in: ours without loss, other programs' as well as they can be understood, with a report."""

import asyncio
import base64
import hashlib
import io
import logging
import sqlite3
from collections.abc import Awaitable, Iterator
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
from app.store.mended import mended
from app.store.messages import insert_message
from app.store.report import ImportReport

UNZIPPED_BYTES = 1 << 30
COPIES = 100
"""So many copies of a conversation are looked through for the one that an import holds or goes on from."""
log = logging.getLogger("leochat.store")


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
        report = await (self._take_ours(whole) if whole.get("format") == FORMAT else self._take_foreign(data))
        await self._lanes.write(lambda db: _sealed(db, report), durable=True)
        return report

    async def _take_ours(self, data: dict[str, Any]) -> ImportReport:
        version = data.get("version")
        if isinstance(version, int) and version > VERSION:
            raise StoreError("newer", f"This export is of a newer LeoChat (version {version}): update LeoChat.")
        if not isinstance(version, int) or not isinstance(data.get("conversations"), list):
            raise StoreError("invalid", "This file is an export of LeoChat, but not a whole one: make it again.")
        taken = _Taken(FORMAT)
        for number, raw in enumerate(as_list(data.get("conversations"))):
            try:
                kept = Exported.model_validate(raw)
                row = ConversationRow.model_validate({"message_count": 0, "deleted_ms": None, **kept.conversation})
            except ValidationError as error:
                taken.notes.append(f"Conversation {number + 1} could not be read: {_first(error)}.")
                continue
            messages, changes = await asyncio.to_thread(_read, kept, row.title, taken)
            taken.notes += [f"{row.title or 'untitled'}: {change}." for change in dict.fromkeys(changes)]
            row = _sound(row, messages)
            await self._take_blobs(kept, taken)
            await self._apart(self._insert(row, messages, kept, taken), row.title, taken)
        return taken.report()

    async def _apart(self, work: Awaitable[None], title: str, taken: _Taken) -> None:
        """What one conversation holds never keeps the others out; what ails the store itself is raised."""
        try:
            await work
        except StoreError as error:
            if error.kind not in ("missing", "invalid"):
                raise
            taken.notes.append(f"{title or 'untitled'}: it could not be taken in: {error.message}")
        except Exception as error:  # whatever a stranger's file holds
            log.exception("a conversation of an export could not be kept")
            taken.notes.append(f"{title or 'untitled'}: it could not be taken in ({type(error).__name__}: {error}).")

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
        entries = read_entries(data)
        while (entry := await asyncio.to_thread(next, entries, None)) is not None:
            taken.program = taken.program or entry.program
            if entry.draft is None:
                taken.notes.append(f"{entry.note}.")
                continue
            taken.notes += [f"{entry.title}: {note}." for note in dict.fromkeys(entry.draft.notes)]
            await self._apart(self._take_draft(entry.program, entry.title, entry.draft, taken), entry.title, taken)
        if not taken.program:
            raise StoreError("invalid", "This file is no export that LeoChat knows.")
        return taken.report()

    async def _take_draft(self, program: str, title: str, draft: Draft, taken: _Taken) -> None:
        messages, head = await asyncio.to_thread(line_up, draft)
        if not messages:
            taken.notes.append(f"{title}: it holds no messages.")
            return
        await self._insert(_foreign_row(program, draft, head), messages, None, taken)

    async def _insert(self, row: ConversationRow, messages: list[Message], kept: Exported | None, taken: _Taken) -> None:
        """Write it, under an id of its own where another conversation has it; what is there already is left alone.

        `kept` None: another program's, which goes on in the conversation of an earlier import where that is its beginning.
        """

        def work(db: sqlite3.Connection) -> tuple[str, int]:
            at, more = _place(db, row.id, messages, ours=kept is not None)
            new = row.model_copy(update={"id": at, "message_count": 0})
            if more is None:
                _write(db, new, messages, kept, count_usage=at == row.id)
                return at, len(messages)
            if more:
                _go_on(db, new, messages, more)
            return ("longer" if more else "already"), len(more)

        made, count = await self._lanes.write(work)
        taken.messages += count
        title = row.title or "untitled"
        if made == "already":
            taken.already += 1
        elif made == "longer":
            taken.already += 1
            taken.notes.append(f"{title}: it was here already; what is new in it ({count} messages) was added.")
        else:
            taken.conversations.append(made)
            if made != row.id:
                taken.notes.append(f"{title}: it is here already with other messages, so this one is a copy beside it.")


def _place(
    db: sqlite3.Connection, conversation_id: str, messages: list[Message], *, ours: bool
) -> tuple[str, list[Message] | None]:
    """Where an import goes: a conversation there with what it lacks, or the id of a new one with None.

    A copy has the same id at every import, so that it too is found again.
    """
    for number in range(COPIES):
        source = f"{conversation_id}\ncopy {number}"
        at = f"conv_{hashlib.sha256(source.encode()).hexdigest()[:24]}" if number else conversation_id
        if not db.execute("SELECT 1 FROM conversations WHERE id = ?", (at,)).fetchone():
            return at, None
        if ours and _holds(db, at, messages):
            return at, []
        if not ours and (more := _what_follows(db, at, messages)) is not None:
            return at, more
    return new_id("conv"), None


def _write(
    db: sqlite3.Connection, row: ConversationRow, messages: list[Message], kept: Exported | None, *, count_usage: bool
) -> None:
    insert_row(db, row)
    for message in messages:
        insert_message(db, row.id, message, final=not kept or message.id not in kept.partials, count_usage=count_usage)
    for press in kept.presses if kept else ():
        insert_press(db, row.id, press)


def _what_follows(db: sqlite3.Connection, conversation_id: str, messages: list[Message]) -> list[Message] | None:
    """What is not there yet of `messages`; None where one there is another than its namesake, or none is there."""
    sql = "SELECT id, body FROM messages WHERE conversation_id = ?"
    there: dict[str, str] = dict(db.execute(sql, (conversation_id,)))
    met = [message for message in messages if message.id in there]
    if not met or any(_said(Message.model_validate_json(there[message.id])) != _said(message) for message in met):
        return None
    return [message for message in messages if message.id not in there]


def _said(message: Message) -> str:
    return message.model_dump_json(include={"role", "blocks", "parent_id"})


def _go_on(db: sqlite3.Connection, row: ConversationRow, messages: list[Message], more: list[Message]) -> None:
    """Add what is new, and show it unless the conversation was gone on with here."""
    for message in more:
        insert_message(db, row.id, message, final=True)
    ids = {message.id for message in messages}
    (head,) = db.execute("SELECT head_id FROM conversations WHERE id = ?", (row.id,)).fetchone()
    show = row.head_id if head in ids else head
    sql = "UPDATE conversations SET head_id = ?, updated_ms = max(updated_ms, ?), deleted_ms = NULL WHERE id = ?"
    db.execute(sql, (show, row.updated_ms, row.id))


def _holds(db: sqlite3.Connection, conversation_id: str, messages: list[Message]) -> bool:
    """Whether the conversation there has all these messages."""
    sql = "SELECT id FROM messages WHERE conversation_id = ?"
    there = {row[0] for row in db.execute(sql, (conversation_id,))}
    return {message.id for message in messages} <= there


def _read(kept: Exported, title: str, taken: _Taken) -> tuple[list[Message], list[str]]:
    return mended(list(_messages(kept, title, taken)))


def _sealed(db: sqlite3.Connection, report: ImportReport) -> None:
    """A change that needs no other, for the one sync that makes all before it last."""
    for conversation_id in report.conversations[-1:]:
        db.execute("UPDATE conversations SET updated_ms = updated_ms WHERE id = ?", (conversation_id,))


def _sound(row: ConversationRow, messages: list[Message]) -> ConversationRow:
    """As the list needs it: with an id, to be seen, and ending at a message that is there."""
    ids = {message.id for message in messages}
    head = row.head_id if row.head_id is None or row.head_id in ids else (messages[-1].id if messages else None)
    return row.model_copy(update={"id": row.id.strip() or new_id("conv"), "deleted_ms": None, "head_id": head})


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
    first = draft.nodes[0]  # where the export has no id: how it begins, which stays when it grows
    source = draft.source_id or f"{draft.title}\n{draft.created_ms}\n{first.id}\n{first.role}\n{first.parts}"
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
    import zlib

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
        try:
            return archive.read(names[0])
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise ValueError(f"the zip file is damaged ({error})") from error
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in a way that Python does not know
            raise ValueError("the zip file is locked or packed in an unusual way: unpack it first") from error
