"""Exports of other programs: recognised by their shape, read into drafts, with notes on what was not understood."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.store.foreign import chatbotui, chatgpt, claude, claude_code, librechat, openwebui, original
from app.store.foreign.nodes import Draft, as_dict, as_list, as_text, read_json

log = logging.getLogger("leochat.store")


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
    """The value of a JSON or JSON-lines file. Raises ValueError where it is neither."""
    said = content.decode("utf-8-sig", "surrogatepass")
    try:
        return _parsed(said)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _parsed(said: str) -> object:
    try:
        return read_json(said)
    except ValueError:
        lines = [line for line in said.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [read_json(line) for line in lines]


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
