"""The one WebSocket: hello, commands in, frames out."""

import asyncio
import contextlib
import functools
import hmac
import importlib
import json
import logging
import re
import threading
import time
from typing import Any, cast

import orjson
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.chat.leochat import LeoChat
from app.chat.recognised import recognised
from app.chat.refused import Refused
from app.chat.said import Said
from app.chat.windows import Window
from app.core.tidy import clean, tidy
from app.store import StoreError
from app.web.frames import Hello
from app.web.outbox import FLUSH_SECONDS, Outbox, encode_reply

HELLO_SECONDS = 5.0
DRAWING_SECONDS = 0.25
"""How long MCP servers that start leave the processor to a page that has its first answers."""
NOT_WELCOME = 4401
LATE = "late"
"""The reason beside `NOT_WELCOME` where no hello came in time: the page was busy and may try again."""
_ID = re.compile(r'\s*\{\s*(?:"type"\s*:\s*"\w*"\s*,\s*)?"id"\s*:\s*"([^"\\]{1,100})"')
log = logging.getLogger("leochat.web")


@functools.cache
def _hello() -> TypeAdapter[Hello]:
    return TypeAdapter(Hello)


@functools.cache
def load_commands() -> threading.Thread:
    """Load the commands in a thread while the page that will send some is still loading itself."""
    loading = threading.Thread(target=importlib.import_module, args=("app.web.commands",), name="commands", daemon=True)
    loading.start()
    return loading


class Page(Window):
    """A page at the other end of a socket."""

    def __init__(self) -> None:
        super().__init__()
        self.outbox = Outbox()

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        self.outbox.tell(conversation_id, event, seq)

    def start_afresh(self) -> None:
        """Tell those conversations whole whose frames were given up."""
        behind, self.outbox.behind = self.outbox.behind, set()
        for conversation_id in behind:
            if session := self.watched(conversation_id):
                session.attach(self, None)


async def serve_socket(socket: WebSocket, leo: LeoChat, token: str) -> None:
    """One page's whole visit."""
    hello = await _welcomed(socket, token)
    if hello is None:
        return
    page = Page()
    leo.hear_languages(hello.languages or [])
    leo.windows.add(page)
    leo.greet(page)
    writer = asyncio.create_task(_write(socket, page))
    running: set[asyncio.Task[None]] = set()
    drawing = False

    def answered(task: asyncio.Task[None]) -> None:
        nonlocal drawing
        running.discard(task)
        if not (running or drawing):  # the page has what it asked for first, and now has to draw it
            drawing = True
            asyncio.get_running_loop().call_later(DRAWING_SECONDS, leo.host.hurry)

    try:
        await _resume(leo, page, hello)
        while True:
            text = await socket.receive_text()
            task = asyncio.create_task(_handle(leo, page, text))
            running.add(task)
            task.add_done_callback(answered)
    except (WebSocketDisconnect, KeyError):
        pass  # the page went away, or sent bytes where text is spoken
    finally:
        writer.cancel()
        leo.windows.remove(page)


async def _welcomed(socket: WebSocket, token: str) -> Hello | None:
    """The page's hello; None for one that was sent away, or went by itself before it said any."""
    with contextlib.suppress(WebSocketDisconnect):
        await socket.accept()
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                if hello := await _greeted(socket, token):
                    return hello
        except TimeoutError:
            await socket.close(NOT_WELCOME, LATE)
            return None
        await socket.close(NOT_WELCOME)
    return None


async def _greeted(socket: WebSocket, token: str) -> Hello | None:
    try:
        hello = _hello().validate_json(await socket.receive_text())
    except (ValidationError, KeyError, WebSocketDisconnect):
        return None
    return hello if hmac.compare_digest(hello.token.encode(), token.encode()) else None


async def _resume(leo: LeoChat, page: Page, hello: Hello) -> None:
    for conversation_id, seq in (hello.resume or {}).items():
        try:
            page.watch(await leo.library.session(conversation_id), seq)
        except Refused as refused:
            log.info("nothing to resume in %s: %s", conversation_id, refused.message)


async def _write(socket: WebSocket, page: Page) -> None:
    """Send what is queued: at once if the last flush is 8 ms ago, else at the 8 ms mark."""
    last = 0.0
    try:
        while True:
            await page.outbox.wait()
            early = FLUSH_SECONDS - (time.monotonic() - last)
            if early > 0:
                await asyncio.sleep(early)
            last = time.monotonic()
            for frame in page.outbox.take():
                await socket.send({"type": "websocket.send", "text": frame.decode()})
            page.start_afresh()
    except (WebSocketDisconnect, RuntimeError, OSError) as error:
        log.debug("a page is gone: %s", error)


async def _handle(leo: LeoChat, page: Page, text: str) -> None:
    """Run one command and queue its reply; whatever happens, there is one."""
    from app.web.commands import read_command

    reply_to, reply = "", dict[str, Any]()
    try:
        reply_to, raw = _asked(text)
        if isinstance(raw, ValueError):
            raise raw
        reply = {"ok": True, "data": await read_command(raw).run(leo, page)}
        frame = encode_reply({"reply_to": reply_to, **reply})
    except Refused as refused:
        frame = _refusal(reply_to, refused.kind, refused.message)
    except StoreError as error:
        frame = _refusal(reply_to, error.kind, error.message)
    except (ValidationError, orjson.JSONDecodeError) as error:
        frame = _refusal(reply_to, "invalid", _first(error))
    except Exception as error:
        log.exception("a command failed")
        frame = _refusal(reply_to, "internal", f"LeoChat could not do this: {type(error).__name__}: {error}")
    page.outbox.put(frame)


def _asked(text: str) -> tuple[str, Any]:
    """A frame's id and what it holds, without lone surrogates; the error in its place where it is no JSON."""
    try:
        raw: Any = orjson.loads(text)
        return _id_of(raw), raw
    except orjson.JSONDecodeError as error:
        refused = error
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        found = _ID.match(text)
        return found[1] if found else "", refused
    try:
        return _id_of(raw), orjson.loads(json.dumps(tidy(raw)))
    except ValueError:  # NaN and its like, nested without end
        return _id_of(raw), refused


def _id_of(raw: object) -> str:
    return clean(str(cast("dict[str, Any]", raw).get("id", ""))) if isinstance(raw, dict) else ""


def _refusal(reply_to: str, kind: str, message: str) -> bytes:
    message = clean(message)
    error = {"kind": kind, "message": message, "said": recognised(message)}
    return encode_reply({"reply_to": reply_to, "ok": False, "error": error})


def _first(error: ValidationError | orjson.JSONDecodeError) -> str:
    if not isinstance(error, ValidationError):
        return f"This is not JSON: {error}"
    first = error.errors()[0]
    return f"{'.'.join(str(p) for p in first['loc']) or 'command'}: {first['msg']}"
