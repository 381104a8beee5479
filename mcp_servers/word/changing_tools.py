"""The tools that change what is there, comment on it, turn it into a PDF, and undo."""

from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult

from mcp_servers.answers import ADD, CHANGE, CHANGE_ONCE
from mcp_servers.arguments import argument
from mcp_servers.word.arguments import Align, Bold, Color, Font, Italic, Occurrence, Path, Size, Style, Underline
from mcp_servers.word.desk import Call, Desk, answering

Find = Annotated[str, argument("The text to find, within one paragraph.", min_length=1, examples=["the total sum"])]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that change."""
    _register_text(server, desk)
    _register_looks(server, desk)
    _register_files(server, desk)


def _register_text(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Find and replace", annotations=CHANGE)
    @answering
    async def replace_text(
        ctx: Call,
        path: Path,
        find: Find,
        replace: Annotated[str, argument("The text to put in its place; may be empty.")],
        match_case: Annotated[bool, argument("True: upper and lower case differ.")] = False,
        whole_word: Annotated[bool, argument("True: only whole words.")] = False,
    ) -> CallToolResult:
        """Replace a text everywhere, in tables, headers, footnotes and text boxes too. Its format stays."""
        options = {"replace": replace, "match_case": match_case, "whole_word": whole_word}
        return await desk.change(ctx, path, "replace_text", {"find": find, **options})

    @server.tool(title="Delete a section", annotations=CHANGE)
    @answering
    async def delete_section(
        ctx: Call, path: Path, heading: Annotated[str, argument("Its heading, in its own words.", min_length=1)]
    ) -> CallToolResult:
        """Delete a heading and all that is under it, up to the next heading of its level."""
        return await desk.change(ctx, path, "delete_section", {"of": heading})

    @server.tool(title="Add a comment", annotations=ADD)
    @answering
    async def add_comment(
        ctx: Call,
        path: Path,
        find: Find,
        comment: Annotated[str, argument("What to say about it.", min_length=1)],
        author: Annotated[str, argument("Who says it.", min_length=1)] = "LeoChat",
        occurrence: Occurrence = 1,
    ) -> CallToolResult:
        """Comment on a text. Example: {"path": "a.docx", "find": "3 million", "comment": "Source?"}."""
        options = {"comment": comment, "author": author, "occurrence": occurrence}
        return await desk.change(ctx, path, "add_comment", {"find": find, **options})


def _register_looks(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Format text", annotations=CHANGE_ONCE)
    @answering
    async def format_text(
        ctx: Call,
        path: Path,
        find: Find,
        occurrence: Occurrence = 1,
        bold: Bold = None,
        italic: Italic = None,
        underline: Underline = None,
        highlight: Annotated[bool | None, argument("Marked in yellow or not.")] = None,
        font: Font = None,
        size: Size = None,
        color: Color = None,
        style: Style = None,
        align: Align = None,
    ) -> CallToolResult:
        """Give a text other looks, or its paragraph a style (such as Heading 1) or an alignment."""
        looking = {"bold": bold, "italic": italic, "underline": underline, "highlight": highlight}
        looking |= {"font": font, "size": size, "color": color}
        options = {"occurrence": occurrence, "style": style, "align": align, "looking": looking}
        return await desk.change(ctx, path, "format_text", {"find": find, **options})

    @server.tool(title="Change a style", annotations=CHANGE_ONCE)
    @answering
    async def set_style(
        ctx: Call,
        path: Path,
        style: Annotated[str, argument("The style to change.", min_length=1, examples=["Heading 1", "Normal"])],
        bold: Bold = None,
        italic: Italic = None,
        underline: Underline = None,
        font: Font = None,
        size: Size = None,
        color: Color = None,
    ) -> CallToolResult:
        """Change a style, and with it all text that has it. Example: {"path": "a.docx", "style": "Normal", "size": 11}."""
        looking = {"bold": bold, "italic": italic, "underline": underline, "font": font, "size": size, "color": color}
        return await desk.change(ctx, path, "set_style", {"style": style, "looking": looking})


def _register_files(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Save as PDF", annotations=ADD)
    @answering
    async def convert_to_pdf(
        ctx: Call,
        path: Path,
        target: Annotated[str | None, argument("The new file; left out: beside the document.", examples=["a.pdf"])] = None,
    ) -> CallToolResult:
        """Make a PDF of a document. Needs LibreOffice on this computer."""
        return await desk.pdf(ctx, path, target)

    @server.tool(title="Undo changes", annotations=CHANGE_ONCE)
    @answering
    async def undo_changes(
        ctx: Call,
        change: Annotated[str | None, argument("The change's id, as a write told it; left out: the latest here.")] = None,
    ) -> CallToolResult:
        """Bring back every file a task has changed as it was before that task. Files it made are removed."""
        return await desk.undo(ctx, change)
