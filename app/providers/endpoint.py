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
from app.providers.errors import hide, refused
from app.providers.http import Answer, Http
from app.providers.local_models import with_details
from app.providers.prices import PriceTable
from app.providers.retry import RetryPolicy, Tries
from app.providers.sentences import failure, sentence
from app.providers.wire import Address, Reading, Wire

REFUSALS = ("bad_request", "internal")
"""Kinds of errors that may be about a part of the request; some servers say so with 500."""
COUNTED = ("network", "timeout", "overloaded", "rate_limit", "internal", "protocol")


class HttpProvider:
    """`core.provider.Provider` for one endpoint. `breaker` may be shared by all providers of that endpoint."""

    def __init__(
        self,
        wire: Wire,
        address: Address,
        http: Http,
        *,
        retry: RetryPolicy | None = None,
        breaker: Breaker | None = None,
        prices: PriceTable | None = None,
    ) -> None:
        self.name = address.vendor.name
        self.breaker = breaker or Breaker()
        self._wire, self.address, self._http = wire, address, http
        self._retry = retry or RetryPolicy()
        self._prices = prices or PriceTable()
        self._refusals: dict[str, list[str]] = {}

    async def stream(self, request: Request) -> AsyncGenerator[ModelEvent, None]:
        self._check_breaker()
        wanted = request
        request, address = self._taken(wanted)
        tries = Tries(self._retry)
        try:
            while True:
                body = orjson.dumps(self._wire.body(address, request))
                reading = self._wire.reading(address, request)
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
                    request, address = self._taken(wanted)
                    yield Retry(tries.made, self._retry.tries, 0, sentence(told), told)
                    continue
                delay = self._wait_after(error, tries, started=reading.reply.started)
                yield Retry(tries.made, self._retry.tries, int(delay * 1000), error.message, error.said)
                await self._retry.sleep(delay)
        finally:
            self.breaker.undecided()

    def _taken(self, request: Request) -> tuple[Request, Address]:
        """The request without what its model is known to refuse, and how it is to be written."""
        asked = (request, self.address.vendor)
        for refusal in self._refusals.get(request.model, ()):
            if conceded := concede(refusal, *asked):
                asked = conceded[0]
        return asked[0], replace(self.address, vendor=asked[1])

    def _conceded(self, error: ProviderError, request: Request, address: Address) -> Saying | None:
        """What is said of a refusal that is about a part of the request which can be left out; it is remembered."""
        refusal = error.detail or error.message
        found = concede(refusal, request, address.vendor) if error.kind in REFUSALS else None
        if found is None:
            return None
        self._refusals.setdefault(request.model, []).append(refusal)
        return saying(f"provider.{found[1]}", who=address.vendor.title, model=request.model)

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
        reading.end(reader.done)
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
        listed = self._wire.models(await self._json("GET", self._wire.models_url(self.address), None))
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

    async def _json(self, method: str, url: str, body: dict[str, Any] | None) -> Any:
        content = None if body is None else orjson.dumps(body)
        async with self._http.request(method, url, self._headers(), content) as answer:
            await self._check(answer, Request(model="", messages=()))
            return _parsed(await answer.whole(8 << 20))

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


def _parsed(body: bytes) -> Any:
    try:
        return parse(body)
    except ValueError:
        raise not_a_model_server(body) from None
