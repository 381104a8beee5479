"""A process with a host in it, for being killed: prints the pids of its servers' trees, then waits."""

import asyncio
import sys
from pathlib import Path

from app.core.messages import ToolCall
from app.core.tools import CallContext
from app.mcp_host.host import McpHost
from tests.mcp_host.desk import fake, words


async def main(folder: Path) -> None:
    host = McpHost([fake("grandchildren")], data_dir=folder, bundled=())
    host.start()
    await host.ready()
    spec = next(s for s in host.specs() if s.tool == "bad")
    output = await host.call(spec, ToolCall(id="c", name=spec.name), CallContext("c", print))
    print(host.status("fake").pid, words(output), flush=True)
    await asyncio.sleep(60)


asyncio.run(main(Path(sys.argv[1])))
