"""A process whose task is sent a second message while its tool runs; to be killed at a named point. HOME as its argument."""

import asyncio
import sys
from pathlib import Path
from typing import Any

from app.core.tools import CallContext, TextItem, ToolOutput
from tests.chat.stage import opened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call


async def main(home: Path) -> None:
    async def busy(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        await session.send("meanwhile")
        return ToolOutput((TextItem("x"),))

    tools = ScriptedTools(t=busy)
    tools.extra["t"] = {"never_asks": True}
    store, session = await opened(home, ScriptedProvider(Reply("so", calls=(call("t"),)), Reply("done")), tools)
    await session.send("go")
    await session.tasks.wait()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
