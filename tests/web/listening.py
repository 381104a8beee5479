"""Run by test_start: a server from its start to its first page; prints as JSON what was imported on the way."""

import asyncio
import json
import sys
import urllib.request
from pathlib import Path

from app.chat.leochat import LeoChat, Run
from app.web.server import Server
from tests.web.conftest import open_line

HEAVY = {
    "mcp", "mcp_types", "aiohttp", "httpx", "openpyxl", "docx", "lxml", "PIL", "playwright", "fastapi", "keyring", "jsonschema",
}  # fmt: skip
LONG = 600.0
"""Seconds the servers would wait if no page came: longer than this runs."""


def heavy() -> list[str]:
    return sorted(HEAVY & sys.modules.keys())


async def started(home: Path) -> dict[str, list[str]]:
    leo = LeoChat(home, Run(offline=True, bundled=("leochat",)), environ={})
    server = Server(leo)
    await server.start()
    seen = {"listening": heavy()}
    leo.start(patience=LONG)
    await asyncio.to_thread(lambda: urllib.request.urlopen(f"http://{server.host}/health").read())
    seen["answered"] = heavy()
    line = await open_line(server)
    await line.ask("list_conversations")
    await leo.host._connections["leochat"].settled()
    seen["ready"] = heavy()
    await leo.close()
    await server.stop()
    return seen


if __name__ == "__main__":
    print(json.dumps(asyncio.run(started(Path(sys.argv[1])))))
