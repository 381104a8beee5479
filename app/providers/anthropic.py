"""The `anthropic` protocol: the Messages API, streamed."""

from collections.abc import Mapping
from typing import Any

from app.core.provider import ModelInfo, Request
from app.providers.anthropic_request import messages_body
from app.providers.errors import complaint, in_stream
from app.providers.listing import listed_models
from app.providers.mould import Mould
from app.providers.openai_chat import cut_off
from app.providers.reply import Reply
from app.providers.shapes import is_object, object_of
from app.providers.stops import broken, stop_of
from app.providers.tool_calls import CallDraft, arguments_text
from app.providers.usage import anthropic_usage
from app.providers.wire import Address

VERSION = "2023-06-01"


class Anthropic:
    protocol = "anthropic"

    def url(self, address: Address, request: Request) -> str:
        return f"{_root(address)}/v1/messages"

    def headers(self, address: Address) -> Mapping[str, str]:
        headers = {"anthropic-version": VERSION}
        if address.api_key:
            headers["x-api-key"] = address.api_key
            if address.origin != "anthropic":  # gateways and local servers look in either place
                headers["authorization"] = f"Bearer {address.api_key}"
        return headers

    def body(self, address: Address, request: Request) -> dict[str, Any]:
        return messages_body(address, request)

    def reading(self, address: Address, request: Request) -> "MessagesReading":
        return MessagesReading(Reply(self.protocol, address.origin))

    def models_url(self, address: Address) -> str:
        return f"{_root(address)}/v1/models?limit=1000"

    def models(self, listed: Any) -> list[ModelInfo]:
        return listed_models(listed)


def _root(address: Address) -> str:
    return address.base_url.removesuffix("/messages").removesuffix("/v1")


class MessagesReading:
    """Reads events, or one whole message."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.mould: Mould | None = Mould(more_text, reply.texts)
        self._calls: dict[Any, CallDraft] = {}
        self._inputs: dict[Any, Any] = {}
        self._raw: dict[Any, dict[str, Any]] = {}
        self._raw_text: dict[Any, list[str]] = {}
        self._signature = ""
        self._citations: list[Any] = []
        self._begun = ""
        self._stop: str | None = None

    def take(self, payload: Any) -> None:
        if payload.__class__ is not dict:
            return
        kind = payload.get("type")
        if kind == "content_block_delta":
            delta = object_of(payload.get("delta"))
            if delta.get("type", "text_delta") == "text_delta" and "text" in delta:  # the hot path
                self._text(delta["text"])
            else:
                self._delta(payload.get("index"), delta)
        elif kind == "content_block_start":
            self._start(payload.get("index"), object_of(payload.get("content_block")))
        elif kind == "content_block_stop":
            self._stop_block(payload.get("index"))
        else:
            self._about_message(kind, payload)

    def _text(self, text: Any) -> None:
        """Some servers begin a block with its first words and say them again."""
        if self._begun:
            text, self._begun = "" if text == self._begun else text, ""
        self.reply.text(text or "")

    def _about_message(self, kind: Any, payload: dict[str, Any]) -> None:
        match kind:
            case "message_start":
                self._message(object_of(payload.get("message")))
            case "message_delta":
                delta = object_of(payload.get("delta"))
                self._ended(delta)
                self._count(payload.get("usage") or delta.get("usage"))
            case "message_stop":
                self._count(payload.get("usage"))
                self.reply.all_said()
            case "message":
                self._whole(payload)
            case _:
                if error := complaint(payload):
                    raise in_stream(error)
                if kind is None and payload.get("content"):
                    self._whole(payload)

    def _message(self, message: dict[str, Any]) -> None:
        if message.get("model"):
            self.reply.model = str(message["model"])
        self._count(message.get("usage"))

    def _whole(self, message: dict[str, Any]) -> None:
        """A message in one piece; after a stream it is the same said once more (MiniMax)."""
        self._message(message)
        content = () if self.reply.started else message.get("content") or ()
        for index, block in enumerate([{"type": "text", "text": content}] if isinstance(content, str) else content):
            self._start(index, object_of(block))
            self._stop_block(index)
        self._ended(message)
        self.reply.all_said()

    def _ended(self, delta: dict[str, Any]) -> None:
        if delta.get("stop_reason"):
            self._stop = str(delta["stop_reason"])
        details = object_of(delta.get("stop_details"))
        said = details.get("explanation") or details.get("category")
        self.reply.stop_detail = f"{self._stop}: {said}" if said else self._stop

    def _count(self, usage: dict[str, Any] | None) -> None:
        if usage:
            self.reply.usage = anthropic_usage(usage, self.reply.usage)

    def _start(self, index: Any, block: dict[str, Any]) -> None:
        self._close()
        self._calls.pop(index, None)  # a number given anew, the call before it stays as it is
        match block.get("type"):
            case "text":
                self._citations += block.get("citations") or ()
                self._begun = str(block.get("text") or "")
                self.reply.text(self._begun)
            case "thinking":
                self.reply.begin("thinking")
                self._signature = block.get("signature") or ""
                self.reply.think(block.get("thinking") or "")
            case "redacted_thinking":
                self.reply.whole("thinking", "", {"redacted": block.get("data")})
            case "tool_use":
                self._calls[index] = self.reply.call(str(block.get("id") or ""), str(block.get("name") or ""))
                self._inputs[index] = block.get("input")
            case _:
                self._raw[index] = dict(block)
                self._raw_text[index] = []

    def _delta(self, index: Any, delta: dict[str, Any]) -> None:
        match delta.get("type"):
            case "thinking_delta" | None:
                self.reply.think(delta.get("thinking") or "")
            case "signature_delta":
                self._signature += delta.get("signature") or ""
            case "input_json_delta":
                self._json(index, arguments_text(delta.get("partial_json")))
            case "citations_delta":
                self._citations.append(delta.get("citation"))
            case _:
                if index in self._raw and delta.get("content") is not None:
                    before = self._raw[index].get("content")
                    self._raw[index]["content"] = (
                        before + delta["content"]
                        if isinstance(before, str) and isinstance(delta["content"], str)
                        else delta["content"]
                    )

    def _json(self, index: Any, text: str) -> None:
        if index in self._calls:
            if text:
                self._calls[index].pieces.append(text)
                self.reply.call_text(self._calls[index], text)
        elif index in self._raw_text:
            self._raw_text[index].append(text)

    def _stop_block(self, index: Any) -> None:
        """The end of a block: what must go back verbatim is laid beside it. A call waits for the stop reason."""
        if index in self._calls:
            draft, given = self._calls[index], self._inputs.pop(index, None)
            if not draft.pieces and given:
                draft.pieces.append(arguments_text(given))
                self.reply.call_text(draft, draft.raw)
        elif index in self._raw:
            block, text = self._raw.pop(index), "".join(self._raw_text.pop(index))
            self.reply.whole("text", "", {"block": {**block, "input": _json_or_text(text)} if text else block})
        else:
            self._close()

    def _close(self) -> None:
        """The open block is whole, also where its end was never told."""
        if self._signature and self.reply.open:
            self.reply.mark({"signature": self._signature})
        elif self._citations:
            self.reply.mark({"citations": self._citations})
        self._signature, self._citations, self._begun = "", [], ""
        self.reply.end()

    def end(self, done: bool) -> None:
        self._close()
        if not (self._stop or self.reply.over or (done and self.reply.started)):
            raise cut_off()
        stop = stop_of(self._stop)
        if stop == "error":
            raise broken(self._stop)
        self.reply.finish(stop)


def more_text(payload: Any) -> str | None:
    delta = object_of(payload.get("delta")) if is_object(payload) and payload.get("type") == "content_block_delta" else {}
    text = delta.get("text")
    return text if delta.get("type") == "text_delta" and isinstance(text, str) else None


def _json_or_text(text: str) -> Any:
    from app.providers.body import parse

    try:
        return parse(text.encode())
    except ValueError:
        return text
