"""A provider's form and a provider's trouble, in Spanish: what is wrong is said in the language of the page."""

import socket
from collections.abc import Generator

import pytest
from playwright.sync_api import expect

from tests.page.served import Served
from tests.page.talk import Talk
from tests.providers.stand_in import Asked, Reply, StandIn

BAD_KEY = b'{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}'
TOO_FAST = b'{"type":"error","error":{"type":"rate_limit_error","message":"Slow down"}}'


def script(asked: Asked) -> Reply:
    """Speaks Anthropic's protocol alone: who has no good key is sent away, who has one asks too often."""
    if not asked.path.startswith("/v1/m"):
        return Reply([b'{"error":{"message":"not here"}}'], status=404)
    if asked.headers.get("x-api-key") != "good":
        return Reply([BAD_KEY], status=401)
    return Reply([TOO_FAST], status=429, headers={"Retry-After": "45"})


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp("es"))
    served.configure(general__language="es")
    served.start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def nobody() -> str:
    """An address on this computer where nothing answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_an_address_of_ones_own_is_given_its_protocol_tried_and_told_in_the_pages_language(talk: Talk, nobody: str) -> None:
    page = talk.page
    page.get_by_test_id("open-settings").click()
    page.locator('[data-testid="provider-row"][data-provider="custom"]').click()
    protocol, url, report = (page.get_by_test_id(f"provider-{name}") for name in ("protocol", "url", "report"))
    expect(protocol.locator("option")).to_have_count(5)
    url.fill("ftp://models")
    expect(page.get_by_text("Esto no es una dirección")).to_be_visible()
    expect(page.get_by_test_id("provider-test")).to_be_disabled()
    protocol.select_option("anthropic")
    page.get_by_test_id("provider-model").fill("a-model")
    url.fill(nobody)
    page.get_by_test_id("provider-test").click()
    expect(report).to_contain_text(f"Nadie responde en {nobody}.")
    with StandIn(script) as server:
        url.fill(server.url)
        page.get_by_test_id("provider-key").fill("bad")
        page.get_by_test_id("provider-test").click()
        expect(report).to_contain_text("no acepta la clave")
        expect(report).to_contain_text("Dice: invalid x-api-key")
        page.get_by_test_id("provider-key").fill("good")
        page.get_by_test_id("provider-use").click()
        page.get_by_test_id("close-settings").click()
        talk.say("Hola")
        waiting = page.get_by_test_id("retry")
        expect(waiting).to_contain_text("limita cuánto se puede pedir en poco tiempo")
        expect(waiting).to_contain_text("Nuevo intento en")
        page.get_by_test_id("stop").click()
        expect(waiting).to_have_count(0)
        assert {asked.path.partition("?")[0] for asked in server.asked} == {"/v1/models", "/v1/messages"}
