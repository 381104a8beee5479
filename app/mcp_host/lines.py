"""Newline-delimited messages from a server that may send anything: bounded, forgiving, never stuck."""

import gc
import json
import math
import re
import threading
from dataclasses import dataclass, replace
from typing import Any, cast

import orjson
from mcp_types import (
    INTERNAL_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

LINE_LIMIT = 16 * 1024 * 1024
# Parsing holds up everything else, 0.1 to 0.3 us a value: more than these are refused.
VALUES_LIMIT = 250_000
LARGE = 64 * 1024
GLUED_LIMIT = 100
# A notification over this is not read: nothing waits for it.
NOTIFICATION_LIMIT = 1024 * 1024
_EDGE = 4096
_NOTIFIES = re.compile(rb'\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"\s*:\s*"notifications/')
_ID = re.compile(rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{1,200}")')


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line over the limit: its first and last bytes, which may name the request it answers."""

    head: bytes
    tail: bytes
    size: int


class LineSplitter:
    """Cuts bytes into lines in linear time; of a line that is too long only the ends are kept."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._head: bytes | None = None

    def feed(self, data: bytes) -> list[bytes | TooLong]:
        """The lines that end in `data`. A line is reported as too long at once, and only once."""
        out: list[bytes | TooLong] = []
        first, *rest = data.split(b"\n")
        self._add(first, out)
        for piece in rest:
            self._end(out)
            self._add(piece, out)
        return out

    def unfinished(self, size: int) -> bytes | None:
        """The line that has not ended yet, taken out, if it has just `size` bytes and begins as a message does."""
        if self._head is not None or not self._parts or self._size != size or self._parts[0][:1] not in (b"{", b"["):
            return None
        whole = b"".join(self._parts)
        self._parts, self._size = [], 0
        return whole

    def _add(self, piece: bytes, out: list[bytes | TooLong]) -> None:
        self._size += len(piece)
        if self._head is not None:
            self._parts = [b"".join((*self._parts, piece))[-_EDGE:]]
            return
        if piece:
            self._parts.append(piece)
        if self._size > self._limit:
            self._head = b"".join(self._parts[:64])[:_EDGE]
            self._parts = [b"".join(self._parts[-64:])[-_EDGE:]]
            out.append(TooLong(self._head, b"", self._size))

    def _end(self, out: list[bytes | TooLong]) -> None:
        if self._head is not None:
            out.append(TooLong(b"", b"".join(self._parts), self._size))
        elif self._size:
            out.append(b"".join(self._parts))
        self._parts, self._size, self._head = [], 0, None


@dataclass(frozen=True, slots=True)
class Read:
    """What a line meant: messages for the session, and words for the log if it was not clean.

    `refused`: why a message that could have been an answer was not read, and names no request.
    """

    messages: tuple[JSONRPCMessage, ...] = ()
    note: str = ""
    refused: str = ""


def read_line(line: bytes) -> Read:
    """Parse one line; what cannot be parsed but names a request becomes that request's error."""
    line = _bare(line)
    if not line:
        return Read()
    if line[:1] not in (b"{", b"["):
        return _behind_words(line)
    if len(line) > NOTIFICATION_LIMIT and _NOTIFIES.match(line[:200]):
        return Read(note=f"left out: a notification of {len(line):,} bytes: {_excerpt(line)}")
    if _values(line) > VALUES_LIMIT:
        return _refused(line, f"the message holds over {VALUES_LIMIT} values")
    if len(line) > LARGE and (answer := _large_answer(line)) is not None:
        return Read((answer,))
    if line[:1] == b"{":
        try:
            return Read((jsonrpc_message_adapter.validate_json(line, by_name=False),))
        except ValidationError:
            pass
    return _read_forgiving(line)


def _large_answer(line: bytes) -> JSONRPCResponse | None:
    """A large answer by the fastest parser, checked by hand: trying the four kinds of message on it
    would hold up everybody several times as long. None where it is anything else."""
    try:
        raw: Any = _parsed(line)
    except ValueError:
        return None
    if not isinstance(raw, dict):
        return None
    fields = cast("dict[str, Any]", raw)
    answered, result = fields.get("id"), fields.get("result")
    whole = fields.get("jsonrpc") == "2.0" and isinstance(result, dict)
    if not whole or "method" in fields or type(answered) not in (int, str):
        return None
    return JSONRPCResponse.model_construct(jsonrpc="2.0", id=answered, result=result)


def too_long(line: TooLong) -> Read:
    """The error for the request that an over-long line would have answered."""
    return _refused(line.head or line.tail, f"the message is over {LINE_LIMIT // 1024 // 1024} MiB")


_collecting = threading.Lock()


def _parsed(line: bytes) -> Any:
    """The garbage collector would look through the half-built values again and again: not meanwhile."""
    with _collecting:
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return orjson.loads(line)
        finally:
            if was_enabled:
                gc.enable()


def _values(line: bytes) -> int:
    """About how many values a line holds; commas and brackets inside strings are not counted.

    In small steps, so that other threads get their turn meanwhile.
    """
    if line.count(b",") + line.count(b"[") + line.count(b"{") <= VALUES_LIMIT:
        return 0
    total, at = 0, 0
    while total <= VALUES_LIMIT:
        quote = line.find(b'"', at)
        end = len(line) if quote < 0 else quote
        total += line.count(b",", at, end) + line.count(b"[", at, end) + line.count(b"{", at, end)
        if quote < 0:
            break
        at = _end_of_string(line, quote + 1)
    return total


def _end_of_string(line: bytes, at: int) -> int:
    """The place after the quote that ends the string which begins at `at`."""
    while (quote := line.find(b'"', at)) >= 0:
        back = quote
        while line[back - 1] == 0x5C:
            back -= 1
        if (quote - back) % 2 == 0:
            return quote + 1
        at = quote + 1
    return len(line)


def _bare(line: bytes) -> bytes:
    """Without what programs put around lines: marks of an encoding, the zeros of two-byte characters."""
    if b"\0" in line:
        line = line.replace(b"\0", b"").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return line.strip().removeprefix(b"\xef\xbb\xbf")


def _behind_words(line: bytes) -> Read:
    """An answer on a line that begins with something else, as when a program says what it does without ending the line."""
    start = line.find(b"{", 0, _EDGE)
    if start < 0 or b'"jsonrpc"' not in line[start : start + _EDGE]:
        return Read(note=_excerpt(line))
    found = read_line(line[start:])
    # Only an answer: a program may as well print what it was asked.
    answers = tuple(m for m in found.messages if isinstance(m, JSONRPCResponse | JSONRPCError))
    return Read(answers, _excerpt(line))


def _read_forgiving(line: bytes) -> Read:
    """Bad UTF-8, lone surrogates, huge integers, batches and lines of several messages, by the slower parser."""
    try:
        clean: Any = _clean(_values_in(line.decode("utf-8", "replace")))
    except RecursionError:
        return _refused(line, "the message is nested too deeply")
    except ValueError:
        return replace(_refused(line, "the message is not valid JSON"), refused="")
    entries = cast("list[Any]", clean) if isinstance(clean, list) else [clean]
    messages: list[JSONRPCMessage] = []
    for entry in entries[:1000]:
        try:
            messages.append(jsonrpc_message_adapter.validate_python(_meant(entry), by_name=False))
        except ValidationError:
            return Read((*messages, *_refused(line, "the message is not JSON-RPC").messages), _excerpt(line))
    return Read(tuple(messages), "a message was not clean JSON and was repaired")


def _values_in(text: str) -> Any:
    """The value of a line, or all of them where several stand on it, or words behind one. Raises `ValueError`."""
    decoder = json.JSONDecoder(parse_int=_whole, parse_float=_real)
    first, at = decoder.raw_decode(text)
    if at == len(text):
        return first
    values = [first]
    while (rest := text[at:].lstrip())[:1] == "{" and len(values) < GLUED_LIMIT:
        text, (value, at) = rest, decoder.raw_decode(rest)
        values.append(value)
    if not isinstance(first, dict):
        raise ValueError("more than JSON on the line")
    return values


def _meant(entry: Any) -> Any:
    """A message with what careless servers leave out or write otherwise: the version, a whole number, an error's parts."""
    if not isinstance(entry, dict):
        return entry
    fields = dict(cast("dict[str, Any]", entry))
    if fields.keys() & {"result", "error", "method"}:
        fields.setdefault("jsonrpc", "2.0")
    if isinstance(answered := fields.get("id"), float) and answered.is_integer():
        fields["id"] = int(answered)
    if fields.get("error") is not None and "method" not in fields and "result" not in fields:
        fields["error"] = _meant_error(fields["error"])
        fields.setdefault("id", None)
    return fields


def _meant_error(error: Any) -> dict[str, Any]:
    fields: dict[str, Any] = dict(cast("dict[str, Any]", error)) if isinstance(error, dict) else {"message": error}
    code: Any = fields.get("code")
    message: Any = fields.get("message")
    if not isinstance(code, int):
        fields["code"] = INTERNAL_ERROR
    if not isinstance(message, str):
        told = cast("Any", error) if message is None else message
        fields["message"] = json.dumps(told, ensure_ascii=False, default=str)[:_EDGE]
    return fields


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= 300 else text


def _real(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else text


def _clean(value: Any) -> Any:
    """The value with lone surrogates replaced, which no UTF-8 can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
    if isinstance(value, list):
        return [_clean(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_clean(k): _clean(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def _refused(line: bytes, why: str) -> Read:
    """An error for the request the line answers, if it says which; never for one the server asks."""
    found = _ID.findall(line[:_EDGE]) or _ID.findall(line[-_EDGE:])
    note = f"refused: {why}: {_excerpt(line)}"
    if b'"method"' in line[:_EDGE]:
        return Read(note=note)
    if len(set(found)) != 1 or b'"jsonrpc"' not in line:
        return Read(note=note, refused=why)
    return Read((refusal(json.loads(found[0]), why),), note)


def refusal(answered: int | str, why: str) -> JSONRPCError:
    """The error a request gets in place of its refused answer."""
    error = ErrorData(code=INTERNAL_ERROR, message=f"The server's answer was refused: {why}.")
    return JSONRPCError(jsonrpc="2.0", id=answered, error=error)


def _excerpt(line: bytes) -> str:
    text = line[:300].decode("utf-8", "replace")
    return text if len(line) <= 300 else f"{text}… ({len(line)} bytes)"


def write_line(message: JSONRPCMessage) -> bytes:
    """One message as its line; lone surrogates in it are replaced."""
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:
        dumped = message.model_dump(by_alias=True, exclude_unset=True)
        text = json.dumps(_clean(dumped), default=str, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"
