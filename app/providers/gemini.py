"""The `gemini` protocol: `streamGenerateContent` of Google's own API, as server-sent events."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from app.core.provider import ModelInfo, Request
from app.providers.deltas import listed
from app.providers.errors import complaint, in_stream
from app.providers.gemini_call import CallInPieces
from app.providers.gemini_request import gemini_body
from app.providers.listing import entries_of, listed_models
from app.providers.mould import Mould
from app.providers.openai_chat import cut_off
from app.providers.reply import Reply
from app.providers.sentences import failure
from app.providers.shapes import is_list, is_object, object_of
from app.providers.stops import broken, stop_of
from app.providers.tool_calls import arguments_text, tool_name
from app.providers.usage import gemini_usage
from app.providers.wire import Address

MALFORMED = (
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "MALFORMED_RESPONSE",
    "TOO_MANY_TOOL_CALLS",
    "MISSING_THOUGHT_SIGNATURE",
)
SIGNED = ("thoughtSignature", "thought_signature")


class Gemini:
    protocol = "gemini"

    def url(self, address: Address, request: Request) -> str:
        named = quote(request.model.strip())
        model = named if "/" in named else f"models/{named}"
        return f"{_root(address)}/{model}:streamGenerateContent?alt=sse"

    def headers(self, address: Address) -> Mapping[str, str]:
        return {"x-goog-api-key": address.api_key} if address.api_key else {}

    def body(self, address: Address, request: Request) -> dict[str, Any]:
        return gemini_body(address, request)

    def reading(self, address: Address, request: Request) -> "GeminiReading":
        return GeminiReading(Reply(self.protocol, address.origin))

    def models_url(self, address: Address) -> str:
        return f"{_root(address)}/models?pageSize=1000"

    def models(self, listed: Any) -> list[ModelInfo]:
        return listed_models([entry for entry in entries_of(listed) if _talks(entry)])


def _talks(entry: Any) -> bool:
    methods = object_of(entry).get("supportedGenerationMethods")
    return not is_list(methods) or not methods or "generateContent" in methods


def _root(address: Address) -> str:
    base = address.base_url
    return base if base.rpartition("/")[2] in ("v1", "v1beta", "v1alpha", "v1beta1") else f"{base}/v1beta"


class GeminiReading:
    """Reads chunks, or the list of them that a request without `alt=sse` gives."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.mould: Mould | None = None
        self._finish: str | None = None
        self._message: str | None = None
        self._blocked: str | None = None
        self._pieces: CallInPieces | None = None

    def take(self, payload: Any) -> None:
        if is_list(payload):
            for chunk in payload:
                self.take(chunk)
            return
        if not is_object(payload):
            return
        if error := complaint(payload):
            raise in_stream(error)
        if "candidates" not in payload and is_object(inner := payload.get("response")):  # wrapped, as Code Assist does
            payload = inner
        for candidate in listed(payload.get("candidates")):
            if is_object(candidate) and not candidate.get("index"):
                self._candidate(candidate)
        if payload.get("usageMetadata"):
            self.reply.usage = gemini_usage(payload["usageMetadata"], self.reply.usage)
        if payload.get("modelVersion"):
            self.reply.model = str(payload["modelVersion"])
        self._blocked = object_of(payload.get("promptFeedback")).get("blockReason") or self._blocked

    def _candidate(self, candidate: dict[str, Any]) -> None:
        for content in listed(candidate.get("content")):
            for part in filter(is_object, listed(object_of(content).get("parts"))):
                self._part(part)
        if word := candidate.get("finishReason") or candidate.get("finish_reason"):
            self._finish = str(word)
            self._message = candidate.get("finishMessage") or self._message

    def _part(self, part: dict[str, Any]) -> None:
        signature = next((part[name] for name in SIGNED if part.get(name)), None)
        call = part.get("functionCall", part.get("function_call"))
        if is_object(call):
            if call or self._pieces is not None:  # an empty one says that a call told in pieces is whole
                self._call(call, signature)
        elif is_object(drawn := part.get("inlineData", part.get("inline_data"))):
            if not part.get("thought"):  # of its first attempts nothing is kept
                self.reply.picture(drawn.get("data"), drawn.get("mimeType") or drawn.get("mime_type"))
        elif "text" in part or isinstance(part.get("thought"), str):
            self._text(part, signature)
        elif signature and set(part) <= {*SIGNED, "thought"}:
            self._sign(signature)
        else:  # its own tools' calls and results, files, code: only Gemini can use them
            self.reply.whole("text", "", {"part": part})

    def _text(self, part: dict[str, Any], signature: Any) -> None:
        text = part.get("text") or ""
        if thought := part.get("thought"):
            self.reply.think(thought if isinstance(thought, str) else text)
        else:
            self.reply.text(text)
        if signature:
            self._sign(signature)

    def _sign(self, signature: Any) -> None:
        """A signature belongs to the part it came with and ends it; one that comes alone stands alone."""
        if self.reply.open:
            self.reply.mark({"signature": signature})
            self.reply.end()
        else:
            self.reply.whole("text", "", {"signature": signature})

    def _call(self, call: dict[str, Any], signature: Any) -> None:
        if self._pieces is not None and not call.get("name"):
            self._more(self._pieces, call)
            return
        self._close_call()
        self.reply.end()
        given = str(call.get("id") or "")
        draft = self.reply.call(given, tool_name(str(call.get("name") or "")))
        draft.opaque = self.reply.opaque({"signature": signature, "id": bool(given)})
        if call.get("willContinue") or call.get("partialArgs"):
            self._pieces = CallInPieces(draft)
            self._more(self._pieces, call)
            return
        arguments = arguments_text(call.get("args"))
        draft.pieces = [arguments] if arguments else []
        self.reply.call_text(draft, arguments)

    def _more(self, pieces: CallInPieces, call: dict[str, Any]) -> None:
        pieces.take(call)
        if not call.get("willContinue"):
            self._close_call()

    def _close_call(self) -> None:
        if self._pieces is not None:
            self.reply.call_text(self._pieces.draft, self._pieces.close())
            self._pieces = None

    def end(self, done: bool) -> None:
        if self._blocked and (self._finish is None or not self.reply.count):
            self.reply.stop_detail = self._blocked
            self.reply.finish("content_filter")
            return
        if self._finish is None:
            raise cut_off()
        if self._finish.upper() in MALFORMED:
            raise failure("protocol", "badCall", self._message, holes={"word": self._finish}, retryable=True)
        self.reply.stop_detail = f"{self._finish}: {self._message}" if self._message else self._finish
        stop = stop_of(self._finish)
        if stop == "error":
            raise broken(self._finish)
        if stop != "length":
            self._close_call()
        self.reply.finish(stop)
