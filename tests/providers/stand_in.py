"""A stand-in for a model server over real HTTP, in a thread of its own: each request is answered by a script."""

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Reply:
    """`pieces` are sent one HTTP chunk each; `cut` closes the connection without an end; `hold` is waited for after the pieces."""

    pieces: Iterable[bytes] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict[str, str])
    cut: bool = False
    hold: threading.Event | None = None


Script = Callable[[Asked], Reply]


class StandIn:
    """Serves on a free loopback port while used as a context; `asked` are the requests so far."""

    def __init__(self, script: Script | list[Reply]) -> None:
        replies = list(script) if isinstance(script, list) else []
        self.script: Script = (
            (lambda asked: replies[min(len(self.asked), len(replies)) - 1]) if isinstance(script, list) else script
        )
        self.asked: list[Asked] = []
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None: ...

            def do_GET(self) -> None:
                self._answer()

            def do_POST(self) -> None:
                self._answer()

            def do_CONNECT(self) -> None:
                self._answer()

            def _answer(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = Asked(
                    self.command,
                    self.path,
                    {k.lower(): v for k, v in self.headers.items()} | {"x-peer": str(self.client_address[1])},
                    json.loads(raw) if raw else None,
                )
                stand_in.asked.append(asked)
                reply = stand_in.script(asked)
                try:
                    self._send(reply)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def _send(self, reply: Reply) -> None:
                self.send_response(reply.status)
                for name, value in ({"Content-Type": "text/event-stream"} | reply.headers).items():
                    self.send_header(name, value)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in reply.pieces:
                    if piece:
                        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                        self.wfile.flush()
                if reply.hold:
                    reply.hold.wait(20)
                if reply.cut:
                    self.close_connection = True
                else:
                    self.wfile.write(b"0\r\n\r\n")

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "StandIn":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def sse(*payloads: Any) -> list[bytes]:
    return [b"data: " + (p.encode() if isinstance(p, str) else json.dumps(p).encode()) + b"\n\n" for p in payloads]
