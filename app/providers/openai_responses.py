"""The `openai-responses` protocol: `/responses`, stateless, with encrypted reasoning kept and sent back."""

from collections.abc import Mapping
from typing import Any

from app.core.provider import ModelInfo, Request
from app.providers.deltas import text_of
from app.providers.errors import complaint, in_stream
from app.providers.listing import listed_models
from app.providers.mould import Mould
from app.providers.openai_chat import cut_off, openai_headers
from app.providers.reply import Reply
from app.providers.responses_request import responses_body
from app.providers.sentences import failure
from app.providers.shapes import is_object, items_of, object_of
from app.providers.tool_calls import CallDraft, arguments_text
from app.providers.usage import openai_usage
from app.providers.wire import Address

REASON = (
    *("response.reasoning_text.delta", "response.reasoning_summary_text.delta"),
    *("response.reasoning.delta", "response.reasoning_summary.delta"),
)
CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""Kinds of items that want a result, and where their arguments are."""
OVER = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")


class OpenAIResponses:
    protocol = "openai-responses"

    def url(self, address: Address, request: Request) -> str:
        base, _, query = address.base_url.partition("?")
        path = base if base.endswith("/responses") else f"{base.rstrip('/')}/responses"
        return f"{path}?{query}" if query else path

    def headers(self, address: Address) -> Mapping[str, str]:
        return openai_headers(address)

    def body(self, address: Address, request: Request) -> dict[str, Any]:
        return responses_body(address, request)

    def reading(self, address: Address, request: Request) -> "ResponsesReading":
        return ResponsesReading(Reply(self.protocol, address.origin), request.model)

    def models_url(self, address: Address) -> str:
        base, _, query = address.base_url.partition("?")
        return f"{base.removesuffix('/responses').rstrip('/')}/models" + (f"?{query}" if query else "")

    def models(self, listed: Any) -> list[ModelInfo]:
        return listed_models(listed)


class ResponsesReading:
    """Reads events, or one whole response. An item is known by its place in the output, and its id where several share one."""

    def __init__(self, reply: Reply, model: str) -> None:
        self.reply = reply
        self.mould: Mould | None = None
        self._model = model
        self._calls: dict[Any, CallDraft] = {}
        self._spoken: set[Any] = set()
        self._speaking: Any = None
        self._part: Any = None
        self._refusal = ""
        self._status: str | None = None
        self._detail: str | None = None

    def take(self, payload: Any) -> None:
        if not is_object(payload):
            return
        kind = payload.get("type")
        if kind == "response.output_text.delta":
            self._say(payload, thinking=False)
        elif kind in REASON:
            self._say(payload, thinking=True)
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            self._arguments(payload, arguments_text(payload.get("delta")))
        elif kind in OVER or payload.get("object") == "response":
            self._over(object_of(payload.get("response")) or payload)
        elif kind in ("error", "response.error") or not str(kind).startswith("response."):
            if error := complaint(payload):
                raise in_stream(error)
        else:
            self._item(kind, payload)

    def _item(self, kind: Any, payload: dict[str, Any]) -> None:
        match kind:
            case "response.output_item.added":
                self._added(place(payload), object_of(payload.get("item")))
            case "response.output_item.done":
                self._done(place(payload), object_of(payload.get("item")))
            case "response.function_call_arguments.done":
                if draft := self._draft(payload):
                    self._whole_call(draft, payload.get("arguments"))
            case "response.output_text.done":
                if ("message", place(payload)) not in self._spoken:
                    self._say({**payload, "delta": payload.get("text")}, thinking=False)
            case "response.refusal.delta":
                self._refusal += str(payload.get("delta") or "")
            case "response.refusal.done":
                self._refusal = self._refusal or str(payload.get("refusal") or "")
            case "response.created" | "response.in_progress":
                self.reply.model = self.reply.model or object_of(payload.get("response")).get("model")
            case _:
                pass

    def _say(self, payload: dict[str, Any], *, thinking: bool) -> None:
        spot = ("reasoning" if thinking else "message", place(payload))
        text = text_of(payload.get("delta"))
        if spot != self._speaking:
            self.reply.end()
            self._speaking, self._part = spot, payload.get("summary_index")
        self._spoken.add(spot)
        if not thinking:
            self.reply.text(text)
            return
        if payload.get("summary_index") != self._part:  # the parts of a summary are paragraphs
            self._part = payload.get("summary_index")
            text = f"\n\n{text}"
        self.reply.think(text)

    def _added(self, index: Any, item: dict[str, Any]) -> CallDraft | None:
        """A new item; some servers give several the same number, or the same call a second time."""
        kind, call_id = item.get("type"), str(item.get("call_id") or item.get("id") or "")
        if kind not in CALLS:
            self._spoken.discard((kind, index))
            return None
        names = [(index, name) for name in (item.get("id"), call_id) if name]
        for spot in (*names, index):
            known = self._calls.get(spot)
            if known is not None and (not call_id or known.given_id == call_id):
                return known
        self.reply.end()
        draft = self.reply.call(call_id, str(item.get("name") or ""))
        self._calls |= dict.fromkeys((*names, index), draft)
        return draft

    def _draft(self, payload: dict[str, Any]) -> CallDraft | None:
        index = place(payload)
        return self._calls.get((index, payload.get("item_id"))) or self._calls.get(index)

    def _arguments(self, payload: dict[str, Any], text: str) -> None:
        draft = self._draft(payload)
        if draft is not None and text:
            draft.pieces.append(text)
            self.reply.call_text(draft, text)

    def _done(self, index: Any, item: dict[str, Any]) -> None:
        match item.get("type"):
            case "function_call" | "custom_tool_call" as kind:
                if draft := self._added(index, item):
                    self._whole_call(draft, item.get(CALLS[kind]))
            case "message":
                self._whole_message(("message", index), item)
            case "reasoning":
                self._whole_reasoning(("reasoning", index), item)
            case "image_generation_call" if item.get("result"):
                self.reply.picture(item["result"], f"image/{item.get('output_format') or 'png'}")
            case None:
                pass
            case _:
                self.reply.whole("text", "", {"item": item})

    def _whole_call(self, draft: CallDraft, arguments: Any) -> None:
        """The finished item is right where its deltas were not (or never came)."""
        text = arguments_text(arguments)
        if text and text != draft.raw and not draft.whole():
            if not draft.raw:
                draft.pieces = [text]
                self.reply.call_text(draft, text)
            elif text.startswith(draft.raw):
                rest = text[len(draft.raw) :]
                draft.pieces.append(rest)
                self.reply.call_text(draft, rest)

    def _whole_message(self, spot: Any, item: dict[str, Any]) -> None:
        parts = [part for part in item.get("content") or () if is_object(part)]
        if spot not in self._spoken:
            self.reply.end()
            self._spoken.add(spot)
            self.reply.text("".join(str(part.get("text") or "") for part in parts if part.get("type") != "refusal"))
        if not self._refusal:
            self._refusal = "".join(str(part.get("refusal") or "") for part in parts)
        if item.get("phase"):
            self.reply.mark({"phase": item["phase"]})
        self.reply.end()
        self._speaking = None

    def _whole_reasoning(self, spot: Any, item: dict[str, Any]) -> None:
        kept = (
            {"item": {k: v for k, v in item.items() if k != "status"}, "model": self._model}
            if item.get("encrypted_content")
            else None
        )
        if spot not in self._spoken:
            self.reply.end()
            self._spoken.add(spot)
            parts = [*(item.get("summary") or ()), *(item.get("content") or ())]
            text = "\n\n".join(str(part.get("text") or "") for part in parts if is_object(part))
            if text or kept:
                self.reply.whole("thinking", text, kept)
        elif self._speaking == spot:
            if kept:
                self.reply.mark(kept)
            self.reply.end()
            self._speaking = None
        elif kept:
            self.reply.whole("thinking", "", kept)

    def _over(self, response: dict[str, Any]) -> None:
        heard = {kind for kind, _ in self._spoken}
        for at, item in enumerate(map(object_of, items_of(response.get("output")))):
            if self._is_new(item, heard):
                self._done(("at the end", at), item)
        self.reply.model = response.get("model") or self.reply.model
        if response.get("usage"):
            self.reply.usage = openai_usage(response["usage"], self.reply.usage)
        self._status = str(response.get("status") or "completed").lower()
        self._detail = object_of(response.get("incomplete_details")).get("reason")
        if self._status == "failed" or response.get("error"):
            raise in_stream(response.get("error") or {"type": "server_error"})
        self.reply.all_said()

    def _is_new(self, item: dict[str, Any], heard: set[str]) -> bool:
        """What the summary at the end holds and no event told: a call by its id, text and thinking where none came at all."""
        kind = item.get("type")
        if kind not in CALLS:
            return kind in ("message", "reasoning") and kind not in heard
        known = {draft.given_id for draft in self.reply.calls} | {draft.raw for draft in self.reply.calls if not draft.given_id}
        return not known & {str(item.get(name) or "") for name in ("call_id", "id", CALLS[str(kind)])}

    def end(self, done: bool) -> None:
        if self._status is None and not done:
            raise cut_off()
        if self._status == "cancelled":
            raise failure("internal", "cancelled", holes={})
        self.reply.stop_detail = self._refusal or self._detail or self._status
        if self._detail == "content_filter":
            self.reply.finish("content_filter")
        elif self._status == "incomplete":
            self.reply.finish("length")
        else:
            self.reply.finish("refusal" if self._refusal and not self.reply.calls else "end")


def place(payload: dict[str, Any]) -> Any:
    """Which item of the output an event is about: by its index, or by its id where a server counts none."""
    index = payload.get("output_index")
    return index if index is not None else payload.get("item_id") or object_of(payload.get("item")).get("id")
