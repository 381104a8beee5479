"""An MCP server over stdio in a few lines, quick to start: it writes down each run of its tool."""

import json
import sys
from pathlib import Path
from typing import Any

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "size": {"type": "integer"}}, "required": ["n"]}
TOOLS = [{"name": "count", "description": "Counts; the answer is `size` characters long.", "inputSchema": SCHEMA}]


def reply_to(method: str, params: dict[str, Any], file: Path) -> dict[str, Any] | None:
    if method == "initialize":
        told = {"name": "counting", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": told}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        given = params["arguments"]
        with file.open("a", encoding="utf-8") as out:
            out.write(f"{given['n']}\n")
        text = f"counted {given['n']} ".ljust(given.get("size", 0), ".")
        return {"content": [{"type": "text", "text": text}]}
    return {} if method == "ping" else None


def main() -> None:
    file = Path(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        result = reply_to(asked["method"], asked.get("params") or {}, file)
        told = {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **told}), flush=True)


if __name__ == "__main__":
    main()
