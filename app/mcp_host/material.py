"""What servers offer beside tools, as plain values: prompts with their arguments, resources with their templates."""

from dataclasses import dataclass
from typing import Literal

from app.core.frozen import Frozen
from app.core.saying import Saying
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
    """A resource, or with `template` a pattern of URIs (RFC 6570) with its `arguments`. `size` in bytes.

    `fault`: why a pattern cannot be filled in.
    """

    server: str
    uri: str
    name: str
    title: str | None = None
    description: str = ""
    media_type: str | None = None
    size: int | None = None
    template: bool = False
    arguments: tuple[str, ...] = ()
    fault: str | None = None


class Completion(Frozen):
    """What a server proposes for an argument; `more`: there are others."""

    values: tuple[str, ...] = ()
    more: bool = False


class Listed(Frozen):
    """What one server has of a kind; `problem` says why the list could not be had, `said` the same where it is known.

    `follows`: it tells of changes.
    """

    server: str
    title: str
    prompts: tuple[PromptInfo, ...] = ()
    resources: tuple[ResourceInfo, ...] = ()
    problem: str | None = None
    said: tuple[Saying, ...] = ()
    follows: bool = False
    followed: tuple[str, ...] = ()


class MaterialError(Exception):
    """A prompt or resource could not be had; the message is in words for a person."""
