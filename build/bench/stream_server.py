"""Answers `POST /DELTAS/RATE/…` with a stream of that many text deltas, each event one HTTP chunk; prints its port."""

import functools
import json
import socket
import threading
import time
from typing import Any

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"


def word(index: int) -> str:
    return f" word{index % 10}"


def chat_events(deltas: int) -> list[bytes]:
    """As OpenAI sends them (recorded shape)."""
    chunk: dict[str, Any] = {
        "id": "chatcmpl-ASYMaNc7XmbGRUNREnmvhyyISBHsv",
        "object": "chat.completion.chunk",
        "created": 1731368640,
        "model": "gpt-4o-mini-2024-07-18",
        "system_fingerprint": "fp_0ba0d124f1",
        "choices": [],
        "usage": None,
    }

    def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return b"data: " + json.dumps(chunk | {"choices": [choice]}, separators=(",", ":")).encode() + b"\n\n"

    return [
        event({"role": "assistant", "content": "", "refusal": None}),
        *(event({"content": word(i)}) for i in range(deltas)),
        event({}, "stop"),
        b"data: [DONE]\n\n",
    ]


def anthropic_events(deltas: int) -> list[bytes]:
    """As Anthropic sends them (recorded shape)."""
    usage = {"input_tokens": 10, "output_tokens": 1}
    message: dict[str, Any] = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }

    def event(kind: str, **more: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **more}, separators=(',', ':'))}\n\n".encode()

    return [
        event("message_start", message=message),
        event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        *(event("content_block_delta", index=0, delta={"type": "text_delta", "text": word(i)}) for i in range(deltas)),
        event("content_block_stop", index=0),
        event("message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None}, usage={"output_tokens": deltas}),
        event("message_stop"),
    ]


@functools.lru_cache(8)
def chunks(protocol: str, deltas: int) -> list[bytes]:
    events = (anthropic_events if protocol == "anthropic" else chat_events)(deltas)
    return [*(b"%x\r\n%b\r\n" % (len(e), e) for e in events), b"0\r\n\r\n"]


def answer(connection: socket.socket) -> None:
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        path = _path(connection)
        deltas, rate = (int(part) for part in path.split("/")[1:3])
        pieces = chunks("anthropic" if path.endswith("/messages") else "openai-chat", deltas)
        connection.sendall(HEAD)
        if not rate:
            connection.sendall(b"".join(pieces))
            return
        began = time.perf_counter()
        for count, piece in enumerate(pieces):
            time.sleep(max(0.0, began + count / rate - time.perf_counter()))
            connection.sendall(piece)


def _path(connection: socket.socket) -> str:
    """The request's path, once all of it is read."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65_536)
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < lengths[0]:
        body += connection.recv(65_536)
    return head.split(b" ")[1].decode("ascii")


def main() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        while True:
            threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()


if __name__ == "__main__":
    main()
