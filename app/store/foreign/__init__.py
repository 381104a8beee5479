"""Exports of other programs: recognised by their shape, read into drafts, with notes on what was not understood."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.core.tidy import clean
from app.store.foreign import chatbotui, chatgpt, claude, claude_code, librechat, openwebui, original
from app.store.foreign.nodes import Draft, as_dict, as_list, as_text, read_json, read_json_at

log = logging.getLogger("leochat.store")
_SPACE, _COMMA = re.compile(r"[ \t\r\n]*"), re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_LIST, _END = re.compile(r"[ \t\r\n]*\["), re.compile(r"[ \t\r\n]*\][ \t\r\n]*\Z")
_OURS = re.compile(r'\s*\{"format": "leochat", "version": \d{1,9}, "exported_ms": \d{1,19}, "conversations": \[')
"""How we write it; any other spelling is read as a whole."""
_OUR_END = re.compile(r"[ \t\r\n]*\][ \t\r\n]*\}[ \t\r\n]*\Z")


@dataclass(frozen=True, slots=True)
class Reader:
    """One program's export: whether an entry is of it, and the entry read."""

    name: str
    fits: Callable[[dict[str, Any]], bool]
    read: Callable[[dict[str, Any]], Draft]


READERS = tuple(
    Reader(module.NAME, module.fits, module.read)
    for module in (chatgpt, claude, librechat, openwebui, chatbotui, original, claude_code)
)
UNFOLDERS: tuple[Callable[[object], list[Any] | None], ...] = (claude_code.unfold, chatbotui.unfold, original.unfold)


@dataclass(frozen=True, slots=True)
class Entry:
    """One conversation of an export: `draft` None where it could not be read, as `note` then says."""

    program: str
    title: str
    draft: Draft | None
    note: str = ""


def parse(content: bytes) -> object:
    """The value of a JSON or JSON-lines file in UTF-8, UTF-16 or UTF-32. Raises ValueError where it is neither.

    A list is read one entry at a time, so that whoever calls this in a thread holds nobody else up for all of it.
    """
    said = _decoded(content)
    try:
        return _parsed(said)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _decoded(content: bytes) -> str:
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        pass
    try:
        return clean(content.decode(encoding, "surrogatepass").lstrip("\ufeff"))
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8, UTF-16 or UTF-32") from None


def _parsed(said: str) -> object:
    try:
        if start := _LIST.match(said):
            return _entries(said, start.end(), _END)
        if start := _OURS.match(said):
            return {**json.loads(f"{start[0]}]}}"), "conversations": _entries(said, start.end(), _OUR_END)}
        return read_json(said)
    except ValueError:
        lines = [line for line in said.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [read_json(line) for line in lines]


def _entries(said: str, at: int, end: re.Pattern[str]) -> list[object]:
    """The entries of the JSON list that was opened before `at`; `end` is all that may follow them."""
    entries: list[object] = []
    while not end.match(said, at):
        before = (_COMMA if entries else _SPACE).match(said, at)
        if before is None:
            raise json.JSONDecodeError("Expecting ',' delimiter", said[at : at + 40], 0)
        entry, at = read_json_at(said, before.end())
        entries.append(entry)
    return entries


def read_entries(data: object) -> Iterator[Entry]:
    """Each conversation in the file; one that is broken never keeps the others out."""
    entries = next((found for unfold in UNFOLDERS if (found := unfold(data)) is not None), None)
    for raw in entries if entries is not None else _listed(data):
        entry = as_dict(raw)
        title = as_text(entry.get("title") or entry.get("name")) or as_text(entry.get("id") or entry.get("uuid")) or "untitled"
        reader = next((reader for reader in READERS if reader.fits(entry)), None)
        if reader is None:
            yield Entry("", title, None, f"{title}: not recognised as a conversation")
            continue
        yield _read(reader, title, entry)


def _read(reader: Reader, title: str, entry: dict[str, Any]) -> Entry:
    try:
        draft = reader.read(entry)
    except Exception as error:  # whatever a stranger's file holds: the other conversations are sound
        log.exception("a conversation of an export could not be read")
        return Entry(reader.name, title, None, f"{title}: it could not be read ({type(error).__name__}: {error})")
    return Entry(reader.name, title, draft if draft.nodes else None, "" if draft.nodes else f"{title}: it holds no messages")


def _listed(data: object) -> list[Any]:
    whole = as_dict(data)
    return as_list(data) or as_list(whole.get("conversations") or whole.get("chats")) or [whole]
