"""Every call has exactly one result: find the calls at a branch's end that have none, and give them one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.core.events import ToolResult
from app.core.messages import Block, Message, ToolCall, ToolResultBlock, new_id

INTERRUPTED = "Interrupted: its effects are unknown. Check before repeating it."
GOES_ON = "LeoChat was closed, but the server goes on with this call. Make the same call again to get its result."
STOPPED = "The user stopped the task while this call was running: its effects are unknown."
NOT_RUN = "The user stopped the task before this call was run."
NOT_ALLOWED = "This call was not run: LeoChat was closed before the user had answered whether it may."


def plain_result(call: ToolCall, text: str, *, is_error: bool = True) -> ToolResult:
    """A result that is only text."""
    block = ToolResultBlock(tool_call_id=call.id, text=text, is_error=is_error)
    return ToolResult(call.id, text, is_error, (block,))


@dataclass(frozen=True, slots=True)
class OpenCalls:
    """The last reply's calls of which some have no result; `answer` is the tool message begun for them, if one was."""

    message: Message
    answer: Message | None
    done: dict[str, ToolResult]

    def closed(self, text: str, asked: Collection[str] = ()) -> Message:
        """The tool message with `text` as the error result of every call that has none; `asked` were not allowed yet."""
        results = {
            c.id: self.done.get(c.id) or plain_result(c, NOT_ALLOWED if c.id in asked else text) for c in self.message.calls
        }
        answer = self.answer or Message(id=new_id("msg"), role="tool", parent_id=self.message.id)
        return with_results(answer, self.message, results)


def open_calls(history: Sequence[Message]) -> OpenCalls | None:
    """What is unanswered at the end of a branch, or None."""
    last = history[-1] if history else None
    if last and last.role == "tool" and len(history) > 1:
        done = results_in(last)
        return OpenCalls(history[-2], last, done) if {c.id for c in history[-2].calls} - set(done) else None
    return OpenCalls(last, None, {}) if last and last.calls else None


def with_results(answer: Message, message: Message, done: Mapping[str, ToolResult]) -> Message:
    """The tool message with the results there are, in call order."""
    blocks: list[Block] = [b for c in message.calls if c.id in done for b in done[c.id].blocks]
    return answer.model_copy(update={"blocks": tuple(blocks)})


def results_in(message: Message) -> dict[str, ToolResult]:
    """The results in a tool message, by call id."""
    groups: dict[str, list[Block]] = {}
    for block in message.blocks:
        call_id: str | None = getattr(block, "tool_call_id", None)
        if call_id:
            groups.setdefault(call_id, []).append(block)
    found: dict[str, ToolResult] = {}
    for call_id, blocks in groups.items():
        if isinstance(first := blocks[0], ToolResultBlock):
            found[call_id] = ToolResult(call_id, first.text, first.is_error, tuple(blocks))
    return found
