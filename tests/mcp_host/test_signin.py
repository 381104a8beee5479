"""Signing in to a remote server: an authorization server on a real port, a person who agrees or does not."""

import json
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.mcp_host.asking import Answered, Asked
from app.mcp_host.config import Identity, accept_launch
from app.mcp_host.tokens import Signing, TokensInMemory
from tests.mcp_host.desk import OpenDesk, words
from tests.mcp_host.http_server import Asked as Request
from tests.mcp_host.http_server import Reply, http_server
from tests.mcp_host.test_remote import remote, result, said, speaking


class Guarded:
    """A server that wants a token, and the authorization server that gives one; both on one port."""

    def __init__(self) -> None:
        self.valid = {"token-1"}
        self.agrees = True
        self.grants: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.methods = ["none"]
        self.paths: list[str] = []
        self._mcp = speaking(lambda asked: result(asked, said("signed in")))

    def __call__(self, asked: Request) -> Reply:
        place = urlsplit(asked.path)
        self.paths.append(place.path)
        base = f"http://{asked.headers['host']}"
        match place.path:
            case "/.well-known/oauth-protected-resource/mcp":
                return Reply(body={"resource": f"{base}/mcp", "authorization_servers": [base]})
            case "/.well-known/oauth-authorization-server":
                return Reply(body={**_metadata(base), "token_endpoint_auth_methods_supported": self.methods})
            case "/register":
                return Reply(201, {**asked.body, "client_id": "leo", "token_endpoint_auth_method": "none"})
            case "/authorize":
                return self._authorize({n: v[0] for n, v in parse_qs(place.query).items()}, base)
            case "/token":
                return self._token(asked.body)
            case "/company":
                self.forms.append(asked.body)
                return Reply(body={"access_token": f"vouched for {asked.body['subject_token']}", "token_type": "N_A"})
            case "/mcp":
                return self._guard(asked, base)
            case _:
                return Reply(404)

    def _guard(self, asked: Request, base: str) -> Reply:
        if asked.headers.get("authorization", "").removeprefix("Bearer ") in self.valid:
            return self._mcp(asked)
        where = f'Bearer resource_metadata="{base}/.well-known/oauth-protected-resource/mcp"'
        return Reply(401, headers=(("www-authenticate", where),))

    def _authorize(self, query: dict[str, str], base: str) -> Reply:
        came = {"code": "c1", "iss": base} if self.agrees else {"error": "access_denied", "error_description": "No, thanks"}
        return Reply(302, headers=(("location", f"{query['redirect_uri']}?{urlencode({**came, 'state': query['state']})}"),))

    def _token(self, form: dict[str, str]) -> Reply:
        self.grants.append(form["grant_type"])
        self.forms.append(form)
        token = f"token-{len(self.grants)}"
        told = {"access_token": token, "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1"}
        return Reply(body=told, headers=(("cache-control", "no-store"),))


def _metadata(base: str) -> dict[str, Any]:
    return {
        "issuer": base,
        "authorization_endpoint": f"{base}/authorize",
        "token_endpoint": f"{base}/token",
        "registration_endpoint": f"{base}/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }


class Browser:
    def __init__(self) -> None:
        self.opened: list[str] = []

    async def open(self, url: str) -> None:
        self.opened.append(url)
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            await client.get(url)


async def test_a_server_that_wants_a_sign_in_says_so_and_no_browser_opens_by_itself(desk: OpenDesk) -> None:
    guarded, browser = Guarded(), Browser()
    async with http_server(guarded) as url, desk(remote(f"{url}/mcp"), signing=Signing(TokensInMemory(), browser.open)) as d:
        problem = (await d.until("far", "error", seconds=50)).problem
        assert problem is not None
        assert (problem.kind, problem.cure.startswith("Sign in")) == ("sign_in", True)
    assert browser.opened == []
    assert "/register" not in guarded.paths


async def test_after_a_sign_in_the_server_runs_and_a_later_start_asks_nobody(desk: OpenDesk) -> None:
    guarded, browser, tokens = Guarded(), Browser(), TokensInMemory()
    async with http_server(guarded) as base:
        config, signing = remote(f"{base}/mcp"), Signing(tokens, browser.open)
        async with desk(config, signing=signing) as d:
            await d.host.sign_in("far")
            assert d.host.status("far").state == "ready", d.host.status("far").problem
            assert words(await d.call("go")) == "signed in"
        async with desk(config, signing=signing) as d:
            assert words(await d.call("go")) == "signed in"
        assert (len(browser.opened), guarded.grants) == (1, ["authorization_code"])

        kept = json.loads(await tokens.read(f"{base}/mcp") or "")
        await tokens.write(f"{base}/mcp", json.dumps({**kept, "expires": 1.0}))
        guarded.valid = {"token-2"}
        async with desk(config, signing=signing) as d:
            assert words(await d.call("go")) == "signed in"
        assert (len(browser.opened), guarded.grants) == (1, ["authorization_code", "refresh_token"])


async def test_signing_out_forgets_the_tokens(desk: OpenDesk) -> None:
    browser, tokens = Browser(), TokensInMemory()
    async with http_server(Guarded()) as base, desk(remote(f"{base}/mcp"), signing=Signing(tokens, browser.open)) as d:
        await d.host.sign_in("far")
        await d.host.sign_out("far")
        await d.until("far", "error")
        assert await tokens.read(f"{base}/mcp") is None


async def test_a_person_who_does_not_agree_is_told_what_the_server_said(desk: OpenDesk) -> None:
    guarded = Guarded()
    guarded.agrees = False
    async with (
        http_server(guarded) as base,
        desk(remote(f"{base}/mcp"), signing=Signing(TokensInMemory(), Browser().open)) as d,
    ):
        await d.host.sign_in("far")
        problem = d.host.status("far").problem
        assert problem is not None
        assert problem.kind == "sign_in"
        assert "No, thanks" in problem.cause


async def test_a_token_that_ended_in_mid_conversation_is_a_question_there(desk: OpenDesk) -> None:
    guarded, browser, asked = Guarded(), Browser(), list[Asked]()

    async def ask(question: Asked) -> Answered:
        asked.append(question)
        await browser.open(question.url or "")
        return Answered(action="accept")

    signing = Signing(TokensInMemory(), browser.open)
    async with http_server(guarded) as base, desk(remote(f"{base}/mcp"), signing=signing, ask=ask) as d:
        await d.host.sign_in("far")
        guarded.valid = {"token-2"}
        assert words(await d.call("go")) == "signed in"
    assert [(a.conversation_id, (a.url or "").startswith(f"{base}/authorize")) for a in asked] == [("conv", True)]


def _key() -> str:
    made = ec.generate_private_key(ec.SECP256R1())
    pem = made.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return pem.decode().replace("\n", "")  # as a field of one line keeps it


@pytest.mark.parametrize(
    ("secret", "methods", "proof"),
    [
        ("s3cret", ["client_secret_post"], "client_secret"),
        (_key(), ["private_key_jwt"], "client_assertion"),
        ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJsZW8ifQ.c2ln", ["none"], "assertion"),
    ],
    ids=["a secret", "a private key", "a token"],
)
async def test_an_id_with_its_secret_signs_in_without_a_person_and_to_nobody_else_later(
    desk: OpenDesk, secret: str, methods: list[str], proof: str
) -> None:
    guarded, browser, tokens = Guarded(), Browser(), TokensInMemory()
    guarded.methods = methods
    grant = "urn:ietf:params:oauth:grant-type:jwt-bearer" if proof == "assertion" else "client_credentials"
    async with http_server(guarded) as base:
        config = remote(f"{base}/mcp").model_copy(update={"client_id": "leo", "client_secret": secret, "signs_in": "client"})
        async with desk(config, signing=Signing(tokens, browser.open)) as d:
            assert d.host.status("far").state == "ready", d.host.status("far").problem
            assert words(await d.call("go")) == "signed in"
        assert (browser.opened, guarded.grants) == ([], [grant])
        assert guarded.forms[0][proof]
        assert "/register" not in guarded.paths

        kept = json.loads(await tokens.read(f"{base}/mcp") or "")
        kept["server"]["issuer"] = "https://elsewhere.example"
        await tokens.write(f"{base}/mcp", json.dumps(kept))
        guarded.valid = set()
        async with desk(config, signing=Signing(tokens, browser.open), wait=False) as d:
            problem = (await d.until("far", "error", seconds=50)).problem
            assert problem is not None
            assert problem.kind == "sign_in"
        assert len(guarded.forms) == 1


async def test_a_companys_identity_provider_vouches_for_a_person(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    guarded, browser = Guarded(), Browser()
    guarded.methods = ["client_secret_basic"]
    monkeypatch.setenv("COMPANY_TOKEN", "ana")
    async with http_server(guarded) as base:
        identity = Identity(token_endpoint=f"{base}/company", client_id="desk", token="${COMPANY_TOKEN}")
        own = {"client_id": "leo", "client_secret": "s3cret", "signs_in": "client", "identity": identity}
        config = accept_launch(remote(f"{base}/mcp").model_copy(update=own))
        async with desk(config, signing=Signing(TokensInMemory(), browser.open)) as d:
            assert d.host.status("far").state == "ready", d.host.status("far").problem
        assert (guarded.forms[0]["audience"], guarded.forms[0]["resource"]) == (base, f"{base}/mcp")
        assert guarded.forms[1]["assertion"] == "vouched for ana"
        assert browser.opened == []
