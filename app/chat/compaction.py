"""Make room in a conversation that grew too long: the model sums up its beginning, and goes on from the summary."""

from collections.abc import Sequence
from contextlib import aclosing

from app.chat.context import Measured, boundary, budget, message_tokens, sent
from app.chat.reach import Reach
from app.core.events import BlockDelta, BlockStart, MessageEnd, ModelEnd
from app.core.loop import TaskLoop
from app.core.messages import Message, Origin, TextBlock, ToolCall, ToolResultBlock, new_id
from app.core.provider import ProviderError, Request
from app.core.tools import ToolSpec

SUMMARY_LABEL = "summary"
SUMMARY_TOKENS = 1500
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


class Compaction:
    """Called by the loop before each model call, and once more with the refusal of what did not fit."""

    def __init__(self, model: str, reach: Reach, max_tokens: int | None, system: str):
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
        await self.compact(loop)

    async def compact(self, loop: TaskLoop) -> None:
        """Append a summary to the branch, where there is anything before its last round."""
        history = sent(loop.history)
        room = self._room(loop.calls.offered()) if self._reach.window else self._half(history)
        covered = boundary(history, room)
        if not covered:
            return
        text, end = await self._summary(loop, history[:covered])
        last = history[covered - 1]
        summary = Message(
            id=new_id("msg"),
            role="user",
            blocks=(TextBlock(text=HEAD + text),),
            origin=Origin(server="", card_id="", label=SUMMARY_LABEL, bundled=True),
            covers=last.covers or last.id,
            parent_id=loop.history[-1].id,
            usage=end.usage if end else None,
            model=(end and end.model) or self._model,
            provider=loop.provider.name,
        )
        await loop.say(MessageEnd(summary))

    def _room(self, tools: Sequence[ToolSpec]) -> int:
        """Tokens for what stays as it is."""
        window = self._reach.window or 0
        return int(max(budget(window, self._max_tokens) - self._measured.tools(tools), 0) * TAIL_SHARE)

    @staticmethod
    def _half(history: Sequence[Message]) -> int:
        return sum(message_tokens(m) for m in history) // 3

    async def _summary(self, loop: TaskLoop, messages: Sequence[Message]) -> tuple[str, ModelEnd | None]:
        """The model's summary of a transcript, which is shortened until it fits, and what it took."""
        window = self._reach.window
        limit = (budget(window, SUMMARY_TOKENS) if window else UNKNOWN_TOKENS) * CHARS_A_TOKEN
        transcript = "\n\n".join(line for m in messages for line in _lines(m))
        for _ in range(SUMMARY_TRIES - 1):
            try:
                return await self._ask(loop, _shortened(transcript, limit))
            except ProviderError as error:
                if error.kind != "context_overflow":
                    raise
            limit = min(limit, len(transcript)) // 3
        return await self._ask(loop, _shortened(transcript, limit))

    async def _ask(self, loop: TaskLoop, transcript: str) -> tuple[str, ModelEnd | None]:
        block = TextBlock(text=f"{TASK}\n\n<conversation>\n{transcript}\n</conversation>")
        asked = Message(id=new_id("msg"), role="user", blocks=(block,))
        request = Request(model=self._model, messages=(asked,), system=self._system, max_tokens=SUMMARY_TOKENS)
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
        if text := "".join(parts).strip():
            return text, end
        raise ProviderError("protocol", "The model gave no summary of the conversation, so no room could be made.")


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
