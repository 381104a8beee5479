"""The tools, with what a model is told of them."""

# ruff: noqa: A002 - id is what people call it

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import ADD_ONCE, CHANGE_ONCE, READ
from mcp_servers.arguments import argument
from mcp_servers.knowledge.server import Desk, answering

GREATEST = 2**53 - 1  # JSON's greatest safe integer (RFC 8259, section 6); SQLite refuses what is over 2**63
Folder = Annotated[str | None, argument("Only this indexed folder: its path or name.", examples=["laws"])]


class Source(BaseModel):
    """A passage: its file, and where in it. `first` and `last` are lines, or rows of the sheet."""

    id: int
    path: str
    title: str
    place: str
    head: str
    page: int | None
    sheet: str | None
    first: int | None
    last: int | None
    start: int


class Found(Source):
    """A passage with the part of it that fits the question."""

    excerpt: str


class Results(BaseModel):
    """What was found, best first; `hybrid`: by meaning too."""

    passages: list[Found]
    hybrid: bool
    notes: list[str]


class Text(Source):
    """A part of a file's text, from the character `start` of `characters`; `next_start` is where to read on."""

    text: str
    characters: int
    next_start: int | None
    note: str


class FolderFacts(BaseModel):
    """A folder: `state` is scanning, reading, ready or missing; `others` are files of kinds that are not read."""

    path: str
    state: str
    problem: str
    files: int
    indexed: int
    waiting: int
    failed: int
    passages: int
    others: int
    scanned_ms: int | None
    indexed_ms: int | None


class FileFacts(BaseModel):
    """A file: `state` is waiting, indexed or failed."""

    path: str
    state: str
    size: int
    title: str
    problem: str
    passages: int


class Sources(BaseModel):
    """Folders, and files where one folder was asked for."""

    folders: list[FolderFacts]
    files: list[FileFacts]
    next_start: int | None


class Status(BaseModel):
    """How far it is; `vectors` of `passages` can be found by meaning."""

    folders: list[FolderFacts]
    problems: list[dict[str, Any]]
    trouble: str
    vectors: int
    passages: int
    problem_of_model: str


class Added(BaseModel):
    """The folder that is indexed now."""

    folder: FolderFacts


class Removed(BaseModel):
    """The path of the folder that is not indexed any more."""

    removed: str


def register(server: MCPServer, desk: Desk) -> None:
    """Add all tools."""
    _register_reading(server, desk)
    _register_folders(server, desk)


def _register_reading(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Search the knowledge", annotations=READ)
    @answering
    async def search_knowledge(
        query: Annotated[
            str, argument("Words the text would use; \"quoted\" for an exact phrase.", min_length=1, max_length=1000,
                          examples=["notice period dismissal"]),
        ],
        folder: Folder = None,
        limit: Annotated[int, argument("How many passages at most.", ge=1, le=20)] = 5,
    ) -> Annotated[CallToolResult, Results]:  # fmt: skip
        """Search the user's indexed documents; gives passages with file and place. Example: {"query": "plazo de preaviso"}."""
        return await desk.search(query, folder, limit)

    @server.tool(title="Read a passage", annotations=READ)
    @answering
    async def read_passage(
        id: Annotated[int | None, argument("A passage's id from search_knowledge.", ge=1, le=GREATEST, examples=[12])] = None,
        path: Annotated[str | None, argument("Instead of an id: an indexed file.", examples=["manual.pdf"])] = None,
        start: Annotated[int | None, argument("Read from this character of the file's text.", ge=0)] = None,
        length: Annotated[int, argument("How many characters at most.", ge=100, le=50_000)] = 2500,
        show: Annotated[bool, argument("True: show this passage to the user as a card.")] = False,
    ) -> Annotated[CallToolResult, Text]:
        """Read an indexed document from a passage on. Example: {"id": 12}. Give id or path."""
        return await desk.read(id, path, start, length, show=show)

    @server.tool(title="List sources", annotations=READ)
    @answering
    async def list_sources(
        folder: Folder = None,
        start: Annotated[int, argument("Leave out so many files, to read on in a long list.", ge=0, le=GREATEST)] = 0,
        limit: Annotated[int, argument("How many files at most.", ge=1, le=1000)] = 100,
    ) -> Annotated[CallToolResult, Sources]:
        """List the indexed folders, or the files of one."""
        return await desk.sources(folder, start, limit)

    @server.tool(title="Indexing status", annotations=READ)
    @answering
    async def index_status() -> Annotated[CallToolResult, Status]:
        """How far the indexing is, and which files could not be read and why."""
        return await desk.status()


def _register_folders(server: MCPServer, desk: Desk) -> None:
    @server.tool(title="Index a folder", annotations=ADD_ONCE)
    @answering
    async def add_folder(
        path: Annotated[str, argument("The folder's whole path.", min_length=1, examples=["/home/ana/laws"])],
        context: Context,
    ) -> Annotated[CallToolResult, Added]:
        """Index a folder that the user named, so that it can be searched from now on; followed when its files change."""
        return await desk.add(path, context)

    @server.tool(title="Remove a folder from the index", annotations=CHANGE_ONCE)
    @answering
    async def remove_folder(
        folder: Annotated[str, argument("The indexed folder: its path or name.", min_length=1, examples=["laws"])],
    ) -> Annotated[CallToolResult, Removed]:
        """Take a folder out of the index, only when the user asks for it. Its files stay untouched on the disk."""
        return await desk.remove(folder)
