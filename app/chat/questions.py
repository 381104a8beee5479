"""What servers ask the person in the middle of a call: told to the call's conversation, answered once, closed with the call."""

import asyncio
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Literal, Protocol, cast
from urllib.parse import urlsplit

from app.chat.refused import Refused
from app.chat.said import Elicitation, ElicitationClosed, ElicitationRequest
from app.core.messages import new_id
from app.mcp_host.asking import Answered, Asked

FORMATS = {
    "email": "it must be an e-mail address",
    "uri": "it must be an address that begins like https://",
    "date": "it must be a day, YYYY-MM-DD",
    "date-time": "it must be a moment with its offset, as 2026-01-31T12:00:00Z",
}
Action = Literal["accept", "decline", "cancel"]
Told = ElicitationRequest | ElicitationClosed


class Place(Protocol):
    """A conversation, as far as questions are concerned."""

    def emit(self, event: Told, /) -> None: ...


class Questions:
    """All open questions. `place` gives the open conversation with an id; `attended`, whether anybody is there to answer."""

    def __init__(self, place: Callable[[str], Place | None], attended: Callable[[], bool]):
        self._place = place
        self._attended = attended
        self._open: dict[str, tuple[Elicitation, asyncio.Future[Answered]]] = {}

    async def ask(self, asked: Asked) -> Answered:
        """The person's answer; cancelled with the call, and at once where nobody can be asked."""
        place = self._place(asked.conversation_id)
        if place is None or not self._attended():
            return Answered(action="cancel")
        question = Elicitation(
            request_id=new_id("ask"), server=asked.server, message=asked.message, json_schema=asked.json_schema, url=asked.url
        )
        future: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        self._open[question.request_id] = (question, future)
        place.emit(ElicitationRequest(question))
        try:
            return await future
        finally:
            del self._open[question.request_id]
            place.emit(ElicitationClosed(question.request_id))

    def answer(self, request_id: str, action: Action, content: dict[str, Any] | None) -> None:
        """The first answer counts. Refused where nothing is asked under this id, or the content does not fit the form."""
        question, future = self._open.get(request_id, (None, None))
        if question is None or future is None or future.done():
            raise Refused("not_found", "This was answered already, or is not asked any more.")
        if action != "accept" or question.url is not None:
            future.set_result(Answered(action=action))
            return
        given = content or {}
        if fault := _misfit(question.json_schema, given):
            raise Refused("invalid", fault)
        future.set_result(Answered(action="accept", content=given))


def _misfit(schema: dict[str, Any], content: dict[str, Any]) -> str | None:
    from app.mcp_host.arguments import ArgumentCheck

    if fault := ArgumentCheck()(schema, content):
        return fault.replace("The argument ", "The field ").replace("The arguments do", "The answers do")
    fields: Any = schema.get("properties")
    for name, field in cast("dict[str, Any]", fields).items() if isinstance(fields, dict) else ():
        wanted: Any = cast("dict[str, Any]", field).get("format") if isinstance(field, dict) else None
        given = content.get(name)
        if isinstance(given, str) and given and not _has_format(given, wanted):
            return f"The field `{name}` does not fit: {FORMATS[wanted]}."
    return None


def _has_format(given: str, wanted: Any) -> bool:
    """By the four formats that forms of servers may name; every other is the server's to judge."""
    try:
        match wanted:
            case "email":
                return re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", given) is not None
            case "uri":
                return bool(urlsplit(given).scheme) and " " not in given
            case "date":
                return bool(date.fromisoformat(given))
            case "date-time":
                return datetime.fromisoformat(given).tzinfo is not None
            case _:
                return True
    except ValueError:
        return False
