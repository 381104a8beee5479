"""Third-party servers over stdio: what they may do wrong, and what is left of it."""

import asyncio
import json
import time

import psutil
import pytest

from app.core.tools import LinkItem, MediaItem, ResourceItem, TextItem
from tests.mcp_host.desk import OpenDesk, eventually, fake, words


async def test_a_tool_is_listed_and_called(desk: OpenDesk) -> None:
    async with desk(fake("good")) as d:
        status = d.host.status("fake")
        assert status.state == "ready"
        assert status.protocol_version == "2025-06-18"
        assert status.server_version == "1.2.3"
        assert [s.name for s in d.host.specs()] == ["fake__good", "fake__bad"]
        assert words(await d.call("good", words="hello")) == "hello"


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("rubbish", "after rubbish"),
        ("bad_utf8", "\ufffd\ufffd"),
        ("surrogate", "a?b"),
        ("huge_int", "n"),
        ("floods", "after the flood"),
        ("stderr_flood", "quiet again"),
        ("one_mib", "x" * 1024 * 1024),
        ("commas", "a,[{" * 500_000),
        ("wide", "wide"),
    ],
)
async def test_noise_does_not_cost_the_answer(desk: OpenDesk, mode: str, expected: str) -> None:
    async with desk(fake(mode)) as d:
        assert words(await d.call("bad")) == expected
        assert words(await d.call("good", words="next")) == "next"


@pytest.mark.parametrize("mode", ["deep", "many", "seventeen_mib", "hundred_mib", "null_result"])
async def test_an_answer_that_is_too_much_is_refused_and_the_next_call_works(desk: OpenDesk, mode: str) -> None:
    async with desk(fake(mode, timeout=30)) as d:
        output = await d.call("bad")
        assert output.is_error
        assert "refused" in words(output)
        assert words(await d.call("good", words="next")) == "next"


@pytest.mark.parametrize("mode", ["eight_mib", "hundred_mib", "many", "floods"])
async def test_large_and_many_messages_do_not_hold_up_the_loop(desk: OpenDesk, mode: str) -> None:
    async with desk(fake(mode)) as d:
        worst = 0.0

        async def beat() -> None:
            nonlocal worst
            while True:
                began = time.perf_counter()
                cpu = time.thread_time()
                await asyncio.sleep(0.001)
                del began
                worst = max(worst, time.thread_time() - cpu)

        beating = asyncio.create_task(beat())
        await d.call("bad")
        beating.cancel()
        assert worst < 0.1


async def test_a_server_that_dies_is_told_within_a_second_with_its_last_words(desk: OpenDesk) -> None:
    async with desk(fake("dies")) as d:
        began = time.monotonic()
        output = await d.call("bad")
        assert time.monotonic() - began < 5  # a second, on a machine that has one to spare
        assert output.is_error
        assert "exit code 3" in words(output)
        assert "because of a missing key" in words(output)
        await d.until("fake", "ready")
        assert words(await d.call("good", words="again")) == "again"


async def test_a_call_right_after_a_death_starts_the_server_again(desk: OpenDesk) -> None:
    async with desk(fake("dies")) as d:
        await d.call("bad")
        assert words(await d.call("good", words="again")) == "again"


async def test_a_server_that_hangs_costs_its_time_limit_and_hears_of_it(desk: OpenDesk) -> None:
    async with desk(fake("hangs", timeout=2)) as d:
        output = await d.call("bad")
        assert output.is_error
        assert "did not answer within 2 s" in words(output)
        heard = json.loads(words(await d.call("good", words="cancelled?")))
        assert len(heard) == 1


async def test_stopping_the_caller_cancels_the_call_at_the_server(desk: OpenDesk) -> None:
    async with desk(fake("hangs")) as d:
        caller = asyncio.create_task(d.call("bad"))
        await asyncio.sleep(0.1)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        assert caller.cancelled()

        async def heard() -> bool:
            return words(await d.call("good", words="cancelled?")) != "[]"

        await eventually(heard)


async def test_an_answer_that_comes_too_late_is_dropped(desk: OpenDesk) -> None:
    async with desk(fake("late", timeout=2)) as d:
        assert (await d.call("bad")).is_error
        for _ in range(10):
            assert words(await d.call("good", words="mine")) == "mine"
            await asyncio.sleep(0.1)


async def test_progress_is_passed_on_and_starts_the_time_limit_anew(desk: OpenDesk) -> None:
    async with desk(fake("progress", timeout=2.5)) as d:
        assert words(await d.call("bad")) == "done at last"
        assert d.progress[0] == (1.0, 8.0, "step 1")
        assert len(d.progress) == 8


async def test_every_kind_of_content_arrives(desk: OpenDesk) -> None:
    async with desk(fake("kinds")) as d:
        output = await d.call("bad")
        assert output.structured == {"a": 1}
        text, image, audio, pdf, inside, link, unknown = output.items
        assert text == TextItem("for you", ("user",))
        assert image == MediaItem("image", "image/svg+xml", b"<svg/>")
        assert audio == MediaItem("audio", "audio/wav", b"RIFF")
        assert pdf == MediaItem("file", "application/pdf", b"%PDF-", "a.pdf")
        assert inside == ResourceItem("f:///a.txt", "text/plain", "inside")
        assert link == LinkItem("f:///report.pdf", "report.pdf")
        assert isinstance(unknown, TextItem)
        assert "hologram" in unknown.text


async def test_an_empty_result_and_one_with_structure_alone_are_results(desk: OpenDesk) -> None:
    async with desk(fake("empty", name="a"), fake("structured", name="b")) as d:
        bad_a, bad_b = (s for s in d.host.specs() if s.tool == "bad")
        assert bad_a.server == "a"
        assert not (await d.call("bad")).is_error
        d.host.set_tool("a", "bad", on=False)
        output = await d.call("bad")
        assert bad_b.server == "b"
        assert output.structured == {"only": "this"}


async def test_errors_of_tools_and_of_the_protocol_are_outputs(desk: OpenDesk) -> None:
    async with desk(fake("tool_error")) as d:
        output = await d.call("bad")
        assert (output.is_error, words(output)) == (True, "it went wrong")
    async with desk(fake("rpc_error")) as d:
        output = await d.call("bad")
        assert output.is_error
        assert "bad city" in words(output)


async def test_the_server_learns_which_conversation_calls(desk: OpenDesk) -> None:
    async with desk(fake("meta")) as d:
        assert json.loads(words(await d.call("bad")))["leochat/conversationId"] == "conv"


async def test_children_get_few_variables_and_their_own(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("MY_TOKEN", "filled in")
    async with desk(fake("environment", env={"TOKEN": "${MY_TOKEN}"})) as d:
        given = json.loads(words(await d.call("bad")))
        assert given["TOKEN"] == "filled in"
        assert given["PYTHONUTF8"] == "1"
        assert "canary" not in given.values()
        assert "MY_TOKEN" not in given


async def test_what_a_server_prints_is_in_its_log(desk: OpenDesk) -> None:
    async with desk(fake("chatty_start")) as d:
        assert any("stdout: Listening on stdio" in line for line in d.host.log("fake"))
    async with desk(fake("dies")) as d:
        await d.call("bad")
        assert any("stderr: about to end" in line for line in d.host.log("fake"))


async def test_a_server_that_closes_its_output_fails_its_call(desk: OpenDesk) -> None:
    async with desk(fake("closes_stdout")) as d:
        output = await d.call("bad")
        assert output.is_error
        assert "lost" in words(output)


async def test_nothing_of_the_tree_survives_a_stop(desk: OpenDesk) -> None:
    async with desk(fake("grandchildren")) as d:
        pids = [int(p) for p in words(await d.call("bad")).split()]
        pids.append(d.host.status("fake").pid or 0)
        assert all(psutil.pid_exists(p) for p in pids)
        began = time.monotonic()
    assert time.monotonic() - began < 10
    await eventually(lambda: not any(_lives(p) for p in pids))


async def test_a_server_that_ignores_term_is_killed(desk: OpenDesk) -> None:
    async with desk(fake("no_term")) as d:
        pid = d.host.status("fake").pid or 0
    assert not _lives(pid)


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
