"""The demo model: scripted, no AI, and it says so. It calls real tools by simple rules through the real loop."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from app.core.events import ModelEvent
from app.core.messages import CardBlock, Message, ToolResultBlock, UiCommandBlock
from app.core.provider import ModelInfo, ProviderError, Request
from app.core.tools import ToolSpec, find_spec
from app.providers.demo_calls import Wish, bracketed, fitted
from app.providers.demo_rules import LOOKED_AT, Rule, wish_for
from app.providers.demo_script import ScriptError, ScriptLine, playing
from app.providers.demo_words import WORDS, language_of, say, without_server
from app.providers.reply import Reply

WORD_SECONDS, TOTAL_SECONDS = 0.006, 0.6
EXCERPT = 600
SAY = re.compile(r"(?:\bsay|\breply with|\banswer with)(?: exactly)?:?\s*[\"“](?P<words>[^\"”]{1,400})[\"”]", re.IGNORECASE)
DENIED = "The user did not allow this"
"""How a result begins that the person's no has given."""
NOTHING = "Say that nothing was found"
GUIDE_WISHES = (
    ("quiz", "pokemon_start"),
    ("shop", "product_search"),
    ("theme", "update_theme"),
    ("window", "resize_window"),
    ("files", "list_directory"),
    ("memory", "read_graph"),
)


class DemoProvider:
    """`sleep` makes the answer stream; a test gives one that does not wait."""

    name = "demo"

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        reply = Reply("demo", "demo")
        line = self._script(request)
        pauses = _played(reply, line) if isinstance(line, ScriptLine) else _answered(reply, request, line)
        pause = line.delay_ms / 1000 if isinstance(line, ScriptLine) else min(WORD_SECONDS, TOTAL_SECONDS / max(1, pauses))
        for event in reply.events:
            if event.type == "block_delta" and pause > 0:
                await self._sleep(pause)
            yield event
        if isinstance(line, ScriptLine) and line.error:
            raise ProviderError(line.error.kind, line.error.message, line.error.detail)

    def _script(self, request: Request) -> ScriptLine | str | None:
        """The line to play, or why it cannot be, or None."""
        try:
            return playing(request.messages)
        except ScriptError as error:
            return say(_language(request), "script_bad", text=error)

    async def models(self) -> list[ModelInfo]:
        return [ModelInfo("demo", "Demo (scripted, no AI)", tools=True, vision=False, thinking=False)]

    async def aclose(self) -> None:
        """Nothing is open."""


def _played(reply: Reply, line: ScriptLine) -> int:
    for block in line.blocks:
        if block.type == "tool_call":
            arguments = block.arguments if isinstance(block.arguments, str) else json.dumps(block.arguments, ensure_ascii=False)
            _call(reply, block.name, arguments, block.id or "")
        else:
            reply.begin("thinking" if block.type == "thinking" else "text")
            for delta in block.deltas if block.deltas is not None else (block.text,):
                (reply.think if block.type == "thinking" else reply.text)(delta)
            reply.end()
    reply.usage, reply.model, reply.stop_detail = line.usage, line.model, line.stop_detail
    if line.error is None:
        reply.finish(line.stop_reason or "end")
    return len(reply.events)


def _answered(reply: Reply, request: Request, trouble: str | None) -> int:
    language = _language(request)
    last = next((m for m in reversed(request.messages) if m.role in ("user", "tool")), None)
    if trouble is not None:
        _say(reply, trouble)
    elif request.tool_choice == "none":
        _say(reply, say(language, "not_now"))
    elif last is not None and last is request.messages[-1] and last.role == "tool":
        _say(reply, _after_tools(request, last, language))
    else:
        _obey(reply, request, last, language)
    reply.finish("end")
    return len(reply.events)


def _language(request: Request) -> str:
    """Of what the person wrote; a button's text tells by its words only where nothing was typed."""
    users = [m for m in request.messages if m.role == "user"]
    typed = [m for m in users if not m.origin and not m.text.startswith("!")]
    return language_of([m.text[:LOOKED_AT] for m in ([m for m in users if m.origin] + typed)[-50:]])


def _obey(reply: Reply, request: Request, last: Message | None, language: str) -> None:
    text = last.text if last else ""
    prefer = last.origin.server if last and last.origin else None
    calls = bracketed(text)
    if calls:
        for wish in calls:
            _wish(reply, request, wish, prefer, language)
        return
    met = wish_for(text, language)
    if met is None:
        _guide(reply, request, language)
        return
    rule, wish = met
    spec = _tool_of(rule, request)
    if spec is None:
        _say(reply, without_server(language, rule.tools[0], rule.server))
    else:
        _call(reply, spec.name, json.dumps(_known_only(wish.arguments, spec), ensure_ascii=False))


def _wish(reply: Reply, request: Request, wish: Wish, prefer: str | None, language: str) -> None:
    """Under the name it was written with: the loop resolves bare names, after a card its server's first."""
    spec = find_spec(request.tools, wish.name, prefer)
    if spec is None and not any(t.tool == wish.name for t in request.tools):
        server, _, tool = wish.name.partition("__")
        if any(t.server == server for t in request.tools):
            _say(reply, say(language, "no_tool_there", tool=tool, server=server))
        else:
            _say(reply, without_server(language, tool, server) if tool else say(language, "no_name", tool=wish.name))
        return
    arguments = fitted(wish.arguments, spec.input_schema) if spec else wish.arguments
    _call(reply, wish.name, json.dumps(arguments, ensure_ascii=False))


def _tool_of(rule: Rule, request: Request) -> ToolSpec | None:
    """The rule's tool: on its own server first, else wherever one of that name is."""
    named = [spec for tool in rule.tools for spec in request.tools if spec.tool == tool]
    return next((spec for spec in named if spec.server == rule.server), named[0] if named else None)


def _known_only(arguments: dict[str, Any], spec: ToolSpec) -> dict[str, Any]:
    """A server of that name that somebody else wrote may not know an optional argument."""
    properties: dict[str, Any] = spec.input_schema.get("properties") or {}
    return {key: value for key, value in arguments.items() if not properties or key in properties}


def _guide(reply: Reply, request: Request, language: str) -> None:
    there = {spec.tool for spec in request.tools}
    wishes = [say(language, key) for key, tool in GUIDE_WISHES if tool in there]
    show = next((spec for spec in request.tools if spec.tool == "show_card" and spec.server == "leochat"), None)
    if show is None:
        guide = say(language, "guide" if wishes else "guide_alone")
        _say(reply, "\n".join([guide, *(f"- {wish}" for wish in wishes)]))
        return
    actions = [
        {
            "id": f"wish_{at}",
            "label": wish,
            "kind": "primary" if at == 0 else "secondary",
            "action": {"type": "ui-command", "command": "send_message", "payload": {"text": wish}},
        }
        for at, wish in enumerate(wishes)
    ]
    card = {
        "id": "demo_guide",
        "kind": "summary",
        "title": say(language, "guide_title"),
        "body": [{"type": "text", "text": say(language, "guide")}],
        "actions": actions,
    }
    _call(reply, show.name, json.dumps({"card": card}, ensure_ascii=False))


def _after_tools(request: Request, message: Message, language: str) -> str:
    """One short sentence on what the tools gave, in the words a result asks for if it asks for some."""
    results = [b for b in message.blocks if isinstance(b, ToolResultBlock)]
    if not results:
        return say(language, "empty")
    if asked := next((found.group("words") for r in results if (found := SAY.search(r.text))), None):
        return asked
    if len(results) > 1 and not any(r.is_error for r in results):
        return say(language, "several", count=len(results))
    result = next((r for r in results if r.is_error), results[0])
    if result.is_error and result.text.startswith(DENIED):
        return say(language, "denied")
    if result.is_error:
        return say(language, "failed", text=_first_line(result.text))
    ui = next((b for b in message.blocks if isinstance(b, UiCommandBlock) and b.tool_call_id == result.tool_call_id), None)
    if ui is not None:
        return say(language, "done" if ui.result.executed else "not_done", text=ui.result.message)
    return _on_result(request, message, result, language)


def _on_result(request: Request, message: Message, result: ToolResultBlock, language: str) -> str:
    call = next((c for m in reversed(request.messages) for c in m.calls if c.id == result.tool_call_id), None)
    tool = (call.tool or call.name.rpartition("__")[2]) if call else ""
    if tool == "show_card":
        return say(language, "guide_after")
    if tool == "product_search" and NOTHING in result.text:
        return say(language, "product_none")
    if tool in WORDS[language]:
        return say(language, tool)
    if any(isinstance(b, CardBlock) and b.tool_call_id == result.tool_call_id for b in message.blocks):
        return say(language, "card")
    text = result.text.strip()
    return say(language, "text", text=text[:EXCERPT] + ("…" if len(text) > EXCERPT else "")) if text else say(language, "empty")


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:300]


def _say(reply: Reply, text: str) -> None:
    for word in re.findall(r"\s*\S+|\s+$", text):
        reply.text(word)
    reply.end()


def _call(reply: Reply, name: str, arguments: str, call_id: str = "") -> None:
    """A call in a few pieces, as real models stream it."""
    reply.end()
    draft = reply.call(call_id, name)
    size = max(24, len(arguments) // 8 + 1)
    for at in range(0, len(arguments), size):
        piece = arguments[at : at + size]
        draft.pieces.append(piece)
        reply.call_text(draft, piece)
    reply.end_call(draft)
