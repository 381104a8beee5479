"""Signing in to a remote server: the SDK's OAuth client with what it forgets over a restart kept too. Imports the SDK."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl, ValidationError

from app.mcp_host.config import Identity
from app.mcp_host.credentials import fit_method, own_provider
from app.mcp_host.redirect import free_port, redirect_uri, wait_for_return
from app.mcp_host.tokens import TokenStore

SIGN_IN_LIMIT = 300.0
EARLY = 30.0
"""Seconds a token counts as expired before it is."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """How a server is signed in to. `visit(url)` brings a person to the address, or raises `SignInNeededError`.

    `itself`: with `client_id` and `client_secret` alone, without a person.
    """

    url: str
    tokens: TokenStore
    visit: Callable[[str], Awaitable[None]]
    client_id: str | None = None
    client_secret: str | None = None
    client_metadata_url: str | None = None
    itself: bool = False
    identity: Identity | None = None


async def has_tokens(tokens: TokenStore, url: str) -> bool:
    return "tokens" in await _record(tokens, url)


class Kept:
    """One server's tokens, its client registration, and who its authorization server is, as one JSON text."""

    def __init__(self, sign_in: SignIn, record: dict[str, Any]) -> None:
        self._sign_in = sign_in
        self.record = record
        self.provider: OAuthClientProvider | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return _read(OAuthToken, self.record.get("tokens"))

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.record["tokens"] = tokens.model_dump(mode="json", exclude_none=True)
        self.record["expires"] = time.time() + tokens.expires_in - EARLY if tokens.expires_in else None
        if self.provider is not None:
            context = self.provider.context
            self.record["server"] = _dumped(context.oauth_metadata)
            self.record["resource"] = _dumped(context.protected_resource_metadata)
        await self._save()

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        given = self._sign_in
        if given.client_id:
            return OAuthClientInformationFull(
                client_id=given.client_id,
                client_secret=given.client_secret,
                redirect_uris=[AnyUrl(redirect_uri(self.port))],
                token_endpoint_auth_method="client_secret_basic" if given.client_secret else "none",
            )
        return _read(OAuthClientInformationFull, self.record.get("client"))

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.record["client"] = client_info.model_dump(mode="json", exclude_none=True)
        self.record["port"] = self.port
        await self._save()

    @property
    def port(self) -> int:
        """Where the browser comes back to: what was registered, since many servers compare it whole."""
        return int(self.record.setdefault("port", free_port()))

    async def _save(self) -> None:
        await self._sign_in.tokens.write(self._sign_in.url, json.dumps(self.record))


class Provider(OAuthClientProvider):
    """After a restart it knows when its token ends and where to refresh it, so that nobody is asked again for that."""

    def __init__(self, kept: Kept, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept = kept

    async def _initialize(self) -> None:
        await super()._initialize()
        context, record = self.context, self._kept.record
        context.oauth_metadata = context.oauth_metadata or _read(OAuthMetadata, record.get("server"))
        resource = _read(ProtectedResourceMetadata, record.get("resource"))
        if context.protected_resource_metadata is None and resource is not None:
            context.protected_resource_metadata = resource
            if resource.authorization_servers:
                context.auth_server_url = str(resource.authorization_servers[0])
        if isinstance(record.get("expires"), int | float):
            context.token_expiry_time = record["expires"]

    async def _perform_authorization(self) -> httpx2.Request:
        fit_method(self.context)
        return await super()._perform_authorization()


async def provider_for(sign_in: SignIn) -> OAuthClientProvider:
    """The `auth` of an HTTP client for this server. Failing raises `OAuthFlowError` or `SignInNeededError`."""
    kept = Kept(sign_in, await _record(sign_in.tokens, sign_in.url))
    kept.provider = await (_without_person(sign_in, kept) if sign_in.itself else _with_person(sign_in, kept))
    return kept.provider


async def _without_person(sign_in: SignIn, kept: Kept) -> OAuthClientProvider:
    if not sign_in.client_id or not sign_in.client_secret:
        raise OAuthFlowError("A client id and its secret are needed.")
    server = _read(OAuthMetadata, kept.record.get("server"))
    issuer = str(server.issuer) if server else None
    return await own_provider(sign_in.url, kept, sign_in.client_id, sign_in.client_secret, issuer, sign_in.identity)


async def _with_person(sign_in: SignIn, kept: Kept) -> Provider:
    returning: list[asyncio.Task[dict[str, str]]] = []

    async def go(url: str) -> None:
        listening = asyncio.Event()
        task = asyncio.create_task(wait_for_return(kept.port, listening, SIGN_IN_LIMIT))
        returning[:] = [task]
        heard = asyncio.create_task(listening.wait())
        await asyncio.wait({task, heard}, return_when=asyncio.FIRST_COMPLETED)
        heard.cancel()
        try:
            await sign_in.visit(url)
        except BaseException:
            task.cancel()
            raise

    async def come_back() -> AuthorizationCodeResult:
        async with _ending(returning.pop()) as task:
            try:
                values = await task
            except TimeoutError:
                raise OAuthFlowError("Nobody signed in within five minutes.") from None
            except OSError as error:
                raise OAuthFlowError(f"Port {kept.port}, where the browser would come back to, is taken.") from error
        if "error" in values:
            raise OAuthFlowError(values.get("error_description") or values["error"])
        return AuthorizationCodeResult(code=values["code"], state=values.get("state"), iss=values.get("iss"))

    metadata = OAuthClientMetadata(
        client_name="LeoChat",
        redirect_uris=[AnyUrl(redirect_uri(kept.port))],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )
    return Provider(kept, sign_in.url, metadata, kept, go, come_back, client_metadata_url=sign_in.client_metadata_url)


@contextlib.asynccontextmanager
async def _ending(task: asyncio.Task[dict[str, str]]) -> AsyncGenerator[asyncio.Task[dict[str, str]]]:
    try:
        yield task
    finally:
        task.cancel()


async def _record(tokens: TokenStore, url: str) -> dict[str, Any]:
    try:
        raw: Any = json.loads(await tokens.read(url) or "{}")
    except ValueError:
        return {}
    return cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}


def _read(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    try:
        return kind.model_validate(value)
    except ValidationError:
        return None


def _dumped(value: Any) -> Any:
    return None if value is None else value.model_dump(mode="json", exclude_none=True)
