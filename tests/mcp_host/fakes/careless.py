"""A server by somebody in a hurry: parts of the protocol left out, lists with broken entries, floods."""

import json
import sys
from typing import Any

from speech import Message, answer, raw, say, text, tool

MANY = 3000


def flood(request: Message) -> None:
    changed = json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}).encode() + b"\n"
    pings = [json.dumps({"jsonrpc": "2.0", "id": f"p{n}", "method": "ping"}).encode() + b"\n" for n in range(MANY)]
    raw(changed * MANY + b"".join(pings))
    text(request, "after the flood")


def call(request: Message, name: str) -> None:
    if name == "busy":
        say({"id": request["id"], "error": {"code": -32000, "message": "Rate limit: try again in 30 s"}})
    elif name == "flood":
        flood(request)
    else:
        many: list[Any] = [{"type": "text", "text": str(n)} for n in range(20_000)]
        answer(request, {"content": [*many, {"type": "image", "data": "data:image/png;base64,iVBORw0KGgo"}]})


for line in sys.stdin.buffer:
    asked: Message = json.loads(line)
    method = asked.get("method")
    if method == "initialize":
        offered = {"tools": {"listChanged": True}, "prompts": True, "resources": {}, "logging": None}
        answer(asked, {"protocolVersion": "2025-06-18", "capabilities": offered, "serverInfo": {"name": "hasty"}})
    elif method == "tools/list":
        wide = {f"p{n}": {"type": "string"} for n in range(3000)}
        answer(asked, {"tools": [tool("busy"), tool("flood"), tool("pieces"), tool("wide", "", **wide)]})
    elif method == "tools/call":
        call(asked, asked["params"]["name"])
    elif method == "prompts/list":
        answer(asked, {"prompts": [{"name": "greet"}, {"title": "nameless"}, {"name": "odd", "arguments": "none"}, None]})
    elif method == "prompts/get":
        answer(asked, {"messages": [{"role": "system", "content": [{"type": "text", "text": "Say hello."}]}]})
    elif method == "resources/list":
        answer(asked, {"resources": [{"uri": "a://b"}, {"name": "nowhere"}, {"uri": "a://c", "name": "c", "size": "big"}]})
    elif "id" in asked and method:
        say({"id": asked["id"], "error": {"code": -32601, "message": f"Method not found: {method}"}})
