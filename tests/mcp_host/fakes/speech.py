"""The few words of MCP (2025-06-18) the fake servers speak, by hand and by the standard library alone."""

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any

Message = dict[str, Any]

OUT = sys.stdout.buffer


def raw(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


def say(message: Message) -> None:
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def answer(request: Message, result: Any) -> None:
    say({"id": request["id"], "result": result})


def text(request: Message, words: str, **more: Any) -> None:
    answer(request, {"content": [{"type": "text", "text": words}], **more})


def tool(name: str, description: str = "", **properties: Any) -> Message:
    schema: Message = {"type": "object", "properties": properties}
    return {"name": name, "description": description, "inputSchema": schema}


def serve(
    tools: Callable[[], Iterable[Message]],
    call: Callable[[Message, str, Message], object],
    listing: Callable[[Message], None] | None = None,
    hear: Callable[[Message], None] | None = None,
    version: str = "2025-06-18",
) -> None:
    """Answer the handshake and listings; `call(request, name, arguments)` answers the rest."""
    for line in sys.stdin.buffer:
        request: Message = json.loads(line)
        method = request.get("method")
        if hear is not None:
            hear(request)
        if method == "initialize":
            capabilities = {"tools": {"listChanged": True}}
            info = {"name": "fake", "version": "1.2.3"}
            answer(
                request,
                {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info},
            )
        elif method == "tools/list":
            if listing is not None:
                listing(request)
            else:
                answer(request, {"tools": list(tools())})
        elif method == "tools/call":
            params = request["params"]
            call(request, params["name"], params.get("arguments") or {})
        elif "id" in request and "method" in request:
            error = {"code": -32601, "message": f"no method {method}"}
            say({"id": request["id"], "error": error})
