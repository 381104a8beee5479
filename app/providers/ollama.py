"""The `ollama` protocol: `/api/chat` of Ollama itself, newline-delimited JSON."""

import base64
import json
from collections.abc import Mapping
from typing import Any

from app.core.messages import ThinkingBlock, Usage
from app.core.provider import ModelInfo, Request
from app.providers.deltas import listed, text_of
from app.providers.errors import complaint, in_stream
from app.providers.history import ModelTurn, Said, UserTurn, picture_note, turns
from app.providers.listing import listed_models
from app.providers.models_known import sees_no_pictures
from app.providers.mould import Mould
from app.providers.openai_chat import cut_off
from app.providers.openai_request import level_of
from app.providers.reply import Reply
from app.providers.shapes import is_object, items_of, object_of
from app.providers.stops import broken, stop_of
from app.providers.think_tags import ThinkTags, Unopened
from app.providers.tool_calls import arguments_text
from app.providers.tool_schema import reduce_schema
from app.providers.usage import first, merged
from app.providers.wire import Address

CONTEXTS = (8192, 16384, 32768, 65536, 131072)
RESERVE = 4096
CHARS_A_TOKEN = 3.5


class Ollama:
    protocol = "ollama"

    def url(self, address: Address, request: Request) -> str:
        return f"{_root(address)}/api/chat"

    def headers(self, address: Address) -> Mapping[str, str]:
        return {"authorization": f"Bearer {address.api_key}"} if address.api_key else {}

    def body(self, address: Address, request: Request) -> dict[str, Any]:
        return ollama_body(address, request)

    def reading(self, address: Address, request: Request) -> "OllamaReading":
        return OllamaReading(Reply(self.protocol, address.origin))

    def models_url(self, address: Address) -> str:
        return f"{_root(address)}/api/tags"

    def models(self, listed: Any) -> list[ModelInfo]:
        return listed_models(listed)


def _root(address: Address) -> str:
    """Somebody who has its OpenAI address pasted it with `/v1`."""
    return address.base_url.removesuffix("/api/chat").removesuffix("/api").removesuffix("/v1")


class OllamaReading:
    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.mould: Mould | None = None
        self._tags = ThinkTags()
        self._said = Unopened(reply)
        self._reason: str | None = None

    def take(self, payload: Any) -> None:
        if not is_object(payload):
            return
        if ("done" not in payload and (error := complaint(payload))) or (error := payload.get("error")):
            raise in_stream(error)
        message = object_of(payload.get("message"))
        if thought := text_of(message.get("thinking") or payload.get("thinking")):
            self._think(thought)
        if said := text_of(message.get("content") or payload.get("response")):
            self._content(self._tags.feed(said))
        for image in items_of(message.get("images")):
            self._said.close()
            self.reply.picture(image)
        for call in filter(is_object, listed(message.get("tool_calls"))):
            self._call(call)
        if payload.get("model"):
            self.reply.model = str(payload["model"])
        if payload.get("done"):
            self.reply.all_said()
            self._reason = payload.get("done_reason")
            usage = Usage(input_tokens=first(payload, "prompt_eval_count"), output_tokens=first(payload, "eval_count"))
            self.reply.usage = merged(self.reply.usage, usage)

    def _content(self, parts: list[tuple[bool, str]]) -> None:
        for is_thinking, text in parts:
            (self._think if is_thinking else self._said.text)(text)

    def _think(self, text: str) -> None:
        self._said.close()
        self.reply.think(text)

    def _call(self, call: dict[str, Any]) -> None:
        self._said.close()
        self.reply.end()
        function = object_of(call.get("function") or call)
        draft = self.reply.call(str(call.get("id") or ""), str(function.get("name") or ""))
        arguments = arguments_text(function.get("arguments"))
        draft.pieces = [arguments] if arguments else []
        self.reply.call_text(draft, arguments)

    def end(self, done: bool) -> None:
        self._content(self._tags.close())
        self._said.close()
        if not self.reply.over:
            raise cut_off()
        self.reply.stop_detail = self._reason
        stop = stop_of(self._reason)
        if stop == "error":
            raise broken(self._reason)
        self.reply.finish(stop)


def ollama_body(address: Address, request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"model": request.model, "messages": _messages(address, request), "stream": True}
    if request.tools and request.tool_choice == "auto":  # it has no way to list tools and forbid them
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": reduce_schema(t.input_schema)},
            }
            for t in request.tools
        ]
    if request.thinking is not None:
        level = request.thinking if isinstance(request.thinking, str) else level_of(request.thinking)
        body["think"] = (level if level != "off" else "low") if "gpt-oss" in request.model else level != "off"
    options: dict[str, Any] = {"num_ctx": context_for(body, request.max_tokens)}
    if request.temperature is not None:
        options["temperature"] = request.temperature
    if request.max_tokens is not None:
        options["num_predict"] = request.max_tokens
    return {**body, "options": options}


def context_for(body: dict[str, Any], max_tokens: int | None) -> int:
    """Tokens of context to ask for: Ollama's own default is small and cuts the beginning off without a word.

    In steps, since each change loads the model again; the server lowers what the model cannot have.
    """
    chars = len(
        json.dumps([{k: v for k, v in m.items() if k != "images"} for m in body["messages"]], ensure_ascii=False)
    ) + len(json.dumps(body.get("tools") or ""))
    pictures = sum(len(m.get("images") or ()) for m in body["messages"])
    needed = chars / CHARS_A_TOKEN + pictures * 1024 + max(RESERVE, max_tokens or 0)
    return next((size for size in CONTEXTS if size >= needed), CONTEXTS[-1])


def _messages(address: Address, request: Request) -> list[dict[str, Any]]:
    pictures = address.vendor.quirks.images and not sees_no_pictures(request.model)
    out: list[dict[str, Any]] = [{"role": "system", "content": request.system}] if request.system.strip() else []
    for turn in turns(request):
        if isinstance(turn, UserTurn):
            out.append(_user(turn.parts, pictures))
        elif isinstance(turn, ModelTurn):
            if turn.text.strip() or turn.calls:
                out.append(_assistant(turn))
        else:
            out += [{"role": "tool", "tool_name": result.call.name, "content": result.text} for result in turn.results]
            if media := tuple(part for result in turn.results for part in result.media):
                out.append(_user(("[from the results above]", *media), pictures))
    return out


def _user(parts: tuple[Said, ...], pictures: bool) -> dict[str, Any]:
    texts = [part if isinstance(part, str) else picture_note(part) for part in parts if isinstance(part, str) or not pictures]
    message: dict[str, Any] = {"role": "user", "content": "\n\n".join(texts)}
    images = [base64.b64encode(part.media.data).decode() for part in parts if pictures and not isinstance(part, str)]
    return {**message, "images": images} if images else message


def _assistant(turn: ModelTurn) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if turn.calls:
        message["tool_calls"] = [{"function": {"name": call.name, "arguments": call.arguments}} for call in turn.calls]
        if thought := "".join(b.text for b in turn.blocks if isinstance(b, ThinkingBlock)):
            message["thinking"] = thought
    return message
