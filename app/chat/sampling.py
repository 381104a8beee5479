"""A server asks for a model's answer: shown whole, answered only as the person wants, and never with anything of ours."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, Protocol

from app.chat.context import message_tokens, text_tokens, tools_tokens
from app.chat.refused import Refused
from app.chat.said import ConversationInfo, Notice, Sampling, SamplingClosed, SamplingRequest
from app.core.events import BlockDelta, BlockEnd, BlockStart, ModelEnd
from app.core.messages import FileBlock, ImageBlock, Media, Message, StopReason, TextBlock, ToolCall, new_id
from app.core.provider import Provider, ProviderError, Request
from app.mcp_host.asking import NotSampled, SampleAsked, Sampled
from app.store.blobs import StoredBlobs

Decision = Literal["once", "always", "deny", "send", "withhold"]
MOST_TOKENS = 8192
"""An answer for a server is at most so long, whatever it asks for."""
MODEL_SECONDS = 180.0
OPEN_LIMIT = 3
A_MINUTE = 20
"""Of a server that need not ask; beyond it the person is asked again."""
DENIED = NotSampled("The user did not allow this.")
NOBODY = NotSampled("Nobody is there to allow it.")
BUSY = NotSampled("Too many questions at a time.")


class Place(Protocol):
    """A conversation, as far as sampling is concerned."""

    def emit(self, event: SamplingRequest | SamplingClosed | Notice, /) -> None: ...

    def info(self) -> ConversationInfo: ...


Connect = Callable[[str], Awaitable[Provider]]
Estimate = Callable[[str, str, int, int], float | None]
"""(provider, model, input tokens, output tokens) to US dollars."""


@dataclass(slots=True)
class _Open:
    sampling: Sampling
    decided: asyncio.Future[tuple[Decision, bool]]


@dataclass(slots=True)
class SamplingDesk:
    """All open requests. `grant(server)`: from now on it need not ask."""

    place: Callable[[str], Place | None]
    attended: Callable[[], bool]
    connect: Connect
    estimate: Estimate
    blobs: StoredBlobs
    grant: Callable[[str], None]
    _open: dict[str, _Open] = field(default_factory=dict[str, _Open])
    _lately: dict[str, deque[float]] = field(default_factory=dict[str, deque[float]])

    async def ask(self, asked: SampleAsked) -> Sampled | NotSampled:
        """The model's answer, once the person allowed it; denied where nobody can be asked. Ends with the call."""
        place = self.place(asked.conversation_id)
        if place is None:
            return NOBODY
        if sum(one.sampling.server == asked.server for one in self._open.values()) >= OPEN_LIMIT:
            return BUSY
        allowed = asked.allowed and self._seldom(asked.server)
        if not allowed and not self.attended():
            return NOBODY
        sampling = await self._shown(asked, place.info())
        one = self._open[sampling.request_id] = _Open(sampling, _future())
        try:
            return await self._decided(one, asked, place, allowed)
        finally:
            del self._open[sampling.request_id]
            place.emit(SamplingClosed(sampling.request_id))

    def _seldom(self, server: str) -> bool:
        """Counts it; whether it is one of few within the last minute."""
        lately, now = self._lately.setdefault(server, deque(maxlen=A_MINUTE)), time.monotonic()
        few = len(lately) < A_MINUTE or now - lately[0] > 60
        lately.append(now)
        return few

    async def _shown(self, asked: SampleAsked, info: ConversationInfo) -> Sampling:
        provider, model = info.provider or "demo", info.model or ""
        used = sum(message_tokens(m, dict(asked.media)) for m in asked.messages)
        used += text_tokens(asked.system) + tools_tokens(asked.tools)
        longest = min(asked.max_tokens, MOST_TOKENS)
        return Sampling(
            request_id=new_id("ask"),
            server=asked.server,
            state="asked",
            provider=provider,
            model=model,
            messages=tuple([await self._visible(m, asked) for m in asked.messages]),
            system=asked.system,
            tools=tuple(t.name for t in asked.tools),
            hints=asked.hints,
            max_tokens=longest,
            input_tokens=used,
            cost=self.estimate(provider, model, used, longest),
        )

    async def _visible(self, message: Message, asked: SampleAsked) -> Message:
        """With its pictures where the page finds them."""
        blocks = [
            b.model_copy(update={"ref": await self._kept(asked.media[b.ref])})
            if isinstance(b, ImageBlock | FileBlock) and b.ref in asked.media
            else b
            for b in message.blocks
        ]
        return message.model_copy(update={"blocks": tuple(blocks)})

    async def _kept(self, media: Media) -> str:
        return await self.blobs.put(media.data, media.media_type, media.name)

    async def _decided(self, one: _Open, asked: SampleAsked, place: Place, allowed: bool) -> Sampled | NotSampled:
        review = False
        if not allowed:
            place.emit(SamplingRequest(one.sampling))
            decision, review = await one.decided
            if decision not in ("once", "always"):
                return DENIED
            if decision == "always":
                self.grant(asked.server)
        self._moved(one, place, "running")
        try:
            sampled = await self._sampled(one.sampling, asked)
        except ProviderError as error:
            place.emit(Notice("warning", f"{asked.server} got no answer from the model: {error.message}"))
            return NotSampled(f"The model could not answer ({error.kind}).")
        if not review:
            return sampled
        one.decided = _future()
        self._moved(one, place, "answered", answer=sampled.text, calls=sampled.calls)
        return sampled if (await one.decided)[0] == "send" else NotSampled("The user keeps the answer back.")

    def _moved(self, one: _Open, place: Place, state: str, **more: object) -> None:
        one.sampling = one.sampling.model_copy(update={"state": state, **more})
        place.emit(SamplingRequest(one.sampling))

    async def _sampled(self, sampling: Sampling, asked: SampleAsked) -> Sampled:
        request = Request(
            model=sampling.model,
            messages=asked.messages,
            system=asked.system,
            tools=asked.tools,
            tool_choice=asked.tool_choice,
            max_tokens=sampling.max_tokens,
            temperature=asked.temperature,
            media=asked.media,
        )
        provider = await self.connect(sampling.provider)
        try:
            async with asyncio.timeout(MODEL_SECONDS):
                return await _streamed(provider, request, asked.stop)
        except TimeoutError:
            raise ProviderError("timeout", f"It took longer than {MODEL_SECONDS:g} s.") from None
        finally:
            await provider.aclose()

    def answer(self, request_id: str, decision: Decision, review: bool = False) -> None:
        """The first answer to what is asked counts. Refused where nothing (any more) is."""
        one = self._open.get(request_id)
        fits = one is not None and (decision in ("send", "withhold")) == (one.sampling.state == "answered")
        if one is None or not fits or one.decided.done() or one.sampling.state == "running":
            raise Refused("not_found", "This was answered already, or is not asked any more.")
        one.decided.set_result((decision, review))


def _future() -> asyncio.Future[tuple[Decision, bool]]:
    return asyncio.get_running_loop().create_future()


async def _streamed(provider: Provider, request: Request, stop: tuple[str, ...]) -> Sampled:
    """The whole answer, cut before the first of the `stop` texts: not every protocol of ours knows them."""
    parts: dict[int, str] = {}
    calls: list[ToolCall] = []
    reason: StopReason = "end"
    async with aclosing(provider.stream(request)) as events:
        async for event in events:
            match event:
                case BlockStart(index=index, block=TextBlock(text=text)):
                    parts[index] = text
                case BlockDelta(index=index, text=text) if index in parts:
                    parts[index] += text
                case BlockEnd(block=ToolCall() as call):
                    calls.append(call)
                case ModelEnd(stop_reason=given):
                    reason = given
                case _:
                    pass
    text = "".join(parts[index] for index in sorted(parts))
    places = [at for words in stop if (at := text.find(words)) >= 0]
    if places:
        return Sampled(text=text[: min(places)], model=request.model or provider.name, stop_reason="stop_sequence")
    return Sampled(text=text, model=request.model or provider.name, stop_reason=reason, calls=tuple(calls))
