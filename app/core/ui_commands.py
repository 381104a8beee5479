"""UI commands: small one-off actions on the host that a tool result or a card button may ask for."""

import functools
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, JsonValue, TypeAdapter, ValidationError
from typing_extensions import TypeAliasType

from app.core.frozen import Frozen

THEMES = ("light", "dark", "light-purple", "dark-purple", "light-green", "dark-green")
PRESETS = {"small": (800, 600), "medium": (1200, 800), "large": (1600, 1000)}
MIN_WIDTH, MIN_HEIGHT = 800, 600
Level: TypeAlias = Literal["info", "success", "warning", "error"]
Panel: TypeAlias = Literal["mcp", "settings", "history"]


class UpdateTheme(Frozen):
    """`mode` alone keeps the hue; an unknown `themeId` is answered by the window with the list of ids."""

    themeId: str | None = None
    mode: Literal["light", "dark"] | None = None
    command: Literal["update_theme"] = "update_theme"


class ResizeWindow(Frozen):
    """A preset, or width and height in CSS pixels (one alone keeps the other), clamped to at least 800x600."""

    preset: Literal["small", "medium", "large", "fullscreen"] | None = None
    width: int | None = None
    height: int | None = None
    command: Literal["resize_window"] = "resize_window"


class ShowNotification(Frozen):
    """`duration` in milliseconds."""

    message: str
    type: Level = "info"
    duration: int = 3000
    command: Literal["show_notification"] = "show_notification"


class ShowConfirm(Frozen):
    title: str
    message: str
    confirmText: str | None = None
    cancelText: str | None = None
    onConfirmCommand: dict[str, JsonValue] | None = None
    command: Literal["show_confirm"] = "show_confirm"


class OpenPanel(Frozen):
    panel: Panel
    tab: str | None = None
    command: Literal["open_panel"] = "open_panel"


class ClosePanel(Frozen):
    panel: Literal["mcp", "settings", "history", "all"] = "all"
    command: Literal["close_panel"] = "close_panel"


class SetInput(Frozen):
    text: str
    append: bool = False
    command: Literal["set_input"] = "set_input"


class ScrollToMessage(Frozen):
    messageId: str | None = None
    position: Literal["top", "bottom"] | None = None
    command: Literal["scroll_to_message"] = "scroll_to_message"


class CopyToClipboard(Frozen):
    text: str
    showNotification: bool = True
    command: Literal["copy_to_clipboard"] = "copy_to_clipboard"


class OpenUrl(Frozen):
    url: str
    newTab: bool = True
    command: Literal["open_url"] = "open_url"


class OpenFile(Frozen):
    """A file of this computer in its own program, or with `reveal` its folder; only by a person's click on a card."""

    path: str
    reveal: bool = False
    command: Literal["open_file"] = "open_file"


class UiSendMessage(Frozen):
    text: str
    label: str | None = None
    command: Literal["send_message"] = "send_message"


UiCommand = TypeAliasType(
    "UiCommand",
    Annotated[
        UpdateTheme
        | ResizeWindow
        | ShowNotification
        | ShowConfirm
        | OpenPanel
        | ClosePanel
        | SetInput
        | ScrollToMessage
        | CopyToClipboard
        | OpenUrl
        | OpenFile
        | UiSendMessage,
        Field(discriminator="command"),
    ],
)

COMMANDS = (
    "update_theme",
    "resize_window",
    "show_notification",
    "show_confirm",
    "open_panel",
    "close_panel",
    "set_input",
    "scroll_to_message",
    "copy_to_clipboard",
    "open_url",
    "open_file",
    "send_message",
)


@functools.cache
def _adapter() -> TypeAdapter[UiCommand]:
    return TypeAdapter(UiCommand)


def read_ui_command(command: str, payload: dict[str, Any]) -> UiCommand | str:
    """The typed command, or one sentence that says why it cannot be read."""
    if command not in COMMANDS:
        return f"Unknown UI command {command!r}; known are {', '.join(COMMANDS)}."
    try:
        return _adapter().validate_python({**payload, "command": command})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(p) for p in first["loc"][1:]) or "payload"
        return f"UI command {command}: {where}: {first['msg']}"
