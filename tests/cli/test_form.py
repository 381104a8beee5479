"""A server's question on the terminal."""

import io
from typing import Any

import pytest

from app.chat.asked import Sampling
from app.chat.said import Elicitation
from app.cli.form import fill_in, value_of
from app.cli.terminal import sampling_lines
from app.core.messages import ImageBlock, Message, TextBlock

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name"},
        "count": {"type": "integer", "default": 2},
        "warm": {"type": "boolean"},
        "kinds": {"type": "array", "items": {"enum": ["a", "b"]}},
    },
    "required": ["name"],
}


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))


def test_a_form_is_asked_field_by_field(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "y", "Leo", "", "yes", "a, b")
    question = Elicitation(request_id="r", server="shop", message="What?", json_schema=SCHEMA)
    assert fill_in(question) == ("accept", {"name": "Leo", "count": 2, "warm": True, "kinds": ["a", "b"]})
    said = capsys.readouterr().err
    assert "shop asks: What?" in said
    assert "Your name: " in said
    assert "kinds (one of a, b; may be left empty): " in said


def test_without_a_yes_nothing_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "")
    assert fill_in(Elicitation(request_id="r", server="s", message="?", json_schema=SCHEMA)) == ("decline", None)


def test_an_address_is_shown_and_agreed_to(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "y")
    assert fill_in(Elicitation(request_id="r", server="s", message="?", url="https://a.example/x")) == ("accept", None)
    assert "https://a.example/x" in capsys.readouterr().err


def test_what_is_no_number_is_left_for_the_check_to_refuse() -> None:
    assert [value_of({"type": "number"}, t) for t in ("3", "-1", "2.5", "many")] == [3, -1, 2.5, "many"]


def test_a_servers_question_to_the_model_is_shown_whole_on_the_terminal() -> None:
    picture = ImageBlock(media_type="image/png", ref="r")
    asked = Sampling(
        request_id="q",
        server="poet",
        state="asked",
        provider="openai",
        model="gpt-5",
        messages=(Message(id="m", role="user", blocks=(TextBlock(text="A line about rain."), picture)),),
        system="Be brief.",
        tools=("weather",),
        max_tokens=200,
        input_tokens=12,
        cost=0.0021,
    )
    lines = sampling_lines(asked).splitlines()
    assert lines[0] == "poet wants to ask gpt-5:"
    assert lines[1:5] == [
        "instructions: Be brief.",
        "user: A line about rain.",
        "(1 more parts that are no text)",
        "its tools: weather",
    ]
    assert "at most $0.0021" in lines[5]
    assert lines[6].startswith("[y] allow once  [a] always for poet")
