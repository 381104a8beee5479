"""A stand-in for a model server over real HTTP, in a thread of its own: each request is answered by a script."""

import json
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    """`pieces` go out one HTTP chunk each, then `hold` is waited for; `cut` closes the connection without an end."""

    pieces: Iterable[bytes] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False
    hold: threading.Event | None = None


Script = Callable[[Asked], Reply]


class Server(ThreadingHTTPServer):
    """A client that leaves in the middle is what is tested, and no news."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class StandIn:
    """Serves on a free loopback port while used as a context; `asked` are the requests so far.

    A list of replies is given in order, the last one for ever.
    """

    def __init__(self, script: Script | list[Reply]) -> None:
        self.asked: list[Asked] = []
        self._script: Script = script if callable(script) else self._in_order(script)
        self._server = Server(("127.0.0.1", 0), handler(self))

    def _in_order(self, replies: list[Reply]) -> Script:
        def script(asked: Asked) -> Reply:
            return replies[min(len(self.asked), len(replies)) - 1]

        return script

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        return self._script(asked)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def handler(stand_in: StandIn) -> type[BaseHTTPRequestHandler]:
    class Bound(Handler):
        answer = staticmethod(stand_in.answer)

    return Bound


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answer: Script

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the library's own name

    def do_GET(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {k.lower(): v for k, v in self.headers.items()} | {"x-peer": str(self.client_address[1])}
        reply = self.answer(Asked(self.command, self.path, headers, json.loads(raw) if raw else None))
        try:
            self._head(reply)
            self._body(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_POST(self) -> None:
        self.do_GET()

    def do_CONNECT(self) -> None:
        self.do_GET()

    def _head(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in ({"Content-Type": "text/event-stream"} | reply.headers).items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _body(self, reply: Reply) -> None:
        for piece in filter(None, reply.pieces):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        if reply.hold:
            reply.hold.wait(20)
        if reply.cut:
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


def sse(*payloads: Any) -> list[bytes]:
    return [b"data: " + (p.encode() if isinstance(p, str) else json.dumps(p).encode()) + b"\n\n" for p in payloads]
