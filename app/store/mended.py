"""A tree of messages from outside made sound: each id once, parents before children, a result for every call."""

from collections import defaultdict
from collections.abc import Sequence

from app.core.messages import Message, ToolResultBlock
from app.core.pairing import plain_result, results_in, with_results

NO_RESULT = "The export holds no result of this call."


def mended(messages: Sequence[Message]) -> tuple[list[Message], list[str]]:
    """The messages as they can be kept and sent, and what had to be changed, in words; sound ones are the same objects.

    A call at the end of a branch may be open: going on answers it.
    """
    notes: list[str] = []
    placed = _in_order(_once(messages, notes), notes)
    return _paired(placed, notes), notes


def _once(messages: Sequence[Message], notes: list[str]) -> list[Message]:
    known: dict[str, Message] = {}
    for message in messages:
        known.setdefault(message.id, message)
    if len(known) < len(messages):
        notes.append("of messages with the same id only the first was taken in")
    return list(known.values())


def _in_order(messages: Sequence[Message], notes: list[str]) -> list[Message]:
    """Parents before children. What hangs on nothing, or in a ring, goes under the message before it in the file."""
    waiting = {message.id: message for message in messages}
    done: dict[str, Message] = {}
    for message in messages:
        path = _up(message, waiting, done)
        for one in reversed(path):
            parent = one.parent_id
            if parent is not None and parent not in done:
                parent = next(reversed(done), None)
                notes.append("a message whose place could not be told stands under the one before it")
            done[one.id] = one if parent == one.parent_id else one.model_copy(update={"parent_id": parent})
    return list(done.values())


def _up(message: Message, waiting: dict[str, Message], done: dict[str, Message]) -> list[Message]:
    """The message and those above it that have no place yet, itself first."""
    path: list[Message] = []
    seen: set[str] = set()
    at: Message | None = message
    while at is not None and at.id not in done and at.id not in seen:
        seen.add(at.id)
        path.append(at)
        at = waiting.get(at.parent_id) if at.parent_id is not None else None
    return path


def _paired(messages: Sequence[Message], notes: list[str]) -> list[Message]:
    """Every reply with calls that was gone past is followed by one tool message with their results, and by nothing else."""
    below: defaultdict[str | None, list[Message]] = defaultdict(list)
    for message in messages:
        below[message.parent_id].append(message)
    by_id = {message.id: message for message in messages}
    moved: dict[str, str | None] = {}
    whole: list[Message] = []
    for given in messages:
        parent_id = moved.get(given.parent_id, given.parent_id) if given.parent_id is not None else None
        parent, kept = (by_id.get(parent_id) if parent_id is not None else None), given
        if given.role == "tool":
            if parent is None or not parent.calls:
                moved[given.id] = parent_id
                notes.append("results without their calls were left out")
                continue
            if below[given.id] and _ids(given) != [call.id for call in parent.calls]:
                kept = _answered(parent, given)
                notes.append("calls without a result were marked so")
        elif parent is not None and parent.calls:
            answer = _answered(parent, Message(id=f"{parent.id}~results", role="tool", parent_id=parent.id))
            if answer.id not in by_id:
                by_id[answer.id] = answer
                whole.append(answer)
                notes.append("calls without a result were marked so")
            parent_id = answer.id
        if kept.parent_id != parent_id:
            kept = kept.model_copy(update={"parent_id": parent_id})
        by_id[kept.id] = kept
        whole.append(kept)
    return whole


def _ids(message: Message) -> list[str]:
    return [block.tool_call_id for block in message.blocks if isinstance(block, ToolResultBlock)]


def _answered(asked: Message, answer: Message) -> Message:
    known = results_in(answer)
    return with_results(answer, asked, {call.id: known.get(call.id) or plain_result(call, NO_RESULT) for call in asked.calls})
