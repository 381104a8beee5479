"""An MCP server over stdio whose tool starts a program and does not hear that it was cancelled."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = [{"name": name, "description": name, "inputSchema": NOTHING} for name in ("work", "quick")]


def work() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
    note = Path(sys.argv[1])
    part = note.with_suffix(".part")
    part.write_text(str(child.pid), encoding="utf-8")
    part.replace(note)
    time.sleep(600)


def reply_to(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        told = {"name": "stubborn", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": told}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        if params["name"] == "work":
            work()
        return {"content": [{"type": "text", "text": params["name"]}]}
    return {} if method == "ping" else None


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = reply_to(asked["method"], asked.get("params") or {})
    answer = {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
