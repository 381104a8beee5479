"""The tools that ask the host for a small action: each answers with one UI command, no more."""

# ruff: noqa: A002, N803 - the argument names are the wire format's

import json
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult, ToolAnnotations

from mcp_servers.answers import error_answer, text_answer
from mcp_servers.arguments import argument
from mcp_servers.leochat.themes import THEMES, Mode, theme_id

ACT_ONCE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ACT = ACT_ONCE.model_copy(update={"idempotent_hint": False})
ACT_OUTSIDE = ACT.model_copy(update={"open_world_hint": True})
REPLACE = ACT_ONCE.model_copy(update={"destructive_hint": True})

Panel = Literal["mcp", "settings", "history"]
SCHEMES = ("http://", "https://", "mailto:")


def ui_command(command: str, **payload: Any) -> CallToolResult:
    """One text item that holds the command; arguments that were not given are left out."""
    given = {name: value for name, value in payload.items() if value is not None}
    body = {"__ui_command__": True, "command": command, "payload": given}
    return text_answer(json.dumps(body, ensure_ascii=False))


def register(server: MCPServer) -> None:
    """Add all tools that return a UI command."""
    _register_looks(server)
    _register_dialogs(server)
    _register_page(server)
    _register_outside(server)


def _register_looks(server: MCPServer) -> None:
    @server.tool(title="Change the theme", annotations=ACT_ONCE)
    async def update_theme(
        theme: Annotated[
            str | None,
            argument(
                f"The theme: {', '.join(THEMES)}, or words such as 'purple', 'oscuro', '紫色'.",
                examples=["dark-purple", "deep green"],
            ),
        ] = None,
        mode: Annotated[Mode | None, argument("Only switch between light and dark and keep the colour.")] = None,
    ) -> CallToolResult:
        """Change LeoChat's colours. Examples: {"theme": "dark-purple"} or {"mode": "dark"}."""
        if not theme or not theme.strip():
            if mode is None:
                return error_answer(f"Give theme ({', '.join(THEMES)}) or mode (light, dark).")
            return ui_command("update_theme", mode=mode)
        known = theme_id(theme, mode)
        if known is None:
            return ui_command("update_theme", themeId=theme.strip(), mode=mode)
        return ui_command("update_theme", themeId=known)

    @server.tool(title="Resize the window", annotations=ACT_ONCE)
    async def resize_window(
        preset: Annotated[
            Literal["small", "medium", "large", "fullscreen"] | None,
            argument("small is 800x600, medium 1200x800, large 1600x1000."),
        ] = None,
        width: Annotated[int | None, argument("Width in pixels, at least 800.", ge=1, le=32767)] = None,
        height: Annotated[int | None, argument("Height in pixels, at least 600.", ge=1, le=32767)] = None,
    ) -> CallToolResult:
        """Change the size of LeoChat's window. Example: {"preset": "small"}."""
        if preset is not None:
            return ui_command("resize_window", preset=preset)
        if width is None and height is None:
            return error_answer("Give preset (small, medium, large, fullscreen), or width or height.")
        return ui_command("resize_window", width=width, height=height)


def _register_dialogs(server: MCPServer) -> None:
    @server.tool(title="Show a notification", annotations=ACT)
    async def show_notification(
        message: Annotated[str, argument("What to tell the user.", min_length=1)],
        type: Annotated[
            Literal["info", "success", "warning", "error"] | None,
            argument("How it looks; info if not given."),
        ] = None,
        duration: Annotated[
            int | None,
            argument("How long it stays, in milliseconds; 3000 if not given.", ge=500, le=60000),
        ] = None,
    ) -> CallToolResult:
        """Show a short note. Example: {"message": "Saved", "type": "success"}."""
        return ui_command("show_notification", message=message, type=type, duration=duration)

    @server.tool(title="Ask the user to confirm", annotations=ACT)
    async def show_confirm(
        title: Annotated[str, argument("The question in a few words.", min_length=1)],
        message: Annotated[str, argument("What will happen if the user agrees.", min_length=1)],
        confirmText: Annotated[str | None, argument("The text of the button that agrees.")] = None,
        cancelText: Annotated[str | None, argument("The text of the button that refuses.")] = None,
        onConfirmCommand: Annotated[str | None, argument("A UI command to run when the user agrees; seldom needed.")] = None,
    ) -> CallToolResult:
        """Ask the user yes or no in a dialog. The answer is in data.confirmed of the result."""
        return ui_command(
            "show_confirm",
            title=title,
            message=message,
            confirmText=confirmText,
            cancelText=cancelText,
            onConfirmCommand=onConfirmCommand,
        )


def _register_page(server: MCPServer) -> None:
    @server.tool(title="Open a panel", annotations=ACT_ONCE)
    async def open_panel(
        panel: Annotated[Panel, argument("mcp: the servers; settings; history: the conversations.")],
        tab: Annotated[str | None, argument("The part of the panel to show.")] = None,
    ) -> CallToolResult:
        """Open one of LeoChat's panels. Example: {"panel": "settings"}."""
        return ui_command("open_panel", panel=panel, tab=tab)

    @server.tool(title="Close a panel", annotations=ACT_ONCE)
    async def close_panel(
        panel: Annotated[
            Literal["mcp", "settings", "history", "all"],
            argument("Which panel; all closes every one."),
        ],
    ) -> CallToolResult:
        """Close one of LeoChat's panels, or all. Example: {"panel": "all"}."""
        return ui_command("close_panel", panel=panel)

    @server.tool(title="Write into the message box", annotations=REPLACE)
    async def set_input(
        text: Annotated[str, argument("The text to put into the message box.")],
        append: Annotated[bool | None, argument("Add to what is there instead of replacing it.")] = None,
    ) -> CallToolResult:
        """Put text into the user's message box, for the user to change and send. It is not sent."""
        return ui_command("set_input", text=text, append=append)

    @server.tool(title="Scroll to a message", annotations=ACT_ONCE)
    async def scroll_to_message(
        messageId: Annotated[str | None, argument("The id of a message of this conversation.")] = None,
        position: Annotated[
            Literal["top", "bottom"] | None,
            argument("The beginning or the end of the conversation."),
        ] = None,
    ) -> CallToolResult:
        """Scroll to a message, or to the top or bottom. Example: {"position": "top"}."""
        if messageId is None and position is None:
            return error_answer("Give messageId, or position (top, bottom).")
        return ui_command("scroll_to_message", messageId=messageId, position=position)


def _register_outside(server: MCPServer) -> None:
    @server.tool(title="Copy to the clipboard", annotations=REPLACE)
    async def copy_to_clipboard(
        text: Annotated[str, argument("The text to copy.", min_length=1)],
        showNotification: Annotated[bool | None, argument("Tell the user that it was copied; true if not given.")] = None,
    ) -> CallToolResult:
        """Copy text to the user's clipboard. It replaces what was there."""
        return ui_command("copy_to_clipboard", text=text, showNotification=showNotification)

    @server.tool(title="Open a web address", annotations=ACT_OUTSIDE)
    async def open_url(
        url: Annotated[
            str,
            argument(
                "The whole address, http, https or mailto.",
                min_length=1,
                examples=["https://example.org/"],
            ),
        ],
        newTab: Annotated[bool | None, argument("Open it in a new tab of the browser.")] = None,
    ) -> CallToolResult:
        """Open an address in the user's browser or mail program. It does not read the page."""
        address = url.strip()
        if not address.lower().startswith(SCHEMES) or any(ord(letter) < 33 for letter in address):
            return error_answer("Only whole http, https and mailto addresses can be opened, such as https://example.org/.")
        return ui_command("open_url", url=address, newTab=newTab)
