"""Signing in without a person: LeoChat's own id with its secret, a private key, or a token that somebody else vouches with."""

import re
import textwrap
import warnings
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import parse_qs

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, TokenStorage
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
)
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import JWT_BEARER_GRANT_TYPE
from mcp.shared.exceptions import MCPDeprecationWarning

from app.mcp_host.config import Identity

ALGORITHMS = ("ES256", "RS256", "ES384", "ES512", "EdDSA")
IDENTITY_SECONDS = 30.0
_JWT = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+")
_PEM = re.compile(r"-----BEGIN ([A-Z ]+)-----([A-Za-z0-9+/=\s]+)-----END \1-----")


def private_key(secret: str) -> str | None:
    """The secret as PEM (RFC 7468, lines of 64) where it is a private key, also one pasted without its line ends; else None."""
    found = _PEM.search(secret)
    if found is None or "PRIVATE KEY" not in found[1]:
        return None
    lines = textwrap.wrap("".join(found[2].split()), 64)
    return "\n".join((f"-----BEGIN {found[1]}-----", *lines, f"-----END {found[1]}-----", ""))


def fit_method(context: OAuthContext) -> None:
    """How the secret is sent: as the authorization server says that it takes it."""
    told = (context.oauth_metadata and context.oauth_metadata.token_endpoint_auth_methods_supported) or []
    client = context.client_info
    if client and client.client_secret and client.token_endpoint_auth_method not in told and "client_secret_post" in told:
        context.client_info = client.model_copy(update={"token_endpoint_auth_method": "client_secret_post"})


class WithSecret(ClientCredentialsOAuthProvider):
    """The SDK's, with the secret sent as the authorization server takes it."""

    async def _perform_authorization(self) -> httpx2.Request:
        fit_method(self.context)
        return await super()._perform_authorization()


class WithToken(ClientCredentialsOAuthProvider):
    """The secret is a signed token (a workload's identity, RFC 7523): it is shown as it is, once, and nothing else is tried."""

    async def _perform_authorization(self) -> httpx2.Request:
        plain = await super()._perform_authorization()
        form = {name: values[-1] for name, values in parse_qs(plain.content.decode()).items()}
        form |= {"grant_type": JWT_BEARER_GRANT_TYPE, "assertion": self._fixed_client_info.client_secret or ""}
        form |= {"client_id": self._fixed_client_info.client_id or ""}
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return httpx2.Request("POST", plain.url, data=form, headers=headers)


class WithIdentity(WithSecret):
    """The company's identity provider gives an assertion for this authorization server, which takes it for a token."""

    identity: Identity

    async def _perform_authorization(self) -> httpx2.Request:
        plain = await super()._perform_authorization()
        context = self.context
        issuer = str(context.oauth_metadata.issuer) if context.oauth_metadata else str(context.auth_server_url)
        form = {name: values[-1] for name, values in parse_qs(plain.content.decode()).items()}
        assertion = await _vouched(self.identity, issuer, context.get_resource_url())
        form |= {
            "grant_type": JWT_BEARER_GRANT_TYPE,
            "assertion": assertion,
            "client_id": self._fixed_client_info.client_id or "",
        }
        kept = {n: v for n, v in plain.headers.items() if n in ("authorization", "content-type")}
        return httpx2.Request("POST", plain.url, data=form, headers=kept)


async def _vouched(identity: Identity, audience: str, resource: str) -> str:
    """The exchange of RFC 8693: the person's ID token for an assertion that only `audience` takes."""
    form = {
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
        "requested_token_type": "urn:ietf:params:oauth:token-type:id-jag",
        "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
        "subject_token": identity.token,
        "client_id": identity.client_id,
        "audience": audience,
        "resource": resource,
    }
    async with httpx2.AsyncClient(timeout=IDENTITY_SECONDS) as client:
        answer = await client.post(identity.token_endpoint, data=form)
    try:
        given: Any = answer.json()
        return str(given["access_token"])
    except (ValueError, KeyError, TypeError):
        raise OAuthFlowError(f"The identity provider answered HTTP {answer.status_code} and no assertion.") from None


async def own_provider(
    url: str, storage: TokenStorage, client_id: str, secret: str, issuer: str | None, identity: Identity | None = None
) -> OAuthClientProvider:
    """`issuer`: the authorization server that was signed in to before; no other is ever given what the secret proves.

    Raises `OAuthFlowError` where a private key is of a kind that nothing can be signed with.
    """
    if identity is not None:
        made = _first_trusted(WithIdentity, issuer, url, storage, client_id, secret)
        cast("WithIdentity", made).identity = identity
        return made
    if _JWT.fullmatch(secret):
        return _first_trusted(WithToken, issuer, url, storage, client_id, secret)
    key = private_key(secret)
    if key is None:
        return _first_trusted(WithSecret, issuer, url, storage, client_id, secret)
    signing = SignedJWTParameters(
        issuer=client_id, subject=client_id, signing_key=key, signing_algorithm=await _algorithm(client_id, key)
    )
    return _first_trusted(PrivateKeyJWTOAuthProvider, issuer, url, storage, client_id, signing.create_assertion_provider())


async def _algorithm(client_id: str, key: str) -> str:
    """The first that the key fits: its kind is in the PEM, but read by nobody but the signer."""
    for algorithm in ALGORITHMS:
        signing = SignedJWTParameters(issuer=client_id, subject=client_id, signing_key=key, signing_algorithm=algorithm)
        try:
            await signing.create_assertion_provider()("")
        except Exception:  # noqa: BLE001, S112 (each algorithm refuses in its own way)
            continue
        return algorithm
    raise OAuthFlowError("The private key cannot be used: it must be an RSA, EC or Ed25519 key without a password.")


def _first_trusted(kind: Callable[..., OAuthClientProvider], issuer: str | None, *given: Any) -> OAuthClientProvider:
    """Before the first sign-in the server names the authorization server, which the SDK warns of; from then on it is kept."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        return kind(*given, issuer=issuer)
