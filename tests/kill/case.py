"""A task with three counting calls, asked of one home; and what must hold after any kill of it."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.messages import Message, ToolCall, ToolResultBlock
from app.store import Store
from app.store.backups import problem_of
from tests.kill.asking import Event, Outcome, asking

Run = Callable[..., Outcome]
COUNTING = Path(__file__).with_name("counting.py")
END = "All three are counted."


def call(name: str, **arguments: Any) -> Event:
    return {"type": "tool_call", "name": name, "arguments": arguments}


SCRIPT = [
    {"blocks": [{"type": "text", "deltas": ["First ", "one."]}, call("counting__count", n=1)]},
    {"blocks": [call("counting__count", n=2), call("filesystem__write_file", path="two.txt", content="two")]},
    {"blocks": [call("counting__count", n=3, size=9000), call("filesystem__read_text_file", path="two.txt")]},
    {"blocks": [{"type": "text", "deltas": ["All three ", "are counted."]}]},
]


class Case:
    """A home, the script, the counting server and its file; with a `model` (its base URL) the script is the model's."""

    def __init__(self, folder: Path, model: str | None = None) -> None:
        self.folder = folder
        self.counted = folder / "counted.txt"
        self.script = folder / "script.jsonl"
        self.script.write_text("\n".join(json.dumps(line) for line in SCRIPT), encoding="utf-8")
        config = folder / "counting.json"
        server = {"command": sys.executable, "args": [str(COUNTING), str(self.counted)]}
        config.write_text(json.dumps({"mcpServers": {"counting": server}}), encoding="utf-8")
        self.wish = f"Count to three, {model}" if model else f"!script {self.script}"
        spoken = ("--provider", "custom", "--base-url", model, "--model", "local") if model else ()
        self.options = (*spoken, "--approve", "all", "--no-servers", "--server", "filesystem", "--server", str(config))

    def ask(self, run: Run = asking, **given: Any) -> Outcome:
        return run(self.folder, *self.options, self.wish, **given)

    def resume(self, conversation: str, run: Run = asking, **given: Any) -> Outcome:
        return run(self.folder, *self.options, "--resume", conversation, **given)

    def runs(self) -> Counter[int]:
        return Counter(int(line) for line in self.counted.read_text("utf-8").split()) if self.counted.exists() else Counter()

    def kept(self) -> "tuple[str | None, list[Message], bool]":
        """The only conversation in the store: its id, messages, and whether its task waits to be resumed."""
        return asyncio.run(self._kept())

    async def _kept(self) -> "tuple[str | None, list[Message], bool]":
        store = Store.open(self.folder / "home")
        try:
            known = await store.conversations.all()
            if not known:
                return None, [], False
            one = known[0]
            return one.id, await store.messages.branch(one.id), one.interrupted
        finally:
            store.close()


def unpaired(messages: list[Message]) -> list[str]:
    """Calls that have not exactly one result, in the message right after theirs."""
    wrong: list[str] = []
    for at, message in enumerate(messages):
        calls = [b.id for b in message.blocks if isinstance(b, ToolCall)]
        following = messages[at + 1].blocks if at + 1 < len(messages) else ()
        results = [b.tool_call_id for b in following if isinstance(b, ToolResultBlock)]
        if calls != results[: len(calls)] or (calls and len(results) != len(calls)):
            wrong.append(f"{calls} answered by {results}")
    return wrong


def whole(case: Case, killed: Outcome, run: Run = asking) -> None:
    """The next start finds everything, and Resume ends as if nothing had been."""
    told = killed.messages
    conversation, kept, interrupted = case.kept()
    assert {m["id"] for m in told} <= {m.id for m in kept}, "a message that was told is not kept"
    if conversation is None:
        assert not told
        return
    if interrupted or (kept and kept[-1].role == "user"):  # a task was cut off, or never begun
        resumed = case.resume(conversation, run)
        assert resumed.code == 0, f"{resumed.code}: {resumed.errors}; at last {resumed.events[-3:]}"
        assert resumed.events[-1]["type"] == "task_end"
        assert resumed.events[-1]["reason"] == "done"
    elif not kept:
        return  # killed before the message was kept or told: there is nothing to go on with
    _, messages, interrupted = case.kept()
    assert not interrupted
    assert problem_of(case.folder / "home" / "leochat.db") is None
    assert messages[-1].text == END
    assert unpaired(messages) == []
    if all(m.stop_detail != "killed" for m in messages):  # a half reply that was kept counts as one of the script's
        assert [m.role for m in messages] == ["user", *["assistant", "tool"] * 3, "assistant"]
        assert sorted(c.arguments["n"] for c in counting(messages)) == [1, 2, 3]
    once(case, messages)


def counting(messages: list[Message]) -> list[ToolCall]:
    return [b for m in messages for b in m.blocks if isinstance(b, ToolCall) and b.name == "counting__count"]


def once(case: Case, messages: list[Message]) -> None:
    """Every call's tool ran at most once, and exactly once where its result came."""
    results = {b.tool_call_id: b for m in messages for b in m.blocks if isinstance(b, ToolResultBlock)}
    for one in counting(messages):
        n, result = one.arguments["n"], results[one.id]
        ran = case.runs()[n]
        assert ran <= 1, f"the call of {n} ran {ran} times"
        if f"counted {n}" in result.text:
            assert ran == 1
        else:
            assert "unknown" in result.text, result.text
