"""A terminal as a window: prints what a conversation says, as text or as JSON lines, and asks on the keyboard."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TextIO

from app.chat.asked import Sampling, SamplingRequest
from app.chat.questions import Questions
from app.chat.refused import Refused
from app.chat.said import Elicitation, ElicitationRequest, Notice, Said
from app.chat.sampling import SamplingDesk
from app.chat.session import Session
from app.chat.windows import Window
from app.cli.form import fill_in
from app.core.cards import Card, CardAction, LinkAction, UiCommandAction
from app.core.events import (
    ApprovalRequest,
    BlockDelta,
    BlockEnd,
    BlockStart,
    MessageEnd,
    Retry,
    TaskEnd,
    ToolEnd,
    ToolStart,
    writer,
)
from app.core.messages import CardBlock, TextBlock, ToolCall
from app.core.outline import outline

OF_THE_WINDOW = ("opened", "ui_command", "card_state", "queue_changed", "notice")
ASKED = ("elicitation_request", "elicitation_closed", "sampling_request", "sampling_closed")


def _wrote(out: TextIO, text: str) -> bool:
    """Whether it was written; False when whoever read went away, and the task goes on."""
    try:
        out.write(text)
        out.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())  # for the interpreter's own flush at exit
        return False
    return True


class JsonLines(Window):
    """One event a line on stdout, each flushed as it happens."""

    def __init__(self, out: TextIO = sys.stdout):
        super().__init__()
        self.executes = False
        self._out = out
        self._gone = False

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        if event.type in (*OF_THE_WINDOW, *ASKED) or event.type.endswith("_changed"):
            return
        told = writer(type(event)).dump_json(event).decode()
        if self._gone:
            return
        line = f'{{"conversation_id": {json.dumps(conversation_id)}, "seq": {seq}, "event": {told}}}\n'
        self._gone = not _wrote(self._out, line)


class Terminal(Window):
    """The reply's text on stdout as it streams, everything else on stderr."""

    def __init__(
        self,
        answer: Callable[[str, str], None] | None = None,
        questions: Questions | None = None,
        sampling: SamplingDesk | None = None,
    ):
        super().__init__()
        self.executes = False
        self._answer = answer
        self._questions = questions
        self._sampling = sampling
        self._shown: set[int] = set()
        self._wrote = False
        self._gone = False
        self._asking: set[asyncio.Task[None]] = set()

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        match event:
            case BlockStart(block=TextBlock(text=text), index=index):
                self._shown.add(index)
                self._write(text)
            case BlockDelta(index=index, text=text) if index in self._shown:
                self._write(text)
            case BlockEnd(index=index):
                self._shown.discard(index)
            case MessageEnd(message=message):
                self._shown.clear()
                self._line()
                if message.role == "assistant" and message.stop_reason in ("content_filter", "refusal", "length"):
                    self._aside(f"({message.stop_reason}: {message.stop_detail or 'the reply ends here'})")
            case Notice(message=words):
                self._aside(words)
            case _:
                self._tell_aside(event)

    def _tell_aside(self, event: Said) -> None:
        match event:
            case ToolStart(call=call):
                self._aside(f"→ {call_line(call)}")
            case ToolEnd(result=result):
                first = result.text.strip().splitlines()
                self._aside(f"{'✗' if result.is_error else '✓'} {first[0][:200] if first else ''}")
                for block in result.blocks:
                    if isinstance(block, CardBlock):
                        print(card_lines(block.card), file=sys.stderr)
            case Retry(attempt=attempt, of=of, delay_ms=delay, reason=reason):
                self._aside(f"… {reason} Try {attempt} of {of} in {delay / 1000:.1f} s.")
            case ApprovalRequest() if self._answer:
                self._begin(self._ask(event))
            case ElicitationRequest(elicitation=question) if self._questions:
                self._begin(self._fill_in(question, self._questions))
            case SamplingRequest(sampling=asked) if self._sampling and asked.state == "asked":
                self._begin(self._lend(asked, self._sampling))
            case TaskEnd(reason=reason, error=error) if reason != "done":
                self._aside(error.message if error else f"Ended: {reason}.")
            case _:
                pass

    def _begin(self, asking: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(asking)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _fill_in(self, question: Elicitation, questions: Questions) -> None:
        """Until the form is filled in as it should be, or is not asked any more."""
        while True:
            action, content = await asyncio.to_thread(fill_in, question)
            try:
                questions.answer(question.request_id, action, content)
            except Refused as refused:
                self._aside(refused.message)
                if refused.kind == "invalid":
                    continue
            return

    async def _lend(self, asked: Sampling, desk: SamplingDesk) -> None:
        """May a server ask the model; what it asks is shown whole."""
        said = (await asyncio.to_thread(_read_line, sampling_lines(asked))).strip().lower()[:1]
        with contextlib.suppress(Refused):  # it is not asked any more
            desk.answer(asked.request_id, "once" if said == "y" else "always" if said == "a" else "deny", review=False)

    async def _ask(self, asked: ApprovalRequest) -> None:
        call, what = asked.call, call_line(asked.call)
        folders = "\n".join((asked.folder or "", *asked.more_folders))
        if asked.folder and asked.reason == "folder":
            what = f"this folder, with everything in it, for {what}\n{folders}"
        elif asked.folder:
            what = f"{what}, and with it this folder, which is outside the allowed ones?\n{folders}"
        question = f"Allow {what}\n[y] once  [c] in this conversation  [a] always  [N] no: "
        said = (await asyncio.to_thread(_read_line, question)).strip().lower()[:1]
        decision = {"y": "once", "c": "conversation", "a": "always"}.get(said, "deny")
        if self._answer:
            self._answer(call.id, decision)

    def _write(self, text: str) -> None:
        if not self._gone:
            self._gone = not _wrote(sys.stdout, text)
            self._wrote = self._wrote or bool(text)

    def _line(self) -> None:
        if self._wrote and not self._gone:
            self._gone = not _wrote(sys.stdout, "\n")
        self._wrote = False

    def _aside(self, text: str) -> None:
        self._line()
        print(text, file=sys.stderr, flush=True)


def card_lines(card: Card) -> str:
    """The card as text, a line for each button: with what it says, which may be typed here, or where it leads."""
    whole = outline(card.model_copy(update={"actions": ()}))
    return "\n".join([whole, *map(_button_line, card.actions)])


def _button_line(action: CardAction) -> str:
    match action.action:
        case UiCommandAction(command="send_message", payload=payload):
            more = str(payload.get("text", ""))
        case LinkAction(url=url):
            more = url
        case _:
            more = ""
    label = " ".join(action.label.split())
    return f"  - {label}: {more}" if more and more != action.label else f"  - {label}"


def call_line(call: ToolCall) -> str:
    """The exact call, whole."""
    arguments = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in call.arguments.items())
    return f"{call.server or ''} {call.tool or call.name}({arguments})".strip()


def sampling_lines(asked: Sampling) -> str:
    """A server's question to the model, whole, with what it may cost."""
    lines = [f"{asked.server} wants to ask {asked.model or asked.provider}:"]
    lines += [f"instructions: {asked.system}"] if asked.system else []
    lines += [f"{m.role}: {block.text}" for m in asked.messages for block in m.blocks if isinstance(block, TextBlock)]
    beside = sum(not isinstance(block, TextBlock) for m in asked.messages for block in m.blocks)
    lines += [f"({beside} more parts that are no text)"] if beside else []
    lines += [f"its tools: {', '.join(asked.tools)}"] if asked.tools else []
    price = "price not known" if asked.cost is None else f"at most ${asked.cost:.4f}"
    lines += [f"({price}: about {asked.input_tokens} tokens in, up to {asked.max_tokens} out)"]
    return "\n".join([*lines, f"[y] allow once  [a] always for {asked.server}  [N] no: "])


def _read_line(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def answering(session: Session) -> Callable[[str, str], None]:
    """How a terminal's answers reach the session; late ones are dropped."""

    def answer(call_id: str, decision: str) -> None:
        for known in ("once", "conversation", "always", "deny"):
            if decision == known:
                session.approvals.answer(call_id, known, "tool")

    return answer


def interactive() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
