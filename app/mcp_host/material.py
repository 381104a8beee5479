"""What servers offer beside tools, as plain values: prompts with their arguments, resources with their templates."""

from dataclasses import dataclass
from typing import Literal

from app.core.frozen import Frozen
from app.core.tools import OutputItem


class PromptArgument(Frozen):
    name: str
    title: str | None = None
    description: str = ""
    required: bool = False


class PromptInfo(Frozen):
    """A prompt a person can pick; `server` and `name` together are its identity."""

    server: str
    name: str
    title: str | None = None
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt, filled in."""

    role: Literal["user", "assistant"]
    items: tuple[OutputItem, ...]


class ResourceInfo(Frozen):
    """A resource, or with `template` a pattern of URIs (RFC 6570). `size` in bytes."""

    server: str
    uri: str
    name: str
    title: str | None = None
    description: str = ""
    media_type: str | None = None
    size: int | None = None
    template: bool = False


class MaterialError(Exception):
    """A prompt or resource could not be had; the message is in words for a person."""
