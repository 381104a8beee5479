"""What a server does as a task of its own goes on when LeoChat is closed, and its result is there for whoever asks again."""

from pathlib import Path

from tests.chat.conftest import Opener, results, said, watched
from tests.mcp_host.desk import eventually
from tests.mcp_host.test_errands import Oven


async def test_closing_leaves_the_servers_task_alone_and_the_same_call_brings_its_result(opened: Opener, tmp_path: Path):
    oven = Oven(tmp_path)
    leo = await opened(oven.server, approve="all")
    session, watcher = await watched(leo)
    await session.send('[fake__bake word="bread"]')
    await watcher.heard("tool_progress")
    await leo.close()
    assert oven.tasks()["bake-1"]["state"] == "working"

    leo = await opened(oven.server, approve="all")
    session, _ = await watched(leo, session.id)
    assert "the server goes on with this call" in results(session)[-1].text
    await eventually(lambda: leo.host.status("fake").state == "ready")
    oven.set("bake-1", state="completed")
    await said(session, '[fake__bake word="bread"]')
    assert results(session)[-1].text.startswith("baked: bread")
    assert set(oven.tasks()) == {"bake-1"}
