"""The tools that read."""

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import READ
from mcp_servers.arguments import argument
from mcp_servers.word.arguments import Path
from mcp_servers.word.desk import Desk, answering


class Outline(BaseModel):
    """Headings with level and text, how much there is of everything, styles in use, title and author."""

    headings: list[dict[str, Any]]
    words: int
    paragraphs: int
    tables: int
    pictures: int
    sections: int
    comments: int
    tracked_changes: int
    styles: list[str]
    properties: dict[str, str]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that change nothing."""

    @server.tool(title="Read a document", annotations=READ)
    @answering
    async def read_document(
        path: Path,
        changes: Annotated[
            Literal["final", "marked"],
            argument("final: as if all tracked changes were accepted. marked: {++new++}, {--old--}, and the comments."),
        ] = "final",
        start_index: Annotated[int, argument("Go on from this character, after an answer that was cut.", ge=0)] = 0,
        max_length: Annotated[int, argument("The most characters to answer with.", ge=1, le=500_000)] = 20_000,
    ) -> CallToolResult:
        """Read a Word document as Markdown, in order: text, lists, tables, text boxes, notes. Example: {"path": "a.docx"}."""
        return await desk.read(path, marked=changes == "marked", start=start_index, most=max_length)

    @server.tool(title="Outline of a document", annotations=READ)
    @answering
    async def document_outline(path: Path) -> Annotated[CallToolResult, Outline]:
        """List the headings of a Word document, and count its words, tables, pictures, comments and tracked changes."""
        return await desk.outline(path)
