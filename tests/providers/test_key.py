"""A key is taken as it was copied, and nothing in it can end the header it goes out in."""

import pytest

from app.core.provider import ProviderError
from app.providers.connect import connect
from app.providers.key import plain_key
from tests.providers.speaking import ask, hear
from tests.providers.stand_in import Reply, StandIn


@pytest.mark.parametrize(
    "copied",
    [
        " sk-ab12\r\n",
        "sk-a\n  b12",
        '"sk-ab12"',
        "'sk-ab12' ",
        "“sk-ab12”",
        "Bearer sk-ab12",
        "Authorization: Bearer sk-ab12",
        '"Bearer sk-ab12"',
        "\ufeffsk-\u200bab12",
        "sk-ab\x0012",
    ],
)
def test_what_comes_along_with_a_copied_key_is_left_behind(copied: str) -> None:
    assert plain_key(copied, "V") == "sk-ab12"


def test_nothing_but_quotes_and_white_space_is_no_key() -> None:
    assert plain_key(' "" ', "V") is None


@pytest.mark.parametrize("protocol", ["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"])
async def test_a_key_with_lines_of_its_own_adds_no_header_and_no_request(protocol: str) -> None:
    with StandIn([Reply([b"{}"], status=401)]) as server:
        asked = connect(protocol, base_url=server.url, api_key="sk-ab12\r\nX-More: 1\r\n\r\nGET /more HTTP/1.1\r\n")
        heard = await hear(asked, ask("x"))
        await asked.aclose()
        assert [a.path for a in server.asked if a.path == "/more"] == []
        assert all("x-more" not in a.headers for a in server.asked)
    assert heard.error is not None
    assert heard.error.kind == "auth"


def test_a_key_with_letters_that_no_key_has_is_told_before_anything_goes_out() -> None:
    with pytest.raises(ProviderError, match="Copy the key again") as told:
        connect("openai-chat", base_url="http://127.0.0.1:9/v1", api_key="sk-–é")
    assert told.value.kind == "auth"
