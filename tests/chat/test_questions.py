"""A server's question in the middle of a call: in its conversation, answered once, closed with the call."""

import asyncio
from typing import Any

import pytest

from app.chat.questions import Questions
from app.chat.refused import Refused
from app.chat.said import Elicitation, ElicitationClosed, ElicitationRequest
from app.mcp_host.asking import Asked
from app.mcp_host.config import ServerConfig
from tests.chat.conftest import Opener, Watcher, results, said, watched
from tests.mcp_host.desk import fake

FORM = fake("", file="modern.py", name="shop2")
MID_CALL = fake("asks", name="old")


async def asked(watcher: Watcher) -> Elicitation:
    await watcher.heard("elicitation_request")
    return watcher.of(ElicitationRequest)[-1].elicitation


@pytest.mark.parametrize(("server", "call"), [(FORM, "[shop2__order]"), (MID_CALL, "[old__bad]")])
async def test_a_question_is_told_waits_and_its_answer_reaches_the_server(opened: Opener, server: ServerConfig, call: str):
    leo = await opened(server, approve="all")
    session, watcher = await watched(leo)
    await session.send(call)
    question = await asked(watcher)
    assert session.info().waiting
    assert session.opened().elicitations == (question,)
    fields: dict[str, Any] = {"size": "large", "slices": 3} if server is FORM else {"answer": "twelve"}
    leo.answer(question.request_id, "accept", fields)
    await session.tasks.wait()
    assert results(session)[-1].text == ("large in 3" if server is FORM else "twelve")
    assert watcher.of(ElicitationClosed)[-1].request_id == question.request_id
    assert (session.info().waiting, session.opened().elicitations) == (False, ())
    with pytest.raises(Refused, match="answered already"):
        leo.answer(question.request_id, "decline", None)


async def test_an_answer_that_does_not_fit_the_form_is_refused_and_the_question_stays(opened: Opener):
    leo = await opened(FORM, approve="all")
    session, watcher = await watched(leo)
    await session.send("[shop2__order]")
    question = await asked(watcher)
    with pytest.raises(Refused, match="`slices` does not fit"):
        leo.answer(question.request_id, "accept", {"size": "large", "slices": "many"})
    leo.answer(question.request_id, "decline", None)
    await session.tasks.wait()
    assert results(session)[-1].is_error


@pytest.mark.parametrize(("server", "call"), [(FORM, "[shop2__order]"), (MID_CALL, "[old__bad]")])
async def test_a_stop_closes_the_question(opened: Opener, server: ServerConfig, call: str):
    leo = await opened(server, approve="all")
    session, watcher = await watched(leo)
    await session.send(call)
    question = await asked(watcher)
    async with asyncio.timeout(5):
        await session.stop()
        await watcher.heard("elicitation_closed")
    assert session.opened().elicitations == ()
    with pytest.raises(Refused):
        leo.answer(question.request_id, "accept", {})


async def test_two_conversations_are_asked_each_for_its_own_call(opened: Opener):
    leo = await opened(FORM, approve="all")
    one, of_one = await watched(leo)
    other, of_other = await watched(leo)
    await one.send("[shop2__order]")
    first = await asked(of_one)
    await other.send("[shop2__order]")
    second = await asked(of_other)
    leo.answer(first.request_id, "accept", {"size": "small"})
    leo.answer(second.request_id, "accept", {"size": "huge"})
    await one.tasks.wait()
    await other.tasks.wait()
    assert [results(s)[-1].text for s in (one, other)] == ["small in 8", "huge in 8"]


async def test_with_nobody_there_the_call_goes_on_without_an_answer(opened: Opener):
    leo = await opened(FORM, approve="all")
    session = await leo.library.session((await leo.library.new()).id)
    async with asyncio.timeout(20):
        await said(session, "[shop2__order]")
    assert results(session)[-1].is_error


class Told:
    """A place that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def emit(self, event: Any, /) -> None:
        self.told.append(event)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"mail": "leo"}, "`mail` does not fit: it must be an e-mail"),
        ({"page": "example.com"}, "`page` does not fit"),
        ({"day": "31.12.2026"}, "YYYY-MM-DD"),
        ({"at": "2026-12-31T12:00:00"}, "with its offset"),
        ({"extras": ["snow"]}, "snow"),
        ({"extras": []}, "extras"),
        (
            {"mail": "l@x.org", "page": "https://x.org", "day": "2026-12-31", "at": "2026-12-31T12:00:00Z", "extras": ["a"]},
            None,
        ),
        ({"mail": "", "extras": ["a", "b"]}, None),
    ],
)
async def test_formats_and_choices_of_a_form_are_checked_before_the_server_sees_them(given: dict[str, Any], fault: str | None):
    formats = {"mail": "email", "page": "uri", "day": "date", "at": "date-time"}
    properties: dict[str, Any] = {name: {"type": "string", "format": known} for name, known in formats.items()}
    properties["extras"] = {"type": "array", "minItems": 1, "items": {"anyOf": [{"const": "a"}, {"const": "b"}]}}
    place = Told()
    questions = Questions(lambda _id: place, lambda: True)
    asking = asyncio.ensure_future(
        questions.ask(
            Asked(server="s", message="?", conversation_id="c", json_schema={"type": "object", "properties": properties})
        )
    )
    await asyncio.sleep(0)
    request_id = place.told[0].elicitation.request_id
    if fault:
        with pytest.raises(Refused, match=fault):
            questions.answer(request_id, "accept", given)
        questions.answer(request_id, "decline", None)
    else:
        questions.answer(request_id, "accept", given)
    assert (await asking).action == ("decline" if fault else "accept")
