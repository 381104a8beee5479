"""The `openai-chat` protocol: `/chat/completions` as OpenAI and a hundred compatible servers speak it."""

from collections.abc import Mapping
from typing import Any

from app.core.provider import ModelInfo, Request
from app.providers.deltas import THOUGHTS, call_fragments, content_parts, listed, thought_of
from app.providers.errors import complaint, in_stream
from app.providers.listing import listed_models
from app.providers.mould import Mould
from app.providers.openai_request import chat_body
from app.providers.reply import Reply
from app.providers.sentences import failure
from app.providers.shapes import is_object, items_of, object_of
from app.providers.stops import broken, stop_of
from app.providers.think_tags import ThinkTags, Unopened
from app.providers.tool_calls import CallFragments, add_fragment
from app.providers.usage import openai_usage
from app.providers.wire import Address


class OpenAIChat:
    protocol = "openai-chat"

    def url(self, address: Address, request: Request) -> str:
        base, _, query = address.base_url.partition("?")
        path = base if base.endswith("/chat/completions") else f"{base.rstrip('/')}/chat/completions"
        return f"{path}?{query}" if query else path

    def headers(self, address: Address) -> Mapping[str, str]:
        return openai_headers(address)

    def body(self, address: Address, request: Request) -> dict[str, Any]:
        return chat_body(address, request)

    def reading(self, address: Address, request: Request) -> "ChatReading":
        return ChatReading(
            Reply(self.protocol, address.origin), frozenset(t.name for t in request.tools), echo=address.vendor.quirks.echo
        )

    def models_url(self, address: Address) -> str:
        base, _, query = address.base_url.partition("?")
        return f"{base.removesuffix('/chat/completions').rstrip('/')}/models" + (f"?{query}" if query else "")

    def models(self, listed: Any) -> list[ModelInfo]:
        return listed_models(listed)


def openai_headers(address: Address) -> dict[str, str]:
    if not address.api_key:
        return {}
    if address.vendor.quirks.key_header == "api-key":
        return {"api-key": address.api_key}
    return {"authorization": f"Bearer {address.api_key}"}


class ChatReading:
    """Reads chunks, or one whole completion: `message` in place of `delta`."""

    def __init__(self, reply: Reply, known: frozenset[str], *, echo: bool) -> None:
        self.reply = reply
        self._said = Unopened(reply)
        self.mould: Mould | None = Mould(self._more, self._said.texts)
        self._fragments = CallFragments(known)
        self._tags = ThinkTags()
        self._echo = echo
        self._details: list[dict[str, Any]] = []
        self._thinking_open = False
        self._finish: str | None = None
        self._refusal = ""
        self._counted = False
        self._plain = False
        self._index: str | None = None
        self._streamed = False
        self._thought = False

    def _more(self, payload: Any) -> str | None:
        return more_text(payload) if self._plain else None

    def take(self, payload: Any) -> None:
        if self._plain and (text := more_text(payload)):
            self._said.text(text)
        else:
            self._take(payload)

    def _take(self, payload: Any) -> None:
        if not is_object(payload):
            for part in items_of(payload):
                self.take(part)
            return
        choices = payload.get("choices")
        if choices and not isinstance(choices, list | dict):
            raise TypeError(f"choices: {choices!r}"[:200])
        for choice in listed(choices):
            if is_object(choice) and self._is_ours(choice.get("index")):
                self._choice(choice)
        self._about(payload)

    def _is_ours(self, index: Any) -> bool:
        """One choice is asked for; it is the first that comes, whatever its number."""
        if self._index is None:
            self._index = str(index or 0)
        return str(index or 0) == self._index

    def _about(self, payload: dict[str, Any]) -> None:
        """What a chunk says beside its choices."""
        groq = object_of(payload.get("x_groq"))
        if error := complaint(payload) or groq.get("error"):
            raise in_stream(error)
        if usage := payload.get("usage") or groq.get("usage"):
            self._count(usage)
        if self.reply.model is None and payload.get("model"):
            self.reply.model = str(payload["model"])

    def _choice(self, choice: dict[str, Any]) -> None:
        delta = self._said_in(choice)
        if is_object(delta):
            self._delta(delta)
        elif delta and isinstance(delta, str):
            self._content(delta)
        if choice.get("finish_reason") not in (None, "", "null", "None"):
            self._finish = str(choice["finish_reason"])
        if usage := choice.get("usage") or object_of(delta).get("usage"):
            self._count(usage)
        if choice.get("error"):
            raise in_stream(choice["error"])

    def _said_in(self, choice: dict[str, Any]) -> Any:
        """The delta; without one the whole `message`, or the `text` of the older protocol.

        Some servers say the whole message once more beside the last, empty delta.
        """
        delta = choice.get("delta")
        if delta or (delta is not None and self.reply.started):
            self._streamed = True
            return delta
        message = choice.get("message")
        if not message:
            return choice.get("text")
        return self._unsaid(message) if self._streamed and is_object(message) else message

    def _unsaid(self, message: dict[str, Any]) -> dict[str, Any]:
        """Of the whole message at the end of a stream only what no delta said (MiniMax closes every stream with it)."""
        said = {
            "text": ("content", "audio", "refusal"),
            "thinking": (*THOUGHTS, "reasoning_details"),
            "call": ("tool_calls", "function_call"),
        }
        left_out = {name for kind in self.reply.kinds for name in said[kind]}
        return {name: value for name, value in message.items() if name not in left_out}

    def _delta(self, delta: dict[str, Any]) -> None:
        if thought := thought_of(delta):
            self._thought = True
            self._think(thought)
        if delta.get("reasoning_details"):
            self._keep_details(delta["reasoning_details"])
        content = delta.get("content") or object_of(delta.get("audio")).get("transcript")
        if isinstance(content, str):
            if content:
                self._content(content)
        elif content:
            self._content_parts(content)
        for image in listed(delta.get("images")):
            self._picture(image)
        if delta.get("refusal"):
            self._refusal += str(delta["refusal"])
        for fragment in call_fragments(delta):
            self._call(fragment)

    def _picture(self, image: Any) -> None:
        """As OpenRouter shows what its models draw."""
        self._said.close()
        self._close_thinking()
        self.reply.picture(object_of(object_of(image).get("image_url")).get("url"))

    def _content(self, content: str) -> None:
        if self._tags.plain:
            self._close_thinking()
            self._said.text(content)
            self._plain = True
            return
        for is_thinking, part in self._tags.feed(content):
            self._tagged(is_thinking, part)
        self._plain = self._tags.plain

    def _tagged(self, is_thinking: bool, part: str) -> None:
        """Thinking between tags is left out where it was told apart as well (MiniMax says it in both ways)."""
        if not is_thinking:
            self._close_thinking()
            self._said.text(part)
        elif not self._thought:
            self._think(part)

    def _content_parts(self, content: Any) -> None:
        for is_thinking, text in content_parts(content):
            (self._think if is_thinking else self._content)(text)

    def _think(self, text: str) -> None:
        self._thinking_open, self._plain = True, False
        self._said.close()
        self.reply.think(text)

    def _close_thinking(self) -> None:
        """Before anything else is said: the thinking so far is whole, and has beside it what must go back."""
        kept: dict[str, Any] = {}
        if self._details:
            kept["details"], self._details = self._details, []
        if self._thinking_open:
            self._thinking_open = False
            if self._echo:
                kept["text"] = True
            if kept:
                self.reply.mark(kept)
            self.reply.end()
        elif kept:
            self.reply.whole("thinking", "", kept)

    def _keep_details(self, details: Any) -> None:
        """OpenRouter's `reasoning_details` go back whole: pieces of one detail are joined, its signature comes last."""
        for detail in filter(is_object, listed(details)):
            last = self._details[-1] if self._details else None
            alike = (
                last is not None
                and all(last.get(k) == detail.get(k) for k in ("type", "index"))
                and detail.get("type") != "reasoning.encrypted"
            )
            if not alike or last is None:
                self._details.append(dict(detail))
                continue
            for key, value in detail.items():
                if key in ("text", "summary") and value:
                    last[key] = (last.get(key) or "") + value
                elif value is not None:
                    last[key] = value

    def _call(self, fragment: dict[str, Any]) -> None:
        self._said.close()
        self._close_thinking()
        self.reply.end()
        draft, call_id, name, arguments = self._fragments.place(fragment)
        if draft is None:
            draft = self.reply.call(call_id, name)
            if fragment.get("extra_content"):
                draft.opaque = self.reply.opaque({"extra_content": fragment["extra_content"]})
        self._fragments.add(draft, fragment)
        self.reply.call_text(draft, add_fragment(draft, call_id, name, arguments))

    def _count(self, usage: Any) -> None:
        self._counted = True
        self.reply.usage = openai_usage(usage, self.reply.usage)

    def end(self, done: bool) -> None:
        for is_thinking, part in self._tags.close():
            self._tagged(is_thinking, part)
        self._said.close()
        self._close_thinking()
        word = self._finish
        stop = stop_of(word)
        if stop == "error":
            raise broken(word)
        if word is None and not ((self.reply.started or self._refusal) and (done or self._counted)):
            raise cut_off()  # also `[DONE]` with nothing before it
        self.reply.stop_detail = self._refusal or word
        self.reply.finish(stop)


def more_text(payload: Any) -> str | None:
    """The hot path: what a chunk says that holds a piece of text and nothing else."""
    try:
        (choice,) = payload["choices"]
        delta = choice["delta"]
        text = delta["content"]
    except (KeyError, TypeError, ValueError):
        return None
    if text.__class__ is not str or len(delta) > (2 if "role" in delta else 1):
        return None
    of_choice, of_chunk = choice.get, payload.get
    if of_choice("finish_reason") or of_choice("index") or of_choice("usage") or of_choice("error"):
        return None
    if of_chunk("usage") or of_chunk("error") or of_chunk("x_groq"):
        return None
    return text


def cut_off() -> Exception:
    return failure("network", "cutOff", holes={}, retryable=True)
