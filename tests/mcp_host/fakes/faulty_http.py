"""A server over HTTP with one mode for each fault: `faulty_http.py MODE`; prints its port. Tool `bad` does the fault."""

import contextlib
import gzip
import json
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODE = sys.argv[1]
MIB = 1024 * 1024
Message = dict[str, Any]
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("good", "bad")]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's own name)
        pass

    def do_GET(self) -> None:
        self.plain(405, b"")

    def do_DELETE(self) -> None:
        self.plain(200, b"")

    def do_POST(self) -> None:
        body: Message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = body.get("method")
        if method == "initialize":
            info = {"name": "far", "version": "9"}
            result: Message = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            self.answer(body, result)
        elif method == "tools/list":
            self.answer(body, {"tools": TOOLS})
        elif method == "tools/call" and body["params"]["name"] == "bad":
            FAULTS[MODE](self, body)
        elif method == "tools/call":
            self.answer(body, said("fine"))
        elif "id" in body:
            self.plain(
                200, json.dumps({"jsonrpc": "2.0", "id": body["id"], "error": {"code": -32601, "message": "no"}}).encode()
            )
        else:
            self.plain(202, b"")

    def plain(self, status: int, data: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def answer(self, body: Message, result: Message) -> None:
        self.plain(200, json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": result}).encode())

    def stream(self, kind: str) -> None:
        """Begin an answer whose length nobody knows."""
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True


def said(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}]}


def whole(body: Message, text: str = "X") -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": said(text)}).encode()


def dies(h: Handler, body: Message) -> None:
    h.send_response(200)
    h.send_header("content-type", "application/json")
    h.send_header("content-length", "500")
    h.end_headers()
    h.wfile.write(b'{"jsonrpc"')
    h.close_connection = True


def huge(h: Handler, body: Message, mib: int, kind: str) -> None:
    h.stream(kind)
    head, tail = whole(body).split(b"X")
    lead, end = (b"event: message\ndata: ", b"\n\n") if "event" in kind else (b"", b"")
    h.wfile.write(lead + head)
    for _ in range(mib):
        h.wfile.write(b"x" * MIB)
    h.wfile.write(tail + end)


def bomb(h: Handler, body: Message) -> None:
    h.plain(200, gzip.compress(whole(body, "x" * (40 * MIB)), 1), content_encoding="gzip")


def flood(h: Handler, body: Message) -> None:
    h.stream("text/event-stream")
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "noise"}}
    event = b"event: message\ndata: " + json.dumps(note).encode() + b"\n\n"
    for _ in range(40):
        h.wfile.write(event * 100)
    h.wfile.write(b"event: message\ndata: " + whole(body, "after the flood") + b"\n\n")


def event(h: Handler, data: bytes) -> None:
    h.stream("text/event-stream")
    h.wfile.write(b"event: message\ndata: " + data + b"\n\n")


def deep(body: Message, depth: int) -> bytes:
    return whole(body).replace(b'"content"', b'"d": ' + b"[" * depth + b"]" * depth + b', "content"')


def many(body: Message) -> bytes:
    return whole(body).replace(b'"content"', b'"d": [' + b"[]," * 700_000 + b'[]], "content"')


FAULTS: dict[str, Callable[[Handler, Message], object]] = {
    "dies": dies,
    "hangs": lambda h, b: time.sleep(600),
    "rubbish": lambda h, b: h.plain(200, b"\x1b[1mWelcome!\x1b[0m {not json"),
    "page": lambda h, b: h.plain(200, b"<html>Hello</html>", "text/html"),
    "empty": lambda h, b: h.plain(200, b""),
    "bad_utf8": lambda h, b: h.plain(200, whole(b).replace(b"X", b"\xc4\xe3")),
    "surrogate": lambda h, b: h.plain(200, whole(b).replace(b'"X"', b'"a\\ud800b"')),
    "huge_int": lambda h, b: h.plain(200, whole(b).replace(b'"content"', b'"n": ' + b"9" * 5000 + b', "content"')),
    "deep": lambda h, b: h.plain(200, deep(b, 90_000)),
    "many": lambda h, b: h.plain(200, many(b)),
    "seventeen_mib": lambda h, b: huge(h, b, 17, "application/json"),
    "hundred_mib": lambda h, b: huge(h, b, 100, "application/json"),
    "hundred_mib_event": lambda h, b: huge(h, b, 100, "text/event-stream"),
    "many_event": lambda h, b: event(h, many(b)),
    "deep_event": lambda h, b: event(h, deep(b, 90_000)),
    "broken_event": lambda h, b: event(h, b"{not json"),
    "ends_early": lambda h, b: h.stream("text/event-stream"),
    "bomb": bomb,
    "floods": flood,
    "status_500": lambda h, b: h.plain(500, b"oops", "text/plain"),
    "redirects": lambda h, b: h.plain(307, b"", location="http://127.0.0.1:1/elsewhere"),
    "wrong_id": lambda h, b: h.plain(200, whole({"id": 987654})),
}

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
