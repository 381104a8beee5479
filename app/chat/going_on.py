"""Going on with a conversation whose last task did not come to its end."""

from typing import TYPE_CHECKING

from app.chat.refused import Refused
from app.chat.windows import Window
from app.core.messages import Message, Origin, TextBlock, new_id

if TYPE_CHECKING:
    from app.chat.session import Session

CONTINUE = "Go on exactly where you stopped."


async def go_on(session: "Session", window: Window | None) -> None:
    """A task from where the last one rests; Refused (invalid, busy) where there is nothing to go on with."""
    if session.running:
        raise Refused("busy", "The task is running already.")
    last = session.messages[-1] if session.messages else None
    if last is None:
        raise Refused("invalid", "There is nothing to go on with.")
    if session.tasks.interrupted() is None and not _cut_short(session.messages):
        raise Refused("invalid", "There is nothing to go on with: the last task came to its end.")
    session.rooms.models.ask_again()
    if session.tasks.concluded():
        await session.tasks.begin(None, window, ending=True)
        return
    if session.tasks.whole() and len(session.queue):
        await session.tasks.begin(None, window, join_first=True)
        return
    follow_up = None
    if last.role == "assistant" and not last.calls and any(b.type == "text" for b in last.blocks):
        origin = Origin(server="", card_id="", label="continue", bundled=True)
        follow_up = Message(id=new_id("msg"), role="user", blocks=(TextBlock(text=CONTINUE),), origin=origin)
    await session.tasks.begin(follow_up, window)


def _cut_short(messages: list[Message]) -> bool:
    """The last reply was too long: its text breaks off, or what became of its calls was told to nobody yet."""
    said = messages[-2] if messages[-1].role == "tool" and len(messages) > 1 else messages[-1]
    return said.stop_reason == "length"
