"""A server over stdio that does as told: `die`, `error`, `rubbish`, `slow`, `hang` (hears nothing), `big`, or nothing of it."""

import json
import os
import sys
import time
from typing import Any

WORDS = {"type": "object", "properties": {"fault": {"type": "string"}, "number": {"type": "integer"}}}
TOOLS = [{"name": "work", "description": "Works.", "inputSchema": WORDS}]


def worked(fault: str) -> dict[str, Any]:
    if fault == "die":
        os._exit(3)
    if fault == "rubbish":
        sys.stdout.buffer.write(b'{"jsonrpc": \xff\xfe nonsense\n')
        sys.stdout.flush()
    if fault in ("slow", "hang"):
        time.sleep(0.3 if fault == "slow" else 600)
    text = "x" * 200_000 if fault == "big" else "worked"
    return {"content": [{"type": "text", "text": text}], "isError": fault == "error"}


def reply_to(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        told = {"name": "soak", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": told}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return worked(params.get("arguments", {}).get("fault", ""))
    return {} if method == "ping" else None


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = reply_to(asked["method"], asked.get("params") or {})
    answer = {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
