"""When a server asks the person in the middle of a call, and what it gets for an answer."""

from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeAlias

from app.core.frozen import Frozen


class Asked(Frozen):
    """A server's question: a form (`json_schema` describes its fields) or an address to open (`url`).

    `conversation_id`: the conversation whose call it came in.
    """

    server: str
    message: str
    conversation_id: str
    json_schema: dict[str, Any] = {}
    url: str | None = None


class Answered(Frozen):
    """`content` goes with accept only."""

    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


AskPerson: TypeAlias = Callable[[Asked], Coroutine[Any, Any, Answered]]
