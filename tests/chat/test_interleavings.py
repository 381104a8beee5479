"""Whatever two windows do to a conversation in whatever order, it stays whole, sendable, and the same everywhere."""

import asyncio
import random
import tempfile
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.chat.refused import Refused
from app.chat.session import Session
from app.core.events import ApprovalAnswer, ApprovalRequest, ModelEvent
from app.core.provider import ProviderError, Request
from app.core.tools import CallContext, TextItem, ToolOutput
from tests.chat.stage import Page, opened, reopened
from tests.core.scripted import Reply, ScriptedProvider, ScriptedTools, call, says
from tests.core.test_loop import unpaired
from tests.providers.test_requests import TARGETS, accepted

DEEDS = (
    "send", "send", "stop", "approve", "deny", "both", "edit", "again", "resume", "requeue", "unqueue", "now",
    "leave", "come", "compact", "switch", "branch",
)  # fmt: skip
Step = tuple[str, int, int]
"""What is done, which of several it is done to, and how many turns of the loop pass before the next."""


class Moody(ScriptedProvider):
    """A strict provider that talks, calls tools, or breaks off, by the dice; keeps what was wrong with what it got."""

    def __init__(self, seed: int):
        super().__init__(Reply("ok"))
        self._dice = random.Random(seed)
        self._calls = 0
        self.calm = False
        self.faults: list[str] = []

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self.faults += unpaired(request.messages)
        mood = "talk" if self.calm or request.tool_choice == "none" or not request.tools else self._dice.choice(MOODS)
        self._replies = [self._reply(mood)]
        async for event in super().stream(request):
            yield event

    def _reply(self, mood: str) -> Reply:
        if mood == "talk":
            return Reply("some words to say")
        if mood == "break":
            return Reply("some words", error=ProviderError("network", "The connection was lost."))
        calls = [call(name, f"c{(self._calls + n)}", n=self._calls + n) for n, name in enumerate(mood.split("+"))]
        self._calls += len(calls)
        return Reply("let me", calls=tuple(calls))


MOODS = ("talk", "talk", "break", "read", "change", "read+change", "slow+read", "change+slow+change")


def tools() -> ScriptedTools:
    async def slow(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        for _ in range(20):
            await asyncio.sleep(0)
        return ToolOutput((TextItem(f"slow {arguments['n']}"),))

    made = ScriptedTools(read=says("read"), change=says("changed"), slow=slow)
    made.extra["read"] = {"read_only": True, "open_world": False, "trusted": True}
    made.extra["slow"] = {"never_asks": True}
    return made


class Play:
    """A session, two pages on it, and what they do."""

    def __init__(self, session: Session, provider: Moody):
        self.session = session
        self.provider = provider
        self.pages = (Page(), Page())
        self.answered: list[str] = []
        self.sent: list[str] = []
        for page in self.pages:
            page.watch(session)

    async def do(self, deed: str, which: int) -> None:
        try:
            await self._deed(deed, which)
        except Refused:
            return  # said in words; nothing else may have happened

    def _deed(self, deed: str, which: int) -> Coroutine[Any, Any, Any]:
        session, queued = self.session, self.session.queue.listed
        at = queued[which % len(queued)].id if queued else "none"
        deeds: dict[str, Callable[[], Coroutine[Any, Any, Any]]] = {
            "send": lambda: self._send(f"message {which}"),
            "stop": session.stop,
            "approve": lambda: self._answer(deed),
            "deny": lambda: self._answer(deed),
            "both": lambda: self._answer(deed),
            "resume": session.resume,
            "requeue": lambda: session.queue.edit(at, "changed"),
            "unqueue": lambda: self._unqueue(at),
            "now": lambda: session.send_now(at),
            "compact": session.tasks.compact,
            "branch": self._branch,
            "leave": lambda: self._window(deed, which),
            "come": lambda: self._window(deed, which),
            **self._of_the_tree(which),
        }
        return deeds[deed]()

    def _of_the_tree(self, which: int) -> dict[str, Callable[[], Coroutine[Any, Any, Any]]]:
        messages, tree = self.session.messages, self.session.tree
        users = [m.id for m in messages if m.role == "user"] or ["none"]
        user, last = users[which % len(users)], messages[-1].id if messages else "none"
        return {
            "edit": lambda: tree.edit(user, f"edited {which}"),
            "again": lambda: tree.regenerate(last),
            "switch": lambda: self._switch(user),
        }

    async def _switch(self, user: str) -> None:
        if user != "none":
            await self.session.tree.switch(user)

    async def _send(self, text: str) -> None:
        self.sent.append(await self.session.send(text))

    async def _unqueue(self, at: str) -> None:
        await self.session.queue.remove(at)
        self.sent.remove(at)

    async def _answer(self, deed: str) -> None:
        for call_id in list(self.session.live.approvals):
            for answer in ("once", "deny") if deed == "both" else ("deny",) if deed == "deny" else ("once",):
                if self.session.approvals.answer(call_id, answer, "tool"):  # of two windows one is late
                    self.answered.append(call_id)

    async def _branch(self) -> None:
        store = self.session.rooms.store
        head = self.session.head
        row = await store.conversations.create()
        if head and await store.messages.get(self.session.id, head):
            await store.messages.copy_branch(self.session.id, head, row.id)

    async def _window(self, deed: str, which: int) -> None:
        page = self.pages[which % 2]
        await asyncio.sleep(0)
        if deed == "leave":
            page.unwatch(self.session.id)
        elif deed == "come":
            page.watch(self.session, page.seq or None)

    async def rest(self) -> None:
        """Everything asked is allowed, everything running comes to its end."""
        self.provider.calm = True
        while self.session.running or self.session.tasks.busy or self.session.live.approvals:
            await self._answer("approve")
            await asyncio.sleep(0.001)


steps = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 5), st.integers(0, 40)), min_size=1, max_size=14)


@settings(max_examples=30)
@given(steps, st.integers(0, 2**16))
def test_any_interleaving_leaves_a_conversation_that_is_whole_and_the_same_everywhere(todo: list[Step], seed: int) -> None:
    asyncio.run(lived(todo, seed))


async def lived(todo: list[Step], seed: int) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        provider = Moody(seed)
        store, session = await opened(Path(folder), provider, tools())
        play = Play(session, provider)
        try:
            async with asyncio.timeout(60):
                await played(play, todo)
                await checked(play)
        finally:
            await session.stop()
            await session.tasks.quiet()
            store.close()


async def played(play: Play, todo: list[Step]) -> None:
    doing: list[asyncio.Task[None]] = []
    for deed, which, turns in todo:
        doing.append(asyncio.create_task(play.do(deed, which)))
        for _ in range(turns):
            await asyncio.sleep(0)
        if turns > 30:
            await asyncio.sleep(0.003)
    gathered = asyncio.gather(*doing)
    while not gathered.done():
        await play.rest()
        await asyncio.sleep(0.001)
    await gathered
    await play.rest()


async def checked(play: Play) -> None:
    session = play.session
    assert play.provider.faults == [], "a history was sent that a strict provider refuses"
    await session.send("the last word")
    await play.rest()
    assert session.tasks.last_end
    assert session.tasks.last_end.reason == "done"
    assert session.messages[-1].text == "some words to say"
    assert unpaired(session.messages) == []
    assert await reopened(session.rooms.store, session) == session.messages
    for page in play.pages:
        page.watch(session, page.seq or None)
        assert page.messages == session.messages
    for rule in TARGETS:
        accepted(rule, Request(model="m", messages=tuple(session.messages), tools=tuple(session.rooms.toolbox.specs())))
    told = [e for e in play.pages[0].told if isinstance(e, ApprovalRequest | ApprovalAnswer)]
    assert len(play.answered) == len(set(play.answered)), f"an approval was answered twice: {told}"
    await everything_sent_is_kept(play)


async def everything_sent_is_kept(play: Play) -> None:
    store, queued = play.session.rooms.store, {q.id for q in play.session.queue.listed}
    for message_id in play.sent:
        assert message_id in queued or await store.messages.get(play.session.id, message_id), "a message that was taken is lost"
