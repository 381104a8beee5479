"""Which provider and model answer: the settings, the keys, the environment, and what the endpoints list."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.chat.facts import ModelChoice, ModelList, ProviderInfo, ProviderReport
from app.chat.refused import Refused
from app.chat.rooms import Choice
from app.chat.windows_listed import ListedWindows
from app.core.messages import Media, Message, TextBlock
from app.core.provider import ModelInfo, Provider, ProviderError, Request, Thinking
from app.core.saying import saying
from app.providers.breaker import Breaker
from app.providers.connect import checked_address, connect, find_vendor
from app.providers.heeded import Heeded
from app.providers.http import Limits, is_loopback, load_transport
from app.providers.key import plain_key
from app.providers.models_known import sees_no_pictures, thinks
from app.providers.prices import Price, PriceTable
from app.providers.reads import reads
from app.providers.sentences import failure, sentence
from app.providers.vendors import PROTOCOLS, VENDORS, Vendor
from app.providers.windows_known import known_window
from app.settings import ProviderEntry, Secrets, SettingsFile, key_from_environment

AT_ONCE = Limits(connect=0.08, first=0.1, silence=0.1)
"""Of the search for servers on this computer: a list within 0.18 s, what more there is to know of its models in 0.1 s."""
LOCAL_WINDOW = 8192
"""Tokens assumed of a local server that does not say (its usual default)."""
KeyFrom = Literal["none", "environment", "stored"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a command line says for one run; it wins over the settings and is not saved."""

    provider: str | None = None
    base_url: str | None = None
    api_key: str | None = None
    model: str | None = None
    system: str | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    thinking: Thinking | None = None


class Models:
    """All providers as one source of models. `environ` is the process environment."""

    def __init__(
        self,
        settings: SettingsFile,
        secrets: Secrets,
        given: Given | None = None,
        environ: Mapping[str, str] = os.environ,
        windows: ListedWindows | None = None,
    ):
        self._settings = settings
        self._secrets = secrets
        self._given = given or Given()
        self._environ = environ
        self._breakers: dict[str, Breaker] = {}
        self._heeded: dict[str, Heeded] = {}
        self._windows = windows or ListedWindows()
        self.told: Callable[[str], None] = lambda _text: None

    # What is chosen

    def choice(self) -> Choice:
        saved, given = self._settings.value.model, self._given
        provider = given.provider or saved.provider or "demo"
        model = given.model or (saved.model if provider == (saved.provider or "demo") else "") or self._usual_model(provider)
        return Choice(
            provider=provider,
            model=model,
            system=saved.system if given.system is None else given.system,
            max_tokens=given.max_tokens or saved.max_tokens,
            temperature=saved.temperature if given.temperature is None else given.temperature,
            thinking=saved.thinking if given.thinking is None else given.thinking,
        )

    def _usual_model(self, provider: str) -> str:
        entry = self._entry(provider)
        return (entry.model if entry else "") or self._vendor(provider).model

    def _entry(self, provider: str) -> ProviderEntry | None:
        return next((e for e in self._settings.value.providers if e.name == provider), None)

    def _vendor(self, provider: str, protocol: str | None = None) -> Vendor:
        """`protocol`: of a form that is not saved yet."""
        entry = self._entry(provider)
        try:
            row = find_vendor(entry.vendor if entry else provider, self._given.base_url)
        except KeyError:
            row = VENDORS["custom"]
        wanted = protocol or (entry.protocol if entry else "")
        own = next((p for p in PROTOCOLS if p == wanted), row.protocol)
        return row if own == row.protocol else replace(row, protocol=own)

    def base_url(self, provider: str) -> str:
        """The option, what was saved, the vendor's variable, the vendor's own."""
        vendor, entry = self._vendor(provider), self._entry(provider)
        if self._given.base_url and provider == self.choice().provider:
            return self._given.base_url
        if entry and entry.base_url:
            return entry.base_url
        from_environment = self._environ.get(vendor.base_url_variable, "") if vendor.base_url_variable else ""
        return from_environment or vendor.base_url

    async def _key(self, provider: str) -> tuple[str | None, KeyFrom]:
        vendor, url = self._vendor(provider), self.base_url(provider)
        if self._given.api_key:
            return self._given.api_key, "environment"
        found = key_from_environment([vendor.key_variable] if vendor.key_variable else [], self._environ)
        if found:
            return found[1].get_secret_value(), "environment"
        try:
            stored = await asyncio.to_thread(self._secrets.get, vendor.name, url) if url else None
        except ValueError:  # no address: connecting says so
            stored = None
        return (stored.get_secret_value(), "stored") if stored else (None, "none")

    async def recall(self) -> None:
        """What endpoints listed in earlier runs; to be awaited before windows' sizes are told."""
        await self._windows.load()

    # What the loop asks for

    async def connect(self, provider: str) -> Provider:
        await self._windows.load()
        key, _ = await self._key(provider)
        return self._connected(provider, self.base_url(provider), key)

    def _connected(self, provider: str, base_url: str, key: str | None, protocol: str | None = None) -> Provider:
        vendor = self._vendor(provider, protocol)
        if vendor.protocol != "demo" and not base_url:
            raise failure("bad_request", "needsUrl", holes={"who": vendor.title})
        if vendor.protocol != "demo":
            checked_address(base_url)
        if not key and vendor.key_variable and not is_loopback(base_url):
            raise failure("auth", "noKey", holes={"who": vendor.title, "variable": vendor.key_variable})
        limits = self._settings.value.limits
        first = limits.first_event_seconds * (5 if is_loopback(base_url) else 1)
        times = Limits(connect=limits.connect_seconds, first=first, silence=limits.silence_seconds)
        endpoint = f"{provider} {base_url}"
        try:
            return connect(
                vendor,
                base_url=base_url or None,
                api_key=key,
                limits=times,
                breaker=self._breakers.setdefault(endpoint, Breaker()),
                heeded=self._heeded.setdefault(f"{endpoint} {vendor.protocol}", Heeded()),
                prices=self._prices(provider),
            )
        except ValueError as error:
            raise failure("bad_request", "needsUrl", str(error), holes={"who": vendor.title}) from error

    def reads(self, provider: str, model: str, media: Media) -> bool:
        return reads(self._vendor(provider), model or self._usual_model(provider), media)

    def ask_again(self) -> None:
        """A person wants another try: endpoints that were left alone after failures are asked at once."""
        for breaker in self._breakers.values():
            breaker.reset()

    def _prices(self, provider: str) -> PriceTable:
        """The table with what the person knows better."""
        entry = self._entry(provider)
        own = entry.prices.items() if entry else ()
        return PriceTable({model: Price(p.input, p.output, p.cached) for model, p in own})

    def estimate(self, provider: str, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars for so many tokens, None where the price is not known."""
        price = self._prices(provider).price(self._vendor(provider).name, model)
        return None if price is None else (price.input * input_tokens + price.output * output_tokens) / 1_000_000

    def context_window(self, provider: str, model: str) -> int | None:
        """In tokens: the person's word, what the endpoint listed; else a small one for a local server, or what is known."""
        entry = self._entry(provider)
        told = (entry.context.get(model) if entry else None) or self._windows.get(self.base_url(provider), model)
        if told is not None or provider == "demo":
            return told
        return LOCAL_WINDOW if self._vendor(provider).local else known_window(model)

    # What the settings page asks for

    async def listed(self) -> list[ProviderInfo]:
        """Every vendor's row, then the person's own entries."""
        own = [e.name for e in self._settings.value.providers if e.name not in VENDORS]
        return [await self._info(name) for name in (*VENDORS, *own)]

    async def _info(self, name: str) -> ProviderInfo:
        vendor, entry = self._vendor(name), self._entry(name)
        url = self.base_url(name)
        _, key_from = await self._key(name)
        return ProviderInfo(
            name=name,
            title=vendor.title if name in VENDORS else name,
            protocol=vendor.protocol,
            base_url=url,
            default_base_url=vendor.base_url,
            local=vendor.local,
            needs_key=bool(vendor.key_variable) and not (url and is_loopback(url)),
            key_from=key_from,
            key_variable=vendor.key_variable,
            key_url=vendor.key_url,
            model=(entry.model if entry else "") or vendor.model or None,
            favourites=entry.favourites if entry else (),
        )

    async def save(
        self,
        name: str,
        *,
        base_url: str | None = None,
        protocol: str | None = None,
        key: str | None = None,
        model: str | None = None,
        favourites: tuple[str, ...] | None = None,
    ) -> None:
        """Keep what is given; None leaves it, empty takes it back to the default (a key: forgets it)."""
        _check_form(base_url, protocol)
        vendor = self._vendor(name)
        key = None if key is None else _plain(key, vendor.title)
        if self._entry(name) is None and name not in VENDORS and not (base_url or "").strip():
            raise Refused("invalid", f"There is no provider {name}; give its base URL.")
        entry = self._entry(name) or ProviderEntry(name=name, vendor=vendor.name)
        update: dict[str, Any] = {
            k: v.strip() for k, v in (("base_url", base_url), ("protocol", protocol), ("model", model)) if v is not None
        }
        if favourites is not None:
            update["favourites"] = tuple(dict.fromkeys(favourites))
        entry = entry.model_copy(update=update)
        others = [e for e in self._settings.value.providers if e.name != name]
        self._settings.set("providers", [e.model_dump() for e in (*others, entry)])
        if key is None:
            return
        url = self.base_url(name)
        if not url:
            raise Refused("invalid", "Enter the base URL first: a key is kept for one host.")
        if key:
            await asyncio.to_thread(self._secrets.set, vendor.name, url, key)
        else:
            await asyncio.to_thread(self._secrets.delete, vendor.name, url)

    def keys_where(self) -> str:
        """In words: where keys are kept on this computer."""
        return self._secrets.where()

    async def models(self, provider: str) -> ModelList:
        """What the endpoint lists; where it cannot, what is known and why."""
        try:
            connected = await self.connect(provider)
            try:
                found = await connected.models()
            finally:
                await connected.aclose()
        except ProviderError as error:
            usual = self._usual_model(provider)
            known = (ModelChoice(provider=provider, id=usual),) if usual else ()
            return ModelList(models=known, error=error.message, said=error.said)
        await self._remember(provider, found)
        return ModelList(models=tuple(self._choice(provider, m) for m in found))

    async def _remember(self, provider: str, found: list[ModelInfo]) -> None:
        await self._windows.note(self.base_url(provider), {m.id: m.context for m in found if m.context})

    async def test(
        self, name: str, *, base_url: str | None, key: str | None, model: str | None, protocol: str | None = None
    ) -> ProviderReport:
        """One short question to the model; says in words what is wrong where no answer comes."""
        began = time.monotonic()
        self.ask_again()
        for heeded in self._heeded.values():
            heeded.forget()
        url = base_url or self.base_url(name)
        stored, _ = await self._key(name) if url == self.base_url(name) else (None, "none")
        try:
            provider = self._connected(name, url, key or stored, protocol)
        except ProviderError as error:
            return _failed(error, began)
        try:
            return await self._try(provider, name, model or self._usual_model(name), began)
        finally:
            await provider.aclose()

    async def _try(self, provider: Provider, name: str, model: str, began: float) -> ProviderReport:
        listed: list[ModelInfo] = []
        try:
            listed = await provider.models()
        except ProviderError as error:
            if error.kind in ("auth", "network", "timeout"):
                return _failed(error, began)
        model = model or (listed[0].id if listed else "")
        if not model:
            return _failed(failure("bad_request", "nameModel", holes={}), began)
        question = Message(id="test", role="user", blocks=(TextBlock(text="Say hi."),))
        try:
            async for _ in provider.stream(Request(model=model, messages=(question,), max_tokens=64)):
                pass
        except ProviderError as error:
            return _failed(error, began)
        await self._remember(name, listed)
        choices = tuple(self._choice(name, m) for m in listed)
        told = saying("provider.answered", model=model)
        return ProviderReport(ok=True, message=sentence(told), said=told, models=choices, duration_ms=_since(began))

    async def local_models(self) -> list[ModelChoice]:
        """The models of servers on this computer that answer at once (300 ms in all)."""
        await asyncio.to_thread(load_transport)  # the first time that takes as long as the search
        names = [v.name for v in VENDORS.values() if v.local and v.protocol != "demo"]
        answers = await asyncio.gather(*(self._local(n) for n in names))
        return [choice for found in answers for choice in found]

    async def _local(self, name: str) -> list[ModelChoice]:
        if not is_loopback(self.base_url(name)):
            return []
        provider = connect(self._vendor(name), base_url=self.base_url(name), limits=AT_ONCE)
        try:
            async with asyncio.timeout(0.3):
                found = await provider.models()
        except (ProviderError, TimeoutError):
            return []
        finally:
            await provider.aclose()
        await self._remember(name, found)
        return [self._choice(name, m) for m in found]

    def _choice(self, provider: str, model: ModelInfo) -> ModelChoice:
        """What the endpoint says, else what is known of a model of that name."""
        entry = self._entry(provider)
        price = self._prices(provider).price(self._vendor(provider).name, model.id)
        vision = False if model.vision is None and sees_no_pictures(model.id) else model.vision
        return ModelChoice(
            provider=provider,
            id=model.id,
            name=model.name,
            context=(entry.context.get(model.id) if entry else None) or model.context,
            vision=vision,
            tools=model.tools,
            thinking=True if model.thinking is None and thinks(model.id) else model.thinking,
            input_price=model.input_price if price is None else price.input,
            output_price=model.output_price if price is None else price.output,
        )


def _failed(error: ProviderError, began: float) -> ProviderReport:
    return ProviderReport(ok=False, message=error.message, said=error.said, detail=error.detail, duration_ms=_since(began))


def _plain(key: str, who: str) -> str:
    try:
        return plain_key(key, who) or ""
    except ProviderError as error:
        raise Refused("invalid", error.message) from error


def _check_form(base_url: str | None, protocol: str | None) -> None:
    if protocol and (protocol not in PROTOCOLS or protocol == "demo"):
        raise Refused("invalid", f"There is no protocol {protocol}. Choose one of {', '.join(PROTOCOLS[:-1])}.")
    try:
        checked_address((base_url or "").strip() or "https://none.test")
    except ProviderError as error:
        raise Refused("invalid", error.message) from error


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1000)
