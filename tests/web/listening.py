"""Run by test_start: a server from its start to its first page; prints as JSON what was imported on the way."""

import asyncio
import json
import sys
import urllib.request
from pathlib import Path

from app.web.server import Server, load

HEAVY = {
    "mcp", "mcp_types", "aiohttp", "httpx", "openpyxl", "docx", "lxml", "PIL", "playwright", "fastapi", "keyring", "jsonschema",
}  # fmt: skip
WHOLE = {"pydantic", "starlette", "sqlite3", "app.chat.leochat"}
"""What the page need not wait for."""
LONG = 600.0
"""Seconds the servers would wait if no page came: longer than this runs."""


def heavy() -> list[str]:
    return sorted(HEAVY & sys.modules.keys())


async def started(home: Path) -> dict[str, list[str]]:
    server = Server()
    await server.start()
    await asyncio.to_thread(lambda: urllib.request.urlopen(f"http://{server.host}/").read())
    seen = {"page": sorted((HEAVY | WHOLE) & sys.modules.keys())}
    health = asyncio.create_task(asyncio.to_thread(lambda: urllib.request.urlopen(f"http://{server.host}/health").read()))
    await load()
    from app.chat.leochat import LeoChat, Run

    leo = LeoChat(home, Run(offline=True, bundled=("leochat",)), environ={})
    assert not health.done()
    server.carry(leo)
    seen["listening"] = heavy()
    leo.start(patience=LONG)
    await health
    seen["answered"] = heavy()
    from tests.web.conftest import open_line

    line = await open_line(server)
    await line.ask("list_conversations")
    await leo.host._connections["leochat"].settled()
    seen["ready"] = heavy()
    await leo.close()
    await server.stop()
    return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(started(Path(sys.argv[1])))))
