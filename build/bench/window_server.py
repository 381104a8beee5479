"""PARTY floor or ours, RATE, COUNT: tells that many deltas to the one socket that connects.

Prints its address, then its processor time. Each delta's text is the moment of its telling, in nanoseconds, so that who reads
it knows how long it took. The floor writes raw frames on a transport, one a delta; ours goes the way of the app, from a
session's event to the socket.
"""

import asyncio
import base64
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Of the handshake, RFC 6455 section 1.3."""
SETTLE_SECONDS = 1.0
Tell = Callable[[str], None]


async def paced(tell: Tell, rate: int, count: int) -> float:
    """Tell at that rate; gives the processor time it took, with what it takes until the last is out."""
    began, used = time.perf_counter(), time.process_time()
    for number in range(count):
        wait = began + number / rate - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        tell(f"{time.time_ns()} ")
    await asyncio.sleep(0.1)
    return time.process_time() - used


def frame(payload: bytes) -> bytes:
    size = len(payload)
    head = bytes([0x81, size]) if size < 126 else bytes([0x81, 126]) + size.to_bytes(2)
    return head + payload


async def floor(run: Callable[[Tell], Awaitable[float]]) -> float:
    done: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        key = next(line.split(b": ", 1)[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())  # noqa: S324  what the protocol demands
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + accept
            + b"\r\n\r\n"
        )
        await reader.read(1)  # its hello

        def tell(text: str) -> None:
            event = {"type": "block_delta", "index": 0, "text": text}
            writer.write(frame(json.dumps({"conversation_id": "c", "seq": 1, "event": event}).encode()))

        done.set_result(await run(tell))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(f"ws://127.0.0.1:{port}/ws http://127.0.0.1:{port} -", flush=True)
    return await done


async def ours(run: Callable[[Tell], Awaitable[float]]) -> float:
    from app.chat.leochat import LeoChat, Run
    from app.core.events import BlockDelta, BlockStart, MessageStart
    from app.core.messages import Message, TextBlock
    from app.web.server import Server

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        os.environ["LEOCHAT_DOCUMENTS"] = name
        leo = LeoChat(Path(name) / "home", Run(servers=(), bundled=(), offline=True), environ={})
        server = Server(leo)
        await server.start()
        session = await leo.library.session((await leo.library.new()).id)
        print(f"ws://{server.host}/ws http://{server.host} {server.token} {session.id}", flush=True)
        while not (server.leo.windows and session._windows):  # noqa: ASYNC110, SLF001  # pyright: ignore[reportPrivateUsage]
            await asyncio.sleep(0.01)
        await asyncio.sleep(SETTLE_SECONDS)
        session.emit(MessageStart(Message(id="m1", role="assistant", blocks=())))
        session.emit(BlockStart(0, TextBlock(text="")))
        used = await run(lambda text: session.emit(BlockDelta(0, text)))
        await leo.close()
        await server.stop()
    return used


async def main(party: str, rate: int, count: int) -> None:
    used = await (floor if party == "floor" else ours)(lambda tell: paced(tell, rate, count))
    print(json.dumps({"used": used}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
