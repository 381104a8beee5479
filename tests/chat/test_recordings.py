"""Folding the events of a recording gives the message that its end carries; the page's fold is held to the same files."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from app.chat.live import Live
from app.chat.said import Said
from app.core.events import MessageEnd, MessageStart, TaskEnd
from app.core.messages import Message, ToolCall

RECORDINGS = sorted((Path(__file__).parent.parent / "recordings").glob("*.jsonl"))
_said: TypeAdapter[Said] = TypeAdapter(Said)


def events(path: Path) -> list[Said]:
    return [_said.validate_python(json.loads(line)["event"]) for line in path.read_text("utf-8").splitlines()]


def essence(message: Message) -> list[dict[str, object]]:
    """The blocks without what only the end knows: durations, and half a call that was dropped."""
    kept = [b for b in message.blocks if not isinstance(b, ToolCall) or message.stop_reason != "cancelled"]
    dumped = [b.model_dump(exclude={"duration_ms"}) for b in kept]
    # Results are told as they come and stand in the order of their calls.
    return sorted(dumped, key=lambda b: str(b["tool_call_id"])) if message.role == "tool" else dumped


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.stem)
def test_the_fold_of_all_deltas_is_the_message_that_ends(path: Path):
    live, folded = Live(), 0
    for event in events(path):
        if isinstance(event, MessageEnd) and live.message and live.message.id == event.message.id:
            partial = live.partial()
            assert partial
            assert essence(partial) == essence(event.message)
            folded += 1
        live.fold(event)
    assert folded


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda p: p.stem)
def test_after_the_end_nothing_is_left_running(path: Path):
    live = Live()
    for event in events(path):
        live.fold(event)
    assert isinstance(events(path)[-1], TaskEnd) or live.state() is None
    assert (live.state(), live.partial(), live.approvals) == (None, None, {})


def test_the_recordings_are_there():
    assert {"stream", "tools", "stopped", "broken-off", "shop"} <= {p.stem for p in RECORDINGS}
    assert any(isinstance(e, MessageStart) for p in RECORDINGS for e in events(p))
