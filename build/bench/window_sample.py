"""PARTY RATE COUNT: reads what a server tells over its socket; prints its processor time, latencies and frames as JSON.

Microseconds a delta of the server's processor time, milliseconds of the latency of all deltas (p50, p99), frames a second.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

SERVER = Path(__file__).with_name("window_server.py")


async def read(address: str, origin: str, key: str, conversation: str, count: int) -> tuple[list[float], float]:
    """The latencies in milliseconds, and frames a second."""
    took: list[float] = []
    frames = 0
    async with connect(address, origin=origin, compression=None, max_size=None) as socket:  # type: ignore[arg-type]
        if key == "-":
            await socket.send("hello")
        else:
            await socket.send(json.dumps({"type": "hello", "token": key}))
            await socket.send(json.dumps({"type": "open", "id": "1", "conversation_id": conversation}))
        began = 0.0
        async with asyncio.timeout(120):
            while len(took) < count:
                text = await socket.recv()
                now = time.time_ns()
                event: dict[str, Any] = json.loads(text).get("event") or {}
                if event.get("type") != "block_delta":
                    continue
                began = began or time.perf_counter()
                frames += 1
                took += [(now - int(told)) / 1e6 for told in event["text"].split()]
        return took, frames / (time.perf_counter() - began)


def main(party: str, rate: str, count: str) -> None:
    command = [sys.executable, str(SERVER), party, rate, count]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout is not None
        address, origin, *rest = server.stdout.readline().split()
        key, conversation = (*rest, "")[:2]
        took, frames = asyncio.run(read(address, origin, key, conversation, int(count)))
        used = json.loads(server.stdout.readline())["used"]
    p50, p99 = statistics.median(took), statistics.quantiles(took, n=100)[98]
    print(json.dumps({"cost": used / int(count) * 1e6, "p50": p50, "p99": p99, "frames": frames}))


if __name__ == "__main__":
    main(*sys.argv[1:4])
