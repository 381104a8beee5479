"""Reads the body of a streaming answer into JSON objects: SSE, NDJSON or one plain JSON document, cut anywhere."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

import orjson

from app.core.provider import ProviderError
from app.providers.mould import Mould
from app.providers.sentences import failure
from app.providers.shapes import is_object

Payload: TypeAlias = Any
Take: TypeAlias = Callable[[Payload], None]
Over: TypeAlias = Callable[[], None]
BOM = b"\xef\xbb\xbf"
NOTHING = (b":", b"event: c", b"event: m", b"event: r", b"id:", b"retry:")
"""How lines begin that say nothing which the data does not say."""


def parse(data: bytes) -> Payload:
    """A JSON value, also with what the fast parser refuses (lone surrogates, bytes not UTF-8); ValueError if it is none."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return json.loads(data.decode("utf-8", errors="replace"))
        except RecursionError:
            raise ValueError("JSON nested too deeply") from None


def documents(data: bytes) -> list[Payload]:
    """The JSON values that follow one another in `data`, up to one that is cut off."""
    text, decoder, at = data.decode("utf-8", errors="replace").strip(), json.JSONDecoder(), 0
    found: list[Payload] = []
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


class SseReader:
    """Server-sent events to the JSON in their data lines (WHATWG HTML, 9.2), linear in the bytes.

    Each value is handed to `take` at once: a burst of a thousand events holds none of them. `done` is True after `[DONE]`,
    which calls `over`.
    What is no SSE at all (a bare JSON error between events) is read when the body ends.
    """

    def __init__(self, take: Take, mould: Mould | None = None, over: Over | None = None) -> None:
        self.done = False
        self.stray: list[bytes] = []
        self._take = take
        self._over = over
        self._mould = mould or Mould(lambda _payload: None, lambda _text: None)
        self._pieces: list[bytes] = []
        self._data: list[bytes] = []
        self._after_cr = False
        self._failed_event = False
        self._first = True
        self._usual = b""
        self._junk = b""
        self._told = False

    def feed(self, chunk: bytes) -> None:
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk.startswith(b"\n"):
                chunk = chunk[1:]
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self._first or self._pieces or self._data or self._failed_event:
            whole = chunk.find(b"\n\n") + 2  # first what belongs to the event begun before
            self._feed_lines(chunk[:whole] if whole > 1 else chunk)
            chunk = chunk[whole:] if whole > 1 else b""
        whole = chunk.rfind(b"\n\n") + 2
        if whole > 1:
            self._events(chunk[: whole - 2].split(b"\n\n"))
            chunk = chunk[whole:]
        if chunk:
            self._feed_lines(chunk)

    def _feed_lines(self, chunk: bytes) -> None:
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            self._pieces.append(chunk)
            return
        if self._pieces:
            self._pieces.append(lines[0])
            lines[0] = b"".join(self._pieces)
            self._pieces.clear()
        tail = lines.pop()
        if tail:
            self._pieces.append(tail)
        if self._first:
            self._first = False
            lines[0] = lines[0].removeprefix(BOM)
        self._lines(lines)

    def close(self) -> None:
        """What the last, unfinished event holds; one cut off in the middle holds nothing."""
        last = b"".join(self._pieces)
        self._pieces.clear()
        if self._first:
            last = last.removeprefix(BOM)
        self._lines([last])
        whole = b"\n".join(self._data)
        if self._failed_event or _is_json(whole) or not _may_be_json(whole):
            self._lines([b""])
        if self.stray:
            self._tell(self._stray_json())
        if self._junk and not self._told and not self.done:
            raise not_a_model_server(self._junk)

    def _tell(self, value: Payload) -> None:
        if value == "[DONE]":
            self._finished()
        else:
            self._told = True
            self._take(value)

    def _finished(self) -> None:
        self.done = True
        if self._over is not None:
            self._over()

    def _events(self, events: list[bytes]) -> None:
        """The hot path: whole events, most of them as the one before but for their text; those in a row are read at once."""
        mould, run = self._mould, list[bytes]()
        head, tail = mould.head, mould.tail
        start, stop = len(head), -len(tail)
        for event in events:
            if head and event.startswith(head) and event.endswith(tail, start):
                run.append(event[start:stop])
                continue
            if run:
                self._run(run, head, tail)
                run.clear()
            self._whole(event)
            head, tail = mould.head, mould.tail
            start, stop = len(head), -len(tail)
        if run:
            self._run(run, head, tail)

    def _run(self, run: list[bytes], head: bytes, tail: bytes) -> None:
        if not self._mould.said(run):
            for text in run:
                self._whole(head + text + tail)

    def _whole(self, event: bytes) -> None:
        """An event of one data line, perhaps after its name, or any other."""
        at = event.rfind(b"\n") + 1
        if event.startswith(b"data: ", at) and (not at or event[:at] == self._usual) and not self.stray:
            try:
                value = orjson.loads(event[at + 6 :])
            except orjson.JSONDecodeError:
                pass
            else:
                self._tell(value)
                self._mould.learn(event, value)
                return
        self._lines([*event.split(b"\n"), b""])
        if at and _says_nothing(event[:at]):
            self._usual = event[:at]

    def _lines(self, lines: list[bytes]) -> None:
        """One data line and a blank one make an event."""
        self._mould.forget()
        data = self._data
        plain = not self._failed_event and not self.stray
        for line in lines:
            if not line:
                if data:
                    self._event(data, plain)
                plain = plain or self._next_is_plain()
            elif line.startswith(b"data:"):
                data.append(line[6:] if line.startswith(b" ", 5) else line[5:])
            elif not line.startswith(NOTHING):
                plain = self._other(line)  # `event: error` and all that is rare

    def _event(self, data: list[bytes], plain: bool) -> None:
        if plain and len(data) == 1:
            try:
                value = orjson.loads(data[0])
            except orjson.JSONDecodeError:
                self._slow(data)
            else:
                self._tell(value)
        else:
            self._slow(data)
        data.clear()

    def _next_is_plain(self) -> bool:
        self._failed_event = False
        return not self.stray

    def _other(self, line: bytes) -> bool:
        """`data` without a colon is an empty line; `error:` is one server's word for an error event; the rest is no SSE.

        Gives whether the event may still be read the fast way.
        """
        if line.startswith(b"event:"):
            self._failed_event = line[6:].strip().lower() in (b"error", b"exception")
        elif line.lstrip().startswith(b"data:"):
            self._data.append(line.lstrip()[5:].strip())
        elif line == b"data":
            self._data.append(b"")
        elif line.startswith(b"error:"):
            self._data.append(line[6:].strip())
            self._failed_event = True
        elif self.stray or line.lstrip()[:1] in (b"{", b"["):
            self.stray.append(line)
        elif not self._junk:
            self._junk = line.strip()
        return not self._failed_event and not self.stray

    def _slow(self, data: list[bytes]) -> None:
        whole = b"\n".join(data).strip()
        while whole.startswith(b"data:"):  # a gateway that frames what is framed
            whole = whole[5:].strip()
            data = [whole]
        if whole.upper() == b"[DONE]":
            self._finished()
        elif self._failed_event:
            self._tell(as_error(whole))
        elif whole:
            for payload in self._payloads(whole, data):
                self._tell(payload)

    def _payloads(self, whole: bytes, data: list[bytes]) -> list[Payload]:
        """Some servers leave out the blank line: each data line is then an event of its own."""
        try:
            return [parse(whole)]
        except ValueError:
            pass
        lines = [line for line in data if line.strip() not in (b"", b"[DONE]")]
        self.done = self.done or len(lines) < len(data)
        try:
            return [parse(line) for line in lines]
        except ValueError:
            if whole.startswith(b"<"):
                raise failure("network", "pageInside", shorten(whole), holes={}, retryable=True) from None
            if not _may_be_json(whole):
                return []  # words, no payload: a keep-alive of some gateways
            raise failure("protocol", "badEvent", shorten(whole), holes={}) from None

    def _stray_json(self) -> Payload:
        text = b"\n".join(self.stray)
        try:
            return parse(text)
        except ValueError:
            raise failure("protocol", "noEvent", shorten(text), holes={}) from None


def _may_be_json(data: bytes) -> bool:
    return data.lstrip()[:1] in (b"{", b"[")


def _is_json(data: bytes) -> bool:
    try:
        parse(data)
    except ValueError:
        return False
    return True


def _says_nothing(lines: bytes) -> bool:
    return all(line.startswith(NOTHING) for line in lines[:-1].split(b"\n"))


class JsonReader:
    """JSON documents: one a line (NDJSON), or one over many lines, read when the body ends."""

    def __init__(self, take: Take) -> None:
        self.done = False
        self._take = take
        self._pieces: list[bytes] = []
        self._whole: list[bytes] | None = None
        self.told = False
        self._first = True

    def feed(self, chunk: bytes) -> None:
        lines = chunk.split(b"\n")
        if len(lines) == 1:
            self._pieces.append(chunk)
            return
        self._pieces.append(lines[0])
        lines[0] = b"".join(self._pieces)
        self._pieces = [tail] if (tail := lines.pop()) else []
        for line in lines:
            self._line(line)

    def close(self) -> None:
        self._line(b"".join(self._pieces))
        self._pieces.clear()
        if self._whole is None:
            return
        text = b"\n".join(self._whole)
        values = documents(text)
        if not values and not self.told:
            raise failure("protocol", "badJson", shorten(text), holes={}) from None
        for value in values:
            self.told = True
            self._take(value)

    def _line(self, line: bytes) -> None:
        if self._first:
            line = line.removeprefix(BOM)
        if not line.strip():
            return
        self._first = False
        if self._whole is not None:
            self._whole.append(line)
            return
        try:
            value = parse(line)
        except ValueError:
            self._whole = [line]
        else:
            self.told = True
            self._take(value)


class BodyReader:
    """Looks at the first byte of a body and hands it to the reader that fits. `feed` and `close` as in SseReader."""

    feed: Callable[[bytes], None]

    def __init__(self, take: Take, mould: Mould | None = None, over: Over | None = None) -> None:
        self._take = take
        self._reader: SseReader | JsonReader = SseReader(take, mould, over)
        self._start = b""
        self.feed = self._sniff

    @property
    def done(self) -> bool:
        return self._reader.done

    @property
    def foreign(self) -> bool:
        """Whole JSON came, and no stream."""
        return isinstance(self._reader, JsonReader) and self._reader.told

    def close(self) -> None:
        if self._start:
            self._reader.feed(self._start)
        self._start = b""
        self._reader.close()

    def _sniff(self, chunk: bytes) -> None:
        self._start += chunk
        first = self._start.removeprefix(BOM).lstrip()[:1]
        if not first or BOM.startswith(self._start[:3]):
            return
        if first == b"<":
            raise not_a_model_server(self._start)
        if first in (b"{", b"["):
            self._reader = JsonReader(self._take)
        self.feed = self._reader.feed
        start, self._start = self._start, b""
        self._reader.feed(start)


def as_error(data: bytes) -> Payload:
    """The content of an error event as an object with an `error` key."""
    try:
        value = parse(data)
    except ValueError:
        return {"error": {"message": data.decode("utf-8", errors="replace")}}
    return value if is_object(value) and ("error" in value or value.get("type") == "error") else {"error": value}


def not_a_model_server(body: bytes) -> ProviderError:
    page = body.lstrip().removeprefix(BOM).startswith(b"<")
    return failure("protocol", "webPage" if page else "plainWords", shorten(body), holes={})


def shorten(data: bytes, limit: int = 2000) -> str:
    text = data.decode("utf-8", errors="replace")
    return text if len(text) <= limit else text[:limit] + "…"
