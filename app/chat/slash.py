"""Slash commands: what a line that begins with / does instead of being sent. One decorated function each."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.chat.refused import Refused

if TYPE_CHECKING:
    from app.chat.session import Session

Deed = Callable[["Session", str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """`hint` names what may follow; `titles` by language."""

    name: str
    hint: str
    titles: dict[str, str]
    run: Deed


COMMANDS: dict[str, SlashCommand] = {}


def slash(*, hint: str = "", es: str) -> Callable[[Deed], Deed]:
    """Make a function a slash command of its name; its docstring is the English title, `es` the Spanish one."""

    def register(deed: Deed) -> Deed:
        english = (inspect.getdoc(deed) or "").splitlines()[0].rstrip(".")
        COMMANDS[deed.__name__] = SlashCommand(deed.__name__, hint, {"en": english, "es": es}, deed)
        return deed

    return register


def find(text: str) -> tuple[SlashCommand, str] | None:
    """The command a message is, with what follows it; None for every other message, a path among them."""
    if not text.startswith("/"):
        return None
    name, _, rest = text[1:].strip().partition(" ")
    command = COMMANDS.get(name)
    return (command, rest.strip()) if command else None


@slash(es="Resumir lo anterior para hacer sitio")
async def compact(session: "Session", words: str) -> None:
    """Sum up what was said, to make room."""
    del words
    await session.tasks.compact()


@slash(hint="NAME", es="Cambiar el modelo de esta conversación")
async def model(session: "Session", words: str) -> None:
    """Change this conversation's model."""
    if not words:
        raise Refused("invalid", "Name a model: /model NAME, or /model PROVIDER NAME.")
    provider, _, name = words.partition(" ")
    await session.set_options({"provider": provider, "model": name} if name else {"model": words})


@slash(hint="TEXT", es="Cambiar las instrucciones de esta conversación")
async def system(session: "Session", words: str) -> None:
    """Change this conversation's system prompt."""
    await session.set_options({"system": words or None})


@slash(hint="TEXT", es="Cambiar el título")
async def title(session: "Session", words: str) -> None:
    """Change the title."""
    if not words:
        raise Refused("invalid", "Write the title after /title.")
    await session.rename(words)
