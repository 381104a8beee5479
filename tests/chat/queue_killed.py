"""A process whose task is sent a second message while its tool runs; to be killed at a named point. HOME as its argument.

With `asks` after it the tool asks first, and the process kills itself while it does.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from app.chat.said import Said
from app.core.tools import CallContext, TextItem, ToolOutput
from tests.chat.stage import Page, opened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call


def killed(event: Said) -> None:
    if event.type == "approval_request":
        os.kill(os.getpid(), signal.SIGKILL)


async def main(home: Path, *, asks: bool) -> None:
    async def busy(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        await session.send("meanwhile")
        return ToolOutput((TextItem("x"),))

    tools = ScriptedTools(t=busy)
    tools.extra["t"] = {"never_asks": not asks}
    store, session = await opened(home, ScriptedProvider(Reply("so", calls=(call("t"),)), Reply("done")), tools)
    page = Page()
    page.on = killed
    page.watch(session)
    await session.send("go")
    await session.tasks.wait()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), asks="asks" in sys.argv))
