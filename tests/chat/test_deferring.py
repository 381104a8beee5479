"""Too many tools: the model searches for those of third-party servers, finds and calls them, and keeps what it found."""

from pathlib import Path
from typing import Any

import pytest

from app.chat.deferring import NAME, Deferring, Room, deferred, ranked, room_of
from app.chat.rooms import Limits
from app.core.messages import ToolResultBlock
from app.core.tools import ToolSpec
from tests.chat.stage import Page, opened, reopened, rooms
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says


def spec(server: str, tool: str, description: str = "", **facts: Any) -> ToolSpec:
    return ToolSpec(name=f"{server}__{tool}", server=server, tool=tool, description=description, **facts)


GITHUB = [
    spec("github", "create_issue", "Open a new issue in a repository"),
    spec("github", "list_issues", "List and filter issues"),
    spec("github", "merge_pull_request", "Merge a pull request"),
    spec("mail", "send", "Send a message", input_schema={"type": "object", "properties": {"recipient": {}}}),
    spec("mail", "searchInbox", "Look for messages"),
]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("open an issue", "github__create_issue"),
        ("list the issues", "github__list_issues"),
        ("github__merge_pull_request", "github__merge_pull_request"),
        ("merge_pull_request", "github__merge_pull_request"),
        ("inbox", "mail__searchInbox"),
        ("recipient", "mail__send"),
        ("MAIL", "mail__send"),
    ],
)
def test_a_search_finds_by_name_server_description_and_argument(query: str, first: str) -> None:
    assert ranked(GITHUB, query)[0].name == first


@pytest.mark.parametrize("query", ["", "   ", "weather", "¿?"])
def test_a_search_for_what_is_not_there_finds_nothing(query: str) -> None:
    assert ranked(GITHUB, query) == []


def test_the_room_is_a_share_of_the_models_context() -> None:
    many = [spec("big", f"t{n}", "x" * 400) for n in range(100)]  # about 11,000 tokens
    ours = [s.model_copy(update={"bundled": True}) for s in many]
    assert deferred(many, room_of(100_000, 10))
    assert not deferred(many, room_of(200_000, 10))
    assert not deferred(ours, room_of(100_000, 0)), "servers that come with the app have a share of their own"
    assert deferred(many, room_of(None, 10)), "of a model nobody knows a middling one is assumed"
    assert not deferred(ours, room_of(None, 0)), "and for what comes with the app there is room in it"
    assert not deferred([*many, *ours], room_of(1000, 100)), "all of it: never deferred"


def test_in_a_small_window_also_ours_are_searched_for_the_largest_servers_first() -> None:
    large = [spec("large", f"t{n}", "x" * 400, bundled=True) for n in range(50)]
    small = [spec("small", f"t{n}", "x" * 400, bundled=True) for n in range(5)]
    assert deferred([*large, *small], room_of(8192, 10)) == {s.name for s in large}
    assert deferred([*large, *small], room_of(1000, 10)) == {s.name for s in (*large, *small)}


class ThirdParty(ScriptedTools):
    """Forty tools of a server that is not ours, and one that is; every list is a fresh one, as after a change."""

    def __init__(self) -> None:
        super().__init__(**{f"tool_{n}": says(f"did {n}") for n in range(40)}, ours=says("ours"))
        self.extra = {
            f"tool_{n}": {"never_asks": True, "description": f"Counts the {WORDS[n % 4]} of row {n}"} for n in range(40)
        }
        self.extra["ours"] = {"never_asks": True, "bundled": True}


WORDS = ("lions", "tigers", "bears", "wolves")
LITTLE = Limits(tools_percent=0)


def listed(provider: ScriptedProvider) -> list[list[str]]:
    """The tools of each request."""
    return [[t.name for t in r.tools] for r in provider.requests]


def results(page: Page) -> list[str]:
    return [b.text for m in page.messages for b in m.blocks if isinstance(b, ToolResultBlock)]


async def told(session: Any, text: str) -> None:
    await session.send(text)
    await session.tasks.wait()


async def test_the_model_finds_a_tool_calls_it_and_has_it_in_every_round_after(tmp_path: Path) -> None:
    provider = ScriptedProvider(
        Reply("", calls=(call("leochat__find_tools", "f", query="tigers row 5"),)),
        Reply("", calls=(call("box__tool_5", "c"),)),
        Reply("There are five."),
        Reply("", calls=(call("box__tool_8", "d"),)),
        Reply("And eight."),
        Reply("Still there."),
    )
    store, session = await opened(tmp_path, provider, ThirdParty(), LITTLE)
    page = Page()
    page.watch(session)
    try:
        await told(session, "how many tigers?")
        first, second, third = listed(provider)
        assert first == ["box__ours", NAME], "nothing of the third-party server but the search"
        search = provider.requests[0].tools[-1]
        assert "box (40)" in search.description
        assert "box__tool_5" in second
        assert second[:2] == first, "what was listed stays in its place"
        assert third == second
        answer, did = results(page)
        assert answer.startswith("You can call these now: box__tool_5")
        assert "Counts the tigers of row 5" in answer
        assert "arguments: {" in answer
        assert did == "did 5"
        await told(session, "and row 8?")
        assert results(page)[-1] == "did 8", "a tool that is not listed can be called by who knows its name"
        # A new start reads from the conversation what was found in it.
        messages = await reopened(store, session)
        again = Deferring(rooms(store, provider, ThirdParty()).toolbox, lambda: Room(0), messages)
        kept = [s.name for s in again.offered(tuple(again.specs()))]
        assert kept[:3] == ["box__ours", NAME, "box__tool_5"]
        assert "box__tool_8" in kept
        assert len(kept) < 12
    finally:
        store.close()


async def test_a_search_without_a_hit_says_what_there_is(tmp_path: Path) -> None:
    provider = ScriptedProvider(Reply("", calls=(call("leochat__find_tools", "f", query="weather"),)), Reply("None."))
    store, session = await opened(tmp_path, provider, ThirdParty(), LITTLE)
    page = Page()
    page.watch(session)
    try:
        await told(session, "rain?")
        assert "No tool fits 'weather'" in results(page)[0]
        assert "tool_0" in results(page)[0]
        assert listed(provider)[1] == listed(provider)[0]
    finally:
        store.close()


async def test_few_tools_are_listed_as_they_are(tmp_path: Path) -> None:
    provider = ScriptedProvider(Reply("Hello."))
    store, session = await opened(tmp_path, provider, ThirdParty())
    try:
        await told(session, "hello")
        assert len(listed(provider)[0]) == 41
        assert NAME not in listed(provider)[0]
    finally:
        store.close()
