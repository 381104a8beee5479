"""What is going on in a conversation right now, folded from its events, for whoever opens it in the middle."""

from app.chat.said import (
    Elicitation,
    ElicitationClosed,
    ElicitationRequest,
    PendingApproval,
    Running,
    RunningTool,
    Said,
    Sampling,
    SamplingClosed,
    SamplingRequest,
)
from app.core.events import (
    ApprovalAnswer,
    ApprovalRequest,
    BlockDelta,
    BlockEnd,
    BlockStart,
    MessageEnd,
    MessageStart,
    RoundStart,
    TaskEnd,
    TaskStart,
    ToolEnd,
    ToolProgress,
    ToolStart,
)
from app.core.messages import Block, Message, TextBlock, ThinkingBlock, now_ms


class Live:
    """The running task, the message being written, tools in flight, open approvals and questions."""

    def __init__(self) -> None:
        self.running: Running | None = None
        self.approvals: dict[str, PendingApproval] = {}
        self.questions: dict[str, Elicitation] = {}
        self.samplings: dict[str, Sampling] = {}
        self.message: Message | None = None
        self._blocks: dict[int, Block] = {}
        self._parts: dict[int, list[str]] = {}
        self._tools: dict[str, RunningTool] = {}

    def fold(self, event: Said) -> None:
        """Take one event. The delta is the hot path and comes first."""
        if type(event) is BlockDelta:
            self._parts.setdefault(event.index, []).append(event.text)
            return
        match event:
            case BlockStart(index=index, block=block):
                self._blocks[index], self._parts[index] = block, []
            case BlockEnd(index=index, block=block):
                self._blocks[index] = block
                self._parts.pop(index, None)
            case MessageStart(message=message):
                self._begin(message)
            case MessageEnd(message=message):
                if self.message and self.message.id == message.id:
                    self._begin(None)
            case _:
                self._fold_task(event)

    def _begin(self, message: Message | None) -> None:
        self.message = message
        self._blocks.clear()
        self._parts.clear()

    def _fold_task(self, event: Said) -> None:
        match event:
            case TaskStart(task_id=task_id, started_ms=started):
                self.running = Running(task_id=task_id, round=0, started_ms=started)
            case RoundStart(round=number) if self.running:
                self.running = self.running.model_copy(update={"round": number})
            case ToolStart(call=call):
                self._tools[call.id] = RunningTool(call_id=call.id, started_ms=now_ms())
            case ToolProgress(call_id=call_id) if call_id in self._tools:
                update = {"progress": event.progress, "total": event.total, "message": event.message}
                self._tools[call_id] = self._tools[call_id].model_copy(update=update)
            case ToolEnd(result=result):
                self._tools.pop(result.tool_call_id, None)
                self._blocks |= {len(self._blocks) + n: b for n, b in enumerate(result.blocks)}
            case TaskEnd():
                self.running = None
                self.approvals.clear()
                self._tools.clear()
                self._begin(None)
            case _:
                self._fold_asked(event)

    def _fold_asked(self, event: Said) -> None:
        match event:
            case ApprovalRequest(call=call, reason=reason, ui_command=command, folder=folder, more_folders=more):
                asked = PendingApproval(call=call, reason=reason, ui_command=command, folder=folder, more_folders=more)
                self.approvals[call.id] = asked
            case ApprovalAnswer(call_id=call_id):
                self.approvals.pop(call_id, None)
            case ElicitationRequest(elicitation=question):
                self.questions[question.request_id] = question
            case ElicitationClosed(request_id=request_id):
                self.questions.pop(request_id, None)
            case SamplingRequest(sampling=sampling):
                self.samplings[sampling.request_id] = sampling
            case SamplingClosed(request_id=request_id):
                self.samplings.pop(request_id, None)
            case _:
                pass

    @property
    def asked_for_model(self) -> bool:
        """Whether a server's question to the model waits for the person."""
        return any(s.state != "running" for s in self.samplings.values())

    def partial(self) -> Message | None:
        """The message being written, as far as it has come; its stop_reason is None."""
        if self.message is None:
            return None
        blocks = tuple(self._so_far(i) for i in sorted(self._blocks))
        return self.message.model_copy(update={"blocks": blocks})

    def _so_far(self, index: int) -> Block:
        block, parts = self._blocks[index], self._parts.get(index)
        if parts and isinstance(block, TextBlock | ThinkingBlock):
            return block.model_copy(update={"text": block.text + "".join(parts)})
        return block

    def state(self) -> Running | None:
        """The running task as `opened` tells it."""
        if self.running is None:
            return None
        update = {
            "message_id": self.message.id if self.message else None,
            "open_blocks": tuple(sorted(self._parts)),
            "tools": tuple(self._tools.values()),
        }
        return self.running.model_copy(update=update)
