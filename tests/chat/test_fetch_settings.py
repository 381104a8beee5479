"""What the settings say of the web holds for the fetch server at once, without a new start."""

from pathlib import Path

import pytest

from app.chat.leochat import LeoChat, Run
from tests.chat.conftest import results, said, watched
from tests.mcp_servers.fetch.site import served


async def test_a_host_opened_in_the_settings_is_read_at_once_and_robots_as_the_person_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    leo = LeoChat(tmp_path / "home", Run(servers=(), bundled=("fetch",), approve="all"), environ={})
    leo.start()
    try:
        assert await leo.host.ready(timeout=90)
        async with served() as site:
            site.answers["/robots.txt"] = (b"User-agent: *\nDisallow: /\n", "text/plain")
            wish = f'[fetch__fetch url="{site.page("/herons", "<p>Herons wade")}"]'
            session, _ = await watched(leo)
            await said(session, wish)
            assert "may not reach" in results(session)[-1].text
            await leo.set_setting("network.open_hosts", [site.host])
            await said(session, wish)
            assert "asks programs not to read" in results(session)[-1].text
            await leo.set_setting("network.obey_robots", False)
            await said(session, wish)
            assert "Herons wade" in results(session)[-1].text
    finally:
        await leo.close()
