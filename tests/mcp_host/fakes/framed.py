"""A server whose messages are not one line each: `framed.py pretty|counted`; `unlisted` has no list of tools to give."""

import json
import sys
from typing import Any

from speech import Message, raw, tool

MODE = sys.argv[1]


def say(request: Message, **fields: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": request["id"], **fields}, indent=2 if MODE == "pretty" else None).encode()
    raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if MODE == "counted" else body + b"\n")


for line in sys.stdin.buffer:
    asked: Message = json.loads(line)
    method = asked.get("method")
    if method == "initialize":
        info = {"name": "framed", "version": "1"}
        say(asked, result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info})
    elif method == "tools/list" and MODE == "unlisted":
        say(asked, error={"code": -32603, "message": "the database is locked"})
    elif method == "tools/list":
        say(asked, result={"tools": [tool("say")]})
    elif method == "tools/call":
        say(asked, result={"content": [{"type": "text", "text": "understood, ✓"}]})
    elif "id" in asked:
        say(asked, error={"code": -32601, "message": "no such method"})
