"""One sample in a process of its own: PARTY PROTOCOL PORT DELTAS RATE; prints its CPU time a delta and its growth as JSON.

A first, short stream loads what is loaded late; then the clock runs from the request to the end of the stream, and what was
read is checked. Runs in the project's environment or in the peers'.
"""

import asyncio
import importlib
import json
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
WARM_UP = 300
Reader = Callable[[str], Awaitable[str]]
"""Asks the base URL and gives the text that came."""


def loaded(name: str) -> Any:
    """A module that is in one of the two environments only."""
    return importlib.import_module(name)


def growth() -> int:
    """The greatest size so far of this process, in bytes; 0 where the system does not say (Windows)."""
    try:
        resource = loaded("resource")
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def request_path(protocol: str) -> str:
    return "/v1/messages" if protocol == "anthropic" else "/v1/chat/completions"


def text_of(protocol: str, value: Any) -> str:
    if protocol == "anthropic":
        return value["delta"].get("text", "") if value["type"] == "content_block_delta" else ""
    return value["choices"][0]["delta"].get("content") or ""


def floor(protocol: str) -> Reader:
    """The least there is: a socket, a split, a fast parse. Its text is not even looked at: events are counted."""
    loads = loaded("orjson").loads

    async def read(base: str) -> str:
        _, _, rest = base.partition("://")
        host, _, path = rest.partition("/")
        with socket.create_connection(("127.0.0.1", int(host.partition(":")[2]))) as connection:
            connection.sendall(f"POST /{path}{request_path(protocol)} HTTP/1.1\r\nContent-Length: 0\r\n\r\n".encode())
            count, left = 0, b""
            while data := connection.recv(65_536):
                parts = (left + data).split(b"\n\n")
                left = parts.pop()
                for part in parts:
                    at = part.find(b"data: ") + 6
                    if part.startswith(b"{", at):
                        loads(part[at:])
                        count += 1
        return expected(count - (5 if protocol == "anthropic" else 2))

    return read


def httpx(protocol: str) -> Reader:
    client, loads = loaded("httpx").AsyncClient(), loaded("orjson").loads

    async def read(base: str) -> str:
        parts: list[str] = []
        async with client.stream("POST", base + request_path(protocol), json={}) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    parts.append(text_of(protocol, loads(line[6:])))  # noqa: PERF401
        return "".join(parts)

    return read


def httpx_sse(protocol: str) -> Reader:
    client, loads, connect = loaded("httpx").AsyncClient(), loaded("orjson").loads, loaded("httpx_sse").aconnect_sse

    async def read(base: str) -> str:
        parts: list[str] = []
        async with connect(client, "POST", base + request_path(protocol), json={}) as source:
            async for event in source.aiter_sse():
                if event.data.startswith("{"):
                    parts.append(text_of(protocol, loads(event.data)))  # noqa: PERF401
        return "".join(parts)

    return read


QUESTION = [{"role": "user", "content": "Go on."}]


def openai(_protocol: str) -> Reader:
    kind = loaded("openai").AsyncOpenAI

    async def read(base: str) -> str:
        client, parts = kind(base_url=f"{base}/v1", api_key="none"), list[str]()
        stream = await client.chat.completions.create(model="m", messages=QUESTION, stream=True)
        async for chunk in stream:
            parts.append(chunk.choices[0].delta.content or "")
        return "".join(parts)

    return read


def anthropic(_protocol: str) -> Reader:
    kind = loaded("anthropic").AsyncAnthropic

    async def read(base: str) -> str:
        client, parts = kind(base_url=base, api_key="none"), list[str]()
        stream = await client.messages.create(model="m", messages=QUESTION, max_tokens=64, stream=True)
        async for event in stream:
            if event.type == "content_block_delta":
                parts.append(event.delta.text)
        return "".join(parts)

    return read


def ours(protocol: str) -> Reader:
    from app.core.events import BlockDelta
    from app.core.messages import Message, TextBlock
    from app.core.provider import Request
    from app.providers.connect import connect

    question = Message(id="m", role="user", blocks=(TextBlock(text="Go on."),))

    async def read(base: str) -> str:
        provider = connect(protocol, base_url=base if protocol == "anthropic" else f"{base}/v1", api_key="none")
        parts: list[str] = []
        async for event in provider.stream(Request(model="m", messages=(question,))):
            if isinstance(event, BlockDelta):
                parts.append(event.text)  # noqa: PERF401
        await provider.aclose()
        return "".join(parts)

    return read


PARTIES: dict[str, Callable[[str], Reader]] = {
    "floor": floor,
    "httpx": httpx,
    "httpx-sse": httpx_sse,
    "openai": openai,
    "anthropic": anthropic,
    "ours": ours,
}


def expected(deltas: int) -> str:
    return "".join(f" word{i % 10}" for i in range(deltas))


async def sample(party: str, protocol: str, port: str, deltas: int, rate: int) -> None:
    read = PARTIES[party](protocol)
    await read(f"http://127.0.0.1:{port}/{WARM_UP}/0")
    size, began = growth(), time.process_time()
    text = await read(f"http://127.0.0.1:{port}/{deltas}/{rate}")
    spent, grown = time.process_time() - began, growth() - size
    if text != expected(deltas):
        sys.exit(f"{party} read {len(text)} characters, not those that were sent")
    print(json.dumps({"microseconds": spent / deltas * 1e6, "kilobytes": grown / 1024}))


if __name__ == "__main__":
    who, what, where, how_many, how_fast = sys.argv[1:]
    asyncio.run(sample(who, what, where, int(how_many), int(how_fast)))
