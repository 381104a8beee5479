"""Make room in a conversation that grew too long: the model sums up its beginning, and goes on from the summary."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from app.chat.context import Measured, boundary, budget, message_tokens, sent
from app.chat.reach import Reach
from app.chat.spending import plus
from app.core.events import BlockDelta, BlockStart, MessageEnd, ModelEnd
from app.core.loop import TaskLoop
from app.core.messages import Message, Origin, TextBlock, ToolCall, ToolResultBlock, new_id
from app.core.provider import ProviderError, Request
from app.core.tools import ToolSpec

SUMMARY_LABEL = "summary"
SUMMARY_TOKENS = 1500
THOUGHTFUL_TOKENS = 6000
"""For a model that spent the others on thinking alone."""
EXCERPT_CHARS = SUMMARY_TOKENS * 3
SUMMARY_TRIES = 4
UNKNOWN_TOKENS, CHARS_A_TOKEN = 24_000, 3
QUOTED_CHARS = 1500
TAIL_SHARE = 0.4
TASK = (
    "Sum up the conversation below for yourself, so that you can go on with it without having it. Keep: what the user wants "
    "and every instruction still in force, decisions and their reasons, facts, names, numbers, paths and ids that may be "
    "needed, what was done and what came of it, what is still open. Leave out pleasantries. Write in the user's language."
)
HEAD = "Summary of the conversation so far:\n\n"
EXCERPT = "Beginning and end of the conversation so far, of which the model gave no summary:\n\n"
NO_SUMMARY = "The model gave no summary of the conversation, so no room could be made."
Lost = Callable[[Message], Awaitable[None]]


async def nothing_lost(message: Message) -> None:
    """For a loop whose replies nobody counts."""
    del message


class Compaction:
    """Called by the loop before each model call, and once more with the refusal of what did not fit."""

    def __init__(self, model: str, reach: Reach, max_tokens: int | None, system: str, lost: Lost = nothing_lost):
        """`lost` is told what a summary took that came to nothing."""
        self._lost = lost
        self._model = model
        self._reach = reach
        self._max_tokens = max_tokens
        self._system = system
        self._measured = Measured()

    def needed(self, history: Sequence[Message], tools: Sequence[ToolSpec]) -> bool:
        """Whether even the pruned history fills four fifths of the window."""
        window = self._reach.window
        return window is not None and self._used(history, tools) > budget(window, self._max_tokens)

    def _used(self, history: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
        return self._measured.messages(self._measured.pruned(sent(history))) + self._measured.tools(tools)

    async def __call__(self, loop: TaskLoop, refusal: ProviderError | None) -> None:
        if refusal is not None:  # a smaller window has less room for tools, too: that alone may do
            self._reach.learn(refusal, self._used(loop.history, loop.calls.offered()))
        if self.needed(loop.history, loop.calls.offered()):
            await self.compact(loop)

    async def at_will(self, loop: TaskLoop) -> None:
        """At the person's wish: all but the last round, however much room there is."""
        if not boundary(sent(loop.history), 0):
            raise ProviderError("bad_request", "There is nothing to sum up yet.")
        await self.compact(loop, needed=False)

    async def compact(self, loop: TaskLoop, *, needed: bool = True) -> None:
        """Append a summary to the branch, where there is anything before its last round.

        Where it is `needed` and the model gives none, an excerpt takes its place: a conversation must not end here.
        """
        history = sent(loop.history)
        room = self._room(loop.calls.offered()) if self._reach.window else self._half(history)
        covered = boundary(history, room)
        if not covered:
            return
        transcript = "\n\n".join(line for m in history[:covered] for line in _lines(m))
        text, spent = await self._summary(loop, transcript)
        last = history[covered - 1]
        summary = Message(
            id=new_id("msg"),
            role="user",
            blocks=(TextBlock(text=HEAD + text if text else EXCERPT + _shortened(transcript, EXCERPT_CHARS)),),
            origin=Origin(server="", card_id="", label=SUMMARY_LABEL, bundled=True),
            covers=last.covers or last.id,
            parent_id=loop.history[-1].id,
            usage=spent.usage if spent else None,
            model=(spent and spent.model) or self._model,
            provider=loop.provider.name,
        )
        if not text and not needed:
            await self._lost(summary)
            raise ProviderError("protocol", NO_SUMMARY)
        await loop.say(MessageEnd(summary))

    def _room(self, tools: Sequence[ToolSpec]) -> int:
        """Tokens for what stays as it is."""
        window = self._reach.window or 0
        return int(max(budget(window, self._max_tokens) - self._measured.tools(tools), 0) * TAIL_SHARE)

    @staticmethod
    def _half(history: Sequence[Message]) -> int:
        return sum(message_tokens(m) for m in history) // 3

    async def _summary(self, loop: TaskLoop, transcript: str) -> tuple[str, ModelEnd | None]:
        """The model's summary of a transcript, which is shortened until it fits, and what all tries took; "" for none."""
        window, reserve, spent = self._reach.window, SUMMARY_TOKENS, None
        limit = (budget(window, SUMMARY_TOKENS) if window else UNKNOWN_TOKENS) * CHARS_A_TOKEN
        for left in reversed(range(SUMMARY_TRIES)):
            try:
                text, end = await self._ask(loop, _shortened(transcript, limit), reserve)
            except ProviderError as error:
                if error.kind != "context_overflow" or not left:
                    raise
                limit = min(limit, len(transcript)) // 3
                continue
            spent = _both(spent, end)
            if text or reserve > SUMMARY_TOKENS:
                return text, spent
            reserve = THOUGHTFUL_TOKENS if window is None else max(min(THOUGHTFUL_TOKENS, window // 4), SUMMARY_TOKENS + 1)
            limit = min(limit, budget(window, reserve) * CHARS_A_TOKEN) if window else limit
        return "", spent

    async def _ask(self, loop: TaskLoop, transcript: str, reserve: int) -> tuple[str, ModelEnd | None]:
        block = TextBlock(text=f"{TASK}\n\n<conversation>\n{transcript}\n</conversation>")
        asked = Message(id=new_id("msg"), role="user", blocks=(block,))
        request = Request(model=self._model, messages=(asked,), system=self._system, max_tokens=reserve)
        parts, collecting, end = list[str](), False, None
        async with aclosing(loop.provider.stream(request)) as events:
            async for event in events:
                if isinstance(event, BlockStart):
                    collecting = isinstance(event.block, TextBlock)
                    parts.append(event.block.text if isinstance(event.block, TextBlock) else "")
                elif isinstance(event, BlockDelta) and collecting:
                    parts.append(event.text)
                elif isinstance(event, ModelEnd):
                    end = event
                    break
        return "".join(parts).strip(), end


def _both(before: ModelEnd | None, end: ModelEnd | None) -> ModelEnd | None:
    """The later one, with what both took."""
    return replace(end, usage=plus(before.usage, end.usage)) if before and end else end or before


def _shortened(transcript: str, limit: int) -> str:
    """Its beginning and twice as much of its end."""
    if len(transcript) <= limit:
        return transcript
    return f"{transcript[: limit // 3]}\n\n[…]\n\n{transcript[-limit * 2 // 3 :]}"


def _lines(message: Message) -> list[str]:
    """A message as lines of a transcript, long parts shortened."""
    lines: list[str] = []
    for block in message.blocks:
        match block:
            case TextBlock(text=text):
                lines.append(f"{message.role}: {_short(text)}")
            case ToolCall(name=name, arguments=arguments):
                lines.append(f"{message.role} calls {name} {_short(str(arguments))}")
            case ToolResultBlock(text=text):
                lines.append(f"result: {_short(text)}")
            case _:
                pass
    return lines


def _short(text: str) -> str:
    return text if len(text) <= QUOTED_CHARS else f"{text[: QUOTED_CHARS * 2 // 3]} […] {text[-QUOTED_CHARS // 3 :]}"
