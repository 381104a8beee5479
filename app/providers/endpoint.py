"""A provider over HTTP: sends a request, reads the stream, tries again where nothing was said yet."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import orjson

from app.core.events import ModelEnd, ModelEvent, Retry
from app.core.messages import Usage
from app.core.provider import ModelInfo, ProviderError, Request
from app.core.saying import Hole, Saying, saying
from app.providers.asked_wait import wait_text
from app.providers.body import BodyReader, not_a_model_server, parse
from app.providers.breaker import Breaker
from app.providers.concessions import concede
from app.providers.errors import complaint, hide, in_stream, refused
from app.providers.heeded import Heeded
from app.providers.http import Answer, Http
from app.providers.listing import next_page
from app.providers.local_models import with_details
from app.providers.prices import PriceTable
from app.providers.reply import Reply
from app.providers.retry import RetryPolicy, Tries
from app.providers.sentences import failure, sentence
from app.providers.shapes import is_object
from app.providers.wire import Address, Reading, Wire

REFUSALS = ("bad_request", "internal")
"""Kinds of errors that may be about a part of the request; some servers say so with 500."""
PAGES = 20
LONGEST_LIST = 64 << 20
"""Bytes. Five thousand models with long descriptions take a sixth of it."""
COUNTED = ("network", "timeout", "overloaded", "rate_limit", "internal", "protocol")


class HttpProvider:
    """`core.provider.Provider` for one endpoint. `breaker` and `heeded` may be shared by all providers of that endpoint."""

    def __init__(
        self,
        wire: Wire,
        address: Address,
        http: Http,
        *,
        retry: RetryPolicy | None = None,
        breaker: Breaker | None = None,
        heeded: Heeded | None = None,
        prices: PriceTable | None = None,
    ) -> None:
        self.name = address.vendor.name
        self.breaker = breaker or Breaker()
        self._wire, self.address, self._http = wire, address, http
        self._retry = retry or RetryPolicy()
        self._prices = prices or PriceTable()
        self._heeded = heeded or Heeded()
        self._told: set[str] = set()

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self._check_breaker()
        wanted = request
        request, address, known = self._taken(wanted)
        tries = Tries(self._retry)
        try:
            while True:
                body = orjson.dumps(self._wire.body(address, request))
                reading = self._wire.reading(address, request)
                reading.reply.events += self._untold(request.model, known)
                try:
                    async with self._answer(request, body) as answer:
                        reader = BodyReader(reading.take, reading.mould, reading.reply.all_said)
                        reading.reply.hurry = answer.hurry
                        try:
                            while chunk := await answer.read():
                                for event in _events(reading, reader, chunk):
                                    yield event
                        except Exception as broken:
                            if isinstance(broken, ProviderError) or not reading.reply.over:
                                raise
                        for event in self._last_events(reading, reader, request):
                            yield event
                    self.breaker.success()
                    return
                except ProviderError as raised:
                    error = self._safe(raised)
                for event in reading.reply.abandon():
                    yield event
                if not reading.reply.started and (told := self._conceded(error, request, address)):
                    request, address, known = self._taken(wanted)
                    yield Retry(tries.made, self._retry.tries, 0, sentence(told), told)
                    continue
                delay = self._wait_after(error, tries, started=reading.reply.started)
                yield Retry(tries.made, self._retry.tries, int(delay * 1000), error.message, error.said)
                await self._retry.sleep(delay)
        finally:
            self.breaker.undecided()

    def _taken(self, request: Request) -> tuple[Request, Address, list[str]]:
        """The request without what its model is known to refuse, how it is to be written, and the keys that say so."""
        asked, keys = (request, self.address.vendor), list[str]()
        for refusal in self._heeded.of(request.model):
            if conceded := concede(refusal, *asked):
                asked = conceded[0]
                keys.append(conceded[1])
        return asked[0], replace(self.address, vendor=asked[1]), keys

    def _untold(self, model: str, keys: list[str]) -> list[ModelEvent]:
        """What an earlier task was refused is told once in this one too: the person may miss what is left out."""
        found = [self._saying(key, model) for key in keys if f"{model} {key}" not in self._told]
        self._told.update(f"{model} {key}" for key in keys)
        return [Retry(1, self._retry.tries, 0, sentence(told), told) for told in found]

    def _saying(self, key: str, model: str) -> Saying:
        return saying(f"provider.{key}", who=self.address.vendor.title, model=model)

    def _conceded(self, error: ProviderError, request: Request, address: Address) -> Saying | None:
        """What is said of a refusal that is about a part of the request which can be left out; it is remembered."""
        refusal = error.detail or error.message
        found = concede(refusal, request, address.vendor) if error.kind in REFUSALS else None
        if found is None:
            return None
        self._heeded.note(request.model, refusal)
        self._told.add(f"{request.model} {found[1]}")
        return self._saying(found[1], request.model)

    def _wait_after(self, error: ProviderError, tries: Tries, *, started: bool) -> float:
        """Seconds until the next try; raises the error where there is none, always so once something was said."""
        delay = None if started else tries.wait_after(error)
        if delay is None:
            if error.kind in COUNTED:
                self.breaker.failure()
            raise error
        return delay

    @asynccontextmanager
    async def _answer(self, request: Request, body: bytes) -> AsyncGenerator[Answer, None]:
        url = self._wire.url(self.address, request)
        async with self._http.request("POST", url, self._headers(), body) as answer:
            await self._check(answer, request)
            yield answer

    def _last_events(self, reading: Reading, reader: BodyReader, request: Request) -> list[ModelEvent]:
        reading.reply.events = _events(reading, reader, None)
        _end(reading, reader)
        return [self._priced(event, request) if isinstance(event, ModelEnd) else event for event in reading.reply.events]

    def _headers(self) -> Mapping[str, str]:
        return {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
            **self._wire.headers(self.address),
        }

    async def _check(self, answer: Answer, request: Request) -> None:
        """Raise for anything but a 200 that may hold a stream."""
        vendor = self.address.vendor.title
        if 300 <= answer.status < 400:
            there = answer.headers.get("location", "…")
            raise failure("protocol", "moved", holes={"url": self.address.base_url, "there": there})
        if answer.status >= 400:
            raise refused(
                answer.status,
                answer.headers,
                await answer.what_comes(),
                vendor=vendor,
                model=request.model,
                key=self.address.api_key,
            )
        if answer.headers.get("content-type", "").startswith("text/html"):
            raise not_a_model_server(await answer.whole())

    def _check_breaker(self) -> None:
        wait = self.breaker.wait()
        if wait > 0:
            holes: dict[str, Hole | None] = {"who": self.address.vendor.title, "wait": wait_text(wait)}
            raise failure("overloaded", "paused", holes=holes, retry_after=wait)

    def _safe(self, error: ProviderError) -> ProviderError:
        """The same error without our key in it, and with the name of who failed."""
        key = self.address.api_key
        detail = None if error.detail is None else hide(error.detail, key)
        said = error.said and saying(error.said["key"], **{"who": self.address.vendor.title, **error.said["with"]})
        if said:
            said["with"] = {name: hide(hole, key) if isinstance(hole, str) else hole for name, hole in said["with"].items()}
        return ProviderError(
            error.kind,
            sentence(said) if said else hide(error.message, key),
            detail,
            status=error.status,
            retryable=error.retryable,
            retry_after=error.retry_after,
            said=said,
        )

    def _priced(self, end: ModelEnd, request: Request) -> ModelEnd:
        """Cost from the vendor's own figure, else from the price table, else unknown."""
        if end.usage.cost is not None or end.usage == Usage():
            return end
        end.usage = self._prices.priced(end.usage, self.name, request.model)
        return end

    async def models(self) -> list[ModelInfo]:
        listed = await self._listed()
        if not self.address.vendor.local:
            return listed
        root = self.address.base_url.removesuffix("/v1")

        async def ask(method: str, path: str, body: dict[str, Any] | None) -> Any:
            return await self._json(method, root + path, body)

        try:
            async with asyncio.timeout(self._http.limits.first):
                return await with_details(self.address.vendor.name, ask, listed)
        except TimeoutError:
            return listed

    async def _listed(self) -> list[ModelInfo]:
        """All pages of the list; ProviderError where an error stands in its place."""
        url = first = self._wire.models_url(self.address)
        found: dict[str, ModelInfo] = {}
        for _ in range(PAGES):
            page = await self._json("GET", url, None)
            if is_object(page) and not page.keys() & {"data", "models"} and (error := complaint(page)):
                raise self._safe(in_stream(error))
            fresh = {model.id: model for model in self._wire.models(page) if model.id not in found}
            found |= fresh
            more = next_page(page)
            if not fresh or more is None:
                break
            url = f"{first}{'&' if '?' in first else '?'}{more}"
        return list(found.values())

    async def _json(self, method: str, url: str, body: dict[str, Any] | None) -> Any:
        content = None if body is None else orjson.dumps(body)
        async with self._http.request(method, url, self._headers(), content) as answer:
            await self._check(answer, Request(model="", messages=()))
            return _parsed(await answer.whole(LONGEST_LIST))

    async def aclose(self) -> None:
        await self._http.aclose()


def _events(reading: Reading, reader: BodyReader, chunk: bytes | None) -> list[ModelEvent]:
    """What a chunk says (None: what is left at the end), told once."""
    try:
        reader.close() if chunk is None else reader.feed(chunk)
    except (AttributeError, TypeError, KeyError, ValueError) as error:
        raise failure("protocol", "otherShape", f"{type(error).__name__}: {error}", holes={}) from error
    events, reading.reply.events = reading.reply.events, []
    return events


def _end(reading: Reading, reader: BodyReader) -> None:
    """An answer of which nothing was understood is another protocol's, and no empty reply."""
    reply = reading.reply
    try:
        reading.end(reader.done)
    except ProviderError as error:
        if error.said and error.said["key"] == "provider.cutOff" and reader.foreign and not _understood(reply):
            raise failure("protocol", "otherShape", holes={}) from error
        raise
    if not (_understood(reply) or reply.stop_detail):
        raise failure("protocol", "otherShape", holes={})


def _understood(reply: Reply) -> bool:
    return bool(reply.count or reply.model or reply.usage != Usage())


def _parsed(body: bytes) -> Any:
    try:
        return parse(body)
    except ValueError:
        raise not_a_model_server(body) from None
