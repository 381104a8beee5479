"""The shape of everything a window can ask: a small class of fields with `run`."""

from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from app.chat.leochat import LeoChat
from app.chat.windows import Window


class Command(BaseModel):
    """`id` comes back as `reply_to`. Unknown fields are refused, so that a typo is told."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, json_schema_serialization_defaults_required=False)
    id: str


class Runnable(Protocol):
    id: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        """Do it and give the reply's data; raise Refused with words for the user where it cannot be done."""
        ...
