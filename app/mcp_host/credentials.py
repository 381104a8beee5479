"""Signing in without a person: LeoChat's own id with its secret, or with a private key, at the authorization server."""

import re
import textwrap
import warnings
from collections.abc import Callable
from typing import Any

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, TokenStorage
from mcp.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
)
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.exceptions import MCPDeprecationWarning

ALGORITHMS = ("ES256", "RS256", "ES384", "ES512", "EdDSA")
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


async def own_provider(url: str, storage: TokenStorage, client_id: str, secret: str, issuer: str | None) -> OAuthClientProvider:
    """`issuer`: the authorization server that was signed in to before; no other is ever given what the secret proves.

    Raises `OAuthFlowError` where a private key is of a kind that nothing can be signed with.
    """
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
