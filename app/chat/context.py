"""What of a branch the model is sent: everything after the last summary, old results pruned where room is short."""

import json
from collections.abc import Callable, Sequence

from app.core.messages import FileBlock, ImageBlock, Media, Message, TextBlock, ThinkingBlock, ToolCall, ToolResultBlock
from app.core.tools import ToolSpec

FULL = 0.8
"""The share of the window from which on room is made."""
REPLY_TOKENS = 4096
"""Kept free for the reply where nothing else is said; at most a quarter of the window."""
IMAGE_TOKENS = 1200
MESSAGE_TOKENS = 6
KEPT_ROUNDS = 2
PRUNED = "[an older result, left out to save room]"
PRUNE_FROM = 200
SQUEEZED = "\n[… left out of this result, since there is no room for it …]\n"
SQUEEZED_LEAST = 60
"""Tokens that a result keeps in any case."""


def text_tokens(text: str) -> int:
    """A safe guess: four ASCII characters a token, one and a half for all others (CJK is about one each)."""
    plain = len(text.encode("ascii", "ignore"))
    return plain // 4 + (len(text) - plain) * 2 // 3 + 1


def message_tokens(message: Message, media: dict[str, Media] | None = None) -> int:
    """What a message takes, by guess; pictures by a flat rate, files by their text."""
    total = MESSAGE_TOKENS + sum(text_tokens(line) for line in message.recalled)
    for block in message.blocks:
        match block:
            case TextBlock(text=text) | ThinkingBlock(text=text) | ToolResultBlock(text=text):
                total += text_tokens(text)
            case ToolCall(name=name, arguments=arguments):
                total += text_tokens(name) + text_tokens(json.dumps(arguments, ensure_ascii=False))
            case ImageBlock():
                total += IMAGE_TOKENS
            case FileBlock(ref=ref, size=size):
                known = (media or {}).get(ref)
                total += (len(known.data) if known else size or 0) // 4
            case _:
                pass
    return total


def tools_tokens(tools: Sequence[ToolSpec]) -> int:
    return sum(text_tokens(t.name + t.description + json.dumps(t.input_schema, ensure_ascii=False)) for t in tools)


def budget(window: int, max_tokens: int | None) -> int:
    """Tokens a request may take: the window without the reply's reserve, and of that four fifths."""
    reserve = min(max_tokens or REPLY_TOKENS, window // 4)
    return int((window - reserve) * FULL)


def sent(history: Sequence[Message]) -> tuple[Message, ...]:
    """The last summary and what came after the messages it covers; without one, everything."""
    summary = next((m for m in reversed(history) if m.covers), None)
    if summary is None:
        return tuple(history)
    ids = [m.id for m in history]
    start = ids.index(summary.covers) + 1 if summary.covers in ids else 0
    return (summary, *(m for m in history[start:] if not m.covers))


def pruned(history: Sequence[Message], lighter: Callable[[Message], Message] | None = None) -> tuple[Message, ...]:
    """Long tool results before the last rounds replaced by a note; every call keeps its result."""
    recent = {m.id for m in [m for m in history if m.role == "tool"][-KEPT_ROUNDS:]}
    light = lighter or _lighter
    return tuple(light(m) if m.role == "tool" and m.id not in recent else m for m in history)


def _lighter(message: Message) -> Message:
    blocks = tuple(
        b.model_copy(update={"text": PRUNED}) if isinstance(b, ToolResultBlock) and len(b.text) > PRUNE_FROM else b
        for b in message.blocks
        if not isinstance(b, ImageBlock | FileBlock)
    )
    return message.model_copy(update={"blocks": blocks})


def squeezed(history: Sequence[Message], room: int) -> tuple[Message, ...]:
    """What is left to do where even the last rounds are too much: their results cut so that all takes `room` tokens."""
    over = sum(message_tokens(m) for m in history) - room
    if over <= 0:
        return tuple(history)
    sizes = [text_tokens(b.text) for m in history for b in m.blocks if isinstance(b, ToolResultBlock)]
    share = max(_level(sizes, sum(sizes) - over), SQUEEZED_LEAST)
    return tuple(_squeezed(m, share) if m.role == "tool" else m for m in history)


def _level(sizes: Sequence[int], total: int) -> int:
    """The size to which the larger ones are cut, so that together they are `total`."""
    left = total
    for number, size in enumerate(ordered := sorted(sizes)):
        share = left // (len(ordered) - number)
        if size > share:
            return share
        left -= size
    return max(sizes, default=0)


def _squeezed(message: Message, share: int) -> Message:
    def cut(text: str) -> str:
        tokens = text_tokens(text)
        if tokens <= share:
            return text
        kept = max(len(text) * share // tokens - len(SQUEEZED), 0)
        return text[: kept * 2 // 3] + SQUEEZED + text[len(text) - kept // 3 :]

    blocks = tuple(b.model_copy(update={"text": cut(b.text)}) if isinstance(b, ToolResultBlock) else b for b in message.blocks)
    return message.model_copy(update={"blocks": blocks})


class Measured:
    """What messages and tools take, and messages made lighter, each found once: every round asks about the whole history."""

    def __init__(self) -> None:
        self._tokens: dict[int, tuple[Message | ToolSpec, int]] = {}
        self._lighter: dict[int, tuple[Message, Message]] = {}

    def messages(self, messages: Sequence[Message], media: dict[str, Media] | None = None) -> int:
        return sum(self._message(m, media) for m in messages)

    def _message(self, message: Message, media: dict[str, Media] | None) -> int:
        known = self._tokens.get(id(message))
        if known is not None and known[0] is message:
            return known[1]
        tokens = message_tokens(message, media)
        if not any(isinstance(b, FileBlock) for b in message.blocks):  # these count for more once they are read
            self._tokens[id(message)] = (message, tokens)
        return tokens

    def tools(self, tools: Sequence[ToolSpec]) -> int:
        total = 0
        for tool in tools:
            known = self._tokens.get(id(tool))
            if known is None or known[0] is not tool:
                known = self._tokens[id(tool)] = (tool, tools_tokens((tool,)))
            total += known[1]
        return total

    def pruned(self, history: Sequence[Message]) -> tuple[Message, ...]:
        """As `pruned`, with the same light messages each time."""
        return pruned(history, self._made_lighter)

    def _made_lighter(self, message: Message) -> Message:
        known = self._lighter.get(id(message))
        if known is None or known[0] is not message:
            known = self._lighter[id(message)] = (message, _lighter(message))
        return known[1]


def boundary(history: Sequence[Message], room: int) -> int:
    """How many of the first messages a summary should cover, so that the rest takes at most `room` tokens.

    The rest begins where a round begins, never between a call and its result, and holds at least the last
    round. 0: there is nothing to cover.
    """
    starts = [i for i, m in enumerate(history) if m.role != "tool" and i > 0]
    total, best = 0, 0
    for index in range(len(history) - 1, 0, -1):
        total += message_tokens(history[index])
        if index in starts:
            if total > room and best:
                break
            best = index
            if total > room:
                break
    return best
