"""Lists of tools: pages, changes, broken definitions, and what is known from the last time."""

import time
from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.config import ServerConfig
from tests.mcp_host.desk import OpenDesk, eventually, fake, words


def listing(mode: str, *more: str, **facts: Any) -> ServerConfig:
    return fake(mode, *more, file="listing.py", **facts)


async def test_all_pages_are_read(desk: OpenDesk) -> None:
    async with desk(listing("pages")) as d:
        assert len(d.host.specs()) == 54


async def test_a_repeated_cursor_ends_the_walk(desk: OpenDesk) -> None:
    async with desk(listing("repeated")) as d:
        assert [s.tool for s in d.host.specs()] == ["same"]
        assert any("did not end" in line for line in d.host.log("fake"))


async def test_a_broken_definition_costs_only_itself(desk: OpenDesk) -> None:
    async with desk(listing("broken")) as d:
        assert [s.tool for s in d.host.specs()] == ["fine", "schemaless", "odd", "typeless"]
        assert d.host.check(d.spec("typeless"), {"n": "x"}) is not None


async def test_tools_that_come_with_list_changed_are_offered_in_the_next_round(desk: OpenDesk) -> None:
    async with desk(listing("plain")) as d:
        assert [s.tool for s in d.host.specs()] == ["load_toolset"]
        await d.call("load_toolset")
        await d.host.refreshed()
        assert [s.tool for s in d.host.specs()] == ["load_toolset", "b"]
        assert words(await d.call("b")) == "called b"


async def test_tools_known_from_the_last_time_are_offered_at_once_and_a_call_waits(desk: OpenDesk) -> None:
    config = fake("slow_start")
    async with desk(config) as d:
        first = d.host.specs()
    async with desk(config, wait=False) as d:
        assert d.host.status("fake").state == "starting"
        assert d.host.specs() == first
        assert words(await d.call("good", words="waited")) == "waited"


async def test_a_slow_server_delays_nobody(desk: OpenDesk) -> None:
    began = time.monotonic()
    async with desk(fake("silent", name="slow"), fake("good", name="quick"), wait=False) as d:
        await d.host.ready(["quick"], timeout=20)
        assert d.host.status("quick").state == "ready"
        assert d.host.status("slow").state == "starting"
        assert not await d.host.ready(["slow"], timeout=0.05)
    assert time.monotonic() - began < 20


async def test_of_many_servers_the_broken_ones_delay_nobody(desk: OpenDesk) -> None:
    good = [fake("good", name=f"good{i}") for i in range(4)]
    bad = [fake("silent", name=f"bad{i}") for i in range(5)]
    async with desk(*bad, *good, wait=False) as d:
        assert await d.host.ready([c.name for c in good], timeout=40)
        assert {d.host.status(c.name).state for c in good} == {"ready"}
        assert {d.host.status(c.name).state for c in bad} == {"starting"}


async def test_a_server_that_never_answers_is_an_error_after_its_time_limit(desk: OpenDesk) -> None:
    async with desk(fake("silent", start_timeout=0.5)) as d:
        status = d.host.status("fake")
        assert status.problem is not None
        assert status.problem.kind == "timeout"
        assert "0.5 s" in status.problem.cause


async def test_a_server_that_ends_at_once_shows_exit_code_and_last_words(desk: OpenDesk) -> None:
    async with desk(fake("bad_start")) as d:
        status = d.host.status("fake")
        assert status.state == "error"
        assert status.problem is not None
        assert "exit code 7" in status.problem.cause
        assert "because of a missing key" in status.problem.detail


async def test_a_command_that_is_not_there_is_named_with_the_path_searched(desk: OpenDesk) -> None:
    async with desk(fake("x").model_copy(update={"command": "no-such-program"}), accept=True) as d:
        status = d.host.status("fake")
        assert status.problem is not None
        assert "no-such-program" in status.problem.cause
        assert "PATH searched" in status.problem.detail
        assert status.problem.cure


async def test_a_folder_that_is_not_there_and_a_missing_variable_are_told(desk: OpenDesk, tmp_path: Path) -> None:
    missing = fake("good", name="folder", cwd=str(tmp_path / "nowhere"))
    unfilled = fake("good", name="unfilled", env={"K": "${NOT_SET_ANYWHERE}"})
    async with desk(missing, unfilled) as d:
        folder, variable = d.host.status("folder").problem, d.host.status("unfilled").problem
        assert folder is not None
        assert folder.kind == "spawn"
        assert variable is not None
        assert "${NOT_SET_ANYWHERE}" in variable.cause


async def test_three_failures_open_the_breaker_and_a_restart_closes_it(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mcp_host.connection.BACKOFF_FIRST", 0.01)
    async with desk(fake("good"), fake("bad_start", name="broken")) as d:
        await eventually(lambda: sum("ended with exit" in line for line in d.host.log("broken")) >= 3)
        assert d.host.status("broken").state == "error"
        assert d.host.status("fake").state == "ready"
        await d.host.restart("broken")
        assert d.host.status("broken").state == "starting"
