"""The tools that write new content."""

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from mcp_servers.answers import ADD, CHANGE_ONCE
from mcp_servers.arguments import argument
from mcp_servers.word.arguments import Align, Markdown, Path, Place, RunShape, Style, Under
from mcp_servers.word.desk import Call, Desk, answering

Rows = Annotated[
    list[list[Any]],
    Field(
        description="Rows of cells: texts, numbers, null.",
        min_length=1,
        examples=[[["Name", "Age"], ["Ann", 31]]],
        json_schema_extra={"items": {"type": "array", "items": {}}},
    ),
]


def register(server: MCPServer, desk: Desk) -> None:
    """Add the tools that write."""
    _register_text(server, desk)
    _register_things(server, desk)
    _register_pages(server, desk)


def _register_text(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Write a document", annotations=CHANGE_ONCE)
    @answering
    async def write_document(
        ctx: Call,
        path: Path,
        markdown: Markdown,
        title: Annotated[str | None, argument("A title above the text.", examples=["Annual report"])] = None,
    ) -> CallToolResult:
        """Make a Word document from Markdown, or replace all text of one (its styles and headers stay).

        Example: {"path": "report.docx", "title": "Report", "markdown": "# Results\\n\\nAll **good**."}
        """
        pictures = await desk.pictures(markdown)
        return await desk.change(
            ctx, path, "write_document", {"markdown": markdown, "title": title, "pictures": pictures}, new=True
        )

    @server.tool(title="Add text", annotations=ADD)
    @answering
    async def add_content(
        ctx: Call, path: Path, markdown: Markdown, under: Under = None, place: Place = "end"
    ) -> CallToolResult:
        """Add Markdown to a document: at its end, its top, or in the section under a heading.

        Example: {"path": "report.docx", "under": "Results", "markdown": "One more paragraph."}
        """
        options = {"under": under, "place": place, "pictures": await desk.pictures(markdown)}
        return await desk.change(ctx, path, "add_content", {"markdown": markdown, **options}, new=True)

    @server.tool(title="Add a paragraph", annotations=ADD)
    @answering
    async def add_paragraph(
        ctx: Call,
        path: Path,
        runs: Annotated[list[RunShape], argument("Its pieces, each with its own looks.", min_length=1)],
        style: Style = None,
        align: Align = None,
        under: Under = None,
        place: Place = "end",
    ) -> CallToolResult:
        """Add one paragraph with exact looks (fonts, sizes, colours). For ordinary text add_content is simpler."""
        pieces = [one.model_dump(exclude_none=True) for one in runs]
        options = {"style": style, "align": align, "under": under, "place": place}
        return await desk.change(ctx, path, "add_paragraph", {"runs": pieces, **options})


def _register_things(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Add a table", annotations=ADD)
    @answering
    async def add_table(
        ctx: Call,
        path: Path,
        rows: Rows,
        header: Annotated[bool, argument("The first row holds the headings.")] = True,
        style: Annotated[str | None, argument("A table style of the document.", examples=["Light Grid Accent 1"])] = None,
        under: Under = None,
        place: Place = "end",
    ) -> CallToolResult:
        """Add a table. Example: {"path": "a.docx", "rows": [["Name", "Age"], ["Ann", 31]]}."""
        options = {"rows": rows, "header": header, "style": style, "under": under, "place": place}
        return await desk.change(ctx, path, "add_table", options)

    @server.tool(title="Add a picture", annotations=ADD)
    @answering
    async def add_picture(
        ctx: Call,
        path: Path,
        picture: Annotated[str, argument("The picture's file, inside an allowed folder.", examples=["chart.png"])],
        description: Annotated[str, argument("What it shows, for people who cannot see it.")] = "",
        width_cm: Annotated[float | None, argument("Its width in centimetres; left out: its own.", gt=0, le=100)] = None,
        caption: Annotated[str | None, argument("A line below it.")] = None,
        under: Under = None,
        place: Place = "end",
    ) -> CallToolResult:
        """Add a PNG, JPEG, GIF, BMP or TIFF picture, never wider than the page's text."""
        held = await desk.picture(picture)
        options = {"alt": description, "width_cm": width_cm, "caption": caption, "under": under, "place": place}
        return await desk.change(ctx, path, "add_picture_file", {"picture": held, **options})


def _register_pages(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Add a page break", annotations=ADD)
    @answering
    async def add_page_break(ctx: Call, path: Path, under: Under = None, place: Place = "end") -> CallToolResult:
        """Begin a new page."""
        return await desk.change(ctx, path, "add_page_break", {"under": under, "place": place})

    @server.tool(title="Add a table of contents", annotations=ADD)
    @answering
    async def add_table_of_contents(
        ctx: Call,
        path: Path,
        levels: Annotated[int, argument("How many levels of headings it lists.", ge=1, le=9)] = 3,
        title: Annotated[str | None, argument("A line above it.", examples=["Contents"])] = None,
        under: Under = None,
        place: Place = "top",
    ) -> CallToolResult:
        """Add a table of contents, which Word keeps up to date."""
        options = {"levels": levels, "title": title, "under": under, "place": place}
        return await desk.change(ctx, path, "add_contents", options)

    @server.tool(title="Set header and footer", annotations=CHANGE_ONCE)
    @answering
    async def set_header_footer(
        ctx: Call,
        path: Path,
        header: Annotated[str | None, argument("The header's text; left out: as it is.")] = None,
        footer: Annotated[str | None, argument("The footer's text; left out: as it is.")] = None,
        page_numbers: Annotated[bool, argument("True: page numbers in the footer.")] = False,
    ) -> CallToolResult:
        """Write the header and footer of all pages."""
        options = {"header": header, "footer": footer, "page_numbers": page_numbers}
        return await desk.change(ctx, path, "set_header_footer", options)
