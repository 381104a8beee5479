"""What a person reads in a log is what went wrong, not the group that carried it."""

import asyncio
import time

from app.mcp_host.causes import cause_words, leaves
from tests.mcp_host.desk import OpenDesk, fake


def test_a_group_is_told_by_what_is_in_it() -> None:
    inner = ExceptionGroup("unhandled errors in a TaskGroup", [ValueError("bad port"), ValueError("bad port")])
    group = BaseExceptionGroup("more", [inner, asyncio.CancelledError(), OSError("gone")])
    assert cause_words(group) == "ValueError: bad port; OSError: gone"
    assert [type(one).__name__ for one in leaves(group)] == ["ValueError", "ValueError", "CancelledError", "OSError"]
    assert cause_words(TimeoutError()) == "TimeoutError"
    assert cause_words(BaseExceptionGroup("", [asyncio.CancelledError()])) == "CancelledError"


async def test_no_log_of_a_server_speaks_of_groups(desk: OpenDesk) -> None:
    async with desk(fake("bad_start", start_timeout=20)) as d:
        status = await d.until("fake", "error")
        assert status.problem is not None
        assert "exit code 7" in status.problem.sentence
        assert not [line for line in d.host.log("fake") if "ExceptionGroup" in line or "TaskGroup" in line]


async def test_trying_a_server_that_floods_answers_long_before_its_time_is_up(desk: OpenDesk) -> None:
    async with desk() as d:
        began = time.monotonic()
        report = await d.host.test(fake("flood_start", start_timeout=120))
        assert time.monotonic() - began < 60
        assert not report.ok
        assert report.problem is not None
        assert "before it answered anything" in report.problem.sentence
