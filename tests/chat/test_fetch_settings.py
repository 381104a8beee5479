"""What the settings say of the web holds for the fetch server at once, without a new start."""

from tests.chat.conftest import Opener, results, said, watched
from tests.mcp_servers.fetch.site import served


async def test_a_host_opened_in_the_settings_is_read_at_once_and_robots_as_the_person_wants(opened: Opener) -> None:
    async with served() as site:
        site.answers["/robots.txt"] = (b"User-agent: *\nDisallow: /\n", "text/plain")
        wish = f'[fetch__fetch url="{site.page("/herons", "<p>Herons wade")}"]'
        leo = await opened(bundled=("fetch",), approve="all")
        session, _ = await watched(leo)
        await said(session, wish)
        assert "may not reach" in results(session)[-1].text
        await leo.set_setting("network.open_hosts", [site.host])
        await said(session, wish)
        assert "asks programs not to read" in results(session)[-1].text
        await leo.set_setting("network.obey_robots", False)
        await said(session, wish)
        assert "Herons wade" in results(session)[-1].text
