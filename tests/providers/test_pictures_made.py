"""A model that draws: its pictures stand in the reply where they came, and go out with the next words of the person."""

import base64
import json
from typing import Any

import pytest

from app.core.messages import ImageBlock, Media, TextBlock
from app.providers.connect import find_vendor, wire_of
from app.providers.wire import Address
from tests.providers.speaking import ask, assistant, parsed, protocol_name, user
from tests.providers.stand_in import sse

PNG = b"\x89PNG\r\n\x1a\n0123"
CODED = base64.b64encode(PNG).decode()
URL = f"data:image/png;base64,{CODED}"


def parts(*said: Any, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": list(said)}, **more}]}


def chunk(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, **more}]}


DRAWN = {
    "gemini": sse(
        parts({"text": "Here"}),
        parts({"thought": True, "inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
        parts({"inlineData": {"mimeType": "image/png", "data": CODED}, "thoughtSignature": "s"}),
        parts({"text": "it is."}, finishReason="STOP"),
    ),
    "openai-chat": sse(
        chunk({"content": "Here"}),
        chunk({"content": "", "images": [{"type": "image_url", "image_url": {"url": URL}}]}),
        chunk({"content": "it is."}, finish_reason="stop"),
        "[DONE]",
    ),
    "openai-responses": sse(
        {"type": "response.output_text.delta", "output_index": 0, "delta": "Here"},
        {"type": "response.output_item.done", "output_index": 1, "item": {"type": "image_generation_call", "result": CODED}},
        {"type": "response.output_text.delta", "output_index": 2, "delta": "it is."},
        {"type": "response.completed", "response": {"status": "completed"}},
    ),
    "ollama": [
        *(
            json.dumps(line).encode() + b"\n"
            for line in (
                {"message": {"content": "Here"}},
                {"message": {"content": "", "images": [CODED]}},
                {"message": {"content": "it is."}, "done": True, "done_reason": "stop"},
            )
        )
    ],
}


@pytest.mark.parametrize("protocol", DRAWN)
def test_a_picture_in_a_reply_stands_where_it_came(protocol: str) -> None:
    heard = parsed(protocol, DRAWN[protocol])
    assert heard.pictures == [(1, "image/png", PNG)]
    assert [b.text for b in heard.blocks if isinstance(b, TextBlock)] == ["Here", "it is."]
    assert heard.end.stop_reason == "end"


@pytest.mark.parametrize("picture", ["https://elsewhere.test/a.png", "data:text/html;base64,PGI+", "", None, 7, {"no": 1}])
def test_what_is_no_picture_is_left_out_of_the_reply(picture: Any) -> None:
    body = sse(chunk({"images": [{"image_url": {"url": picture}}]}), chunk({"content": "hi"}, finish_reason="stop"))
    heard = parsed("openai-chat", body)
    assert (heard.pictures, heard.text) == ([], "hi")


@pytest.mark.parametrize("protocol", ["gemini", "openai-chat", "openai-responses", "anthropic", "ollama"])
def test_a_drawn_picture_goes_out_with_what_is_said_of_it(protocol: str) -> None:
    drawn = assistant(TextBlock(text="Here it is."), ImageBlock(media_type="image/png", ref="r"))
    request = ask(user("Draw a cat."), drawn, user("Bluer."), media={"r": Media(media_type="image/png", data=PNG)})
    address = Address(find_vendor("custom"), "http://model.test/v1", None)
    sent = json.dumps(wire_of(protocol_name(protocol)).body(address, request))
    assert sent.count(CODED) == 1
    assert sent.index("Draw a cat.") < sent.index("Here it is.") < sent.index("[the picture of your last reply]")
