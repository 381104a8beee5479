"""What a window can ask about cards, UI commands, links and pictures."""

from typing import Any, Literal

from app.chat.leochat import LeoChat
from app.chat.windows import Window
from app.web.commands.command import Command


class CardActionCommand(Command):
    """A button of a card was pressed; the card is looked up in the stored message, so a page cannot invent one.

    Gives `{effect}`: sent, queued, event, called, ui or link.
    """

    type: Literal["card_action"] = "card_action"
    conversation_id: str
    message_id: str
    card_id: str
    action_id: str
    inputs: dict[str, Any] = {}

    async def run(self, leo: LeoChat, window: Window) -> Any:
        session = await leo.library.session(self.conversation_id)
        return await session.cards.press(self.message_id, self.card_id, self.action_id, self.inputs, window)


class UiResultCommand(Command):
    """What became of a `ui_command` frame."""

    type: Literal["ui_result"] = "ui_result"
    ui_id: str
    executed: bool
    message: str
    data: dict[str, Any] | None = None

    async def run(self, leo: LeoChat, window: Window) -> Any:
        leo.windows.answered(self.ui_id, self.executed, self.message, self.data)


class OpenUrlCommand(Command):
    """Open an address outside the window. A person clicked it, so nothing asks again; only http, https and mailto."""

    type: Literal["open_url"] = "open_url"
    url: str

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return await leo.open_url(self.url, clicked=True)


class LoadPicture(Command):
    """Fetch a remote picture through the backend (guarded, checked, cached); gives `{ref}` for GET /attachments/REF.

    `clicked`: the person asked for this one; else only for trusted servers and allowed hosts.
    """

    type: Literal["load_picture"] = "load_picture"
    url: str
    server: str | None = None
    clicked: bool = False

    async def run(self, leo: LeoChat, window: Window) -> Any:
        return {"ref": await leo.pictures.load(self.url, server=self.server, clicked=self.clicked)}


class Focus(Command):
    """This window got or lost the focus, or was hidden; UI commands go to the last focused one."""

    type: Literal["focus"] = "focus"
    focused: bool
    visible: bool = True

    async def run(self, leo: LeoChat, window: Window) -> Any:
        leo.windows.focus(window, self.focused, self.visible)
