"""The tools that read: files, folders and searches."""

# ruff: noqa: N803, N815 - the argument names are those of the reference server

from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from pydantic import BaseModel

from mcp_servers.answers import READ, text_answer
from mcp_servers.arguments import argument
from mcp_servers.filesystem import grep as searching
from mcp_servers.filesystem import listing, reading
from mcp_servers.filesystem.answering import answering
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patience import in_thread, to_the_end
from mcp_servers.filesystem.reading import Lines, Media
from mcp_servers.filesystem.roots import Roots

Path = Annotated[
    str,
    argument("A file or folder. Outside the allowed ones the user is asked.", examples=["notes/plan.md", "~/Desktop/a.txt"]),
]
Excluded = Annotated[list[str] | None, argument("Patterns to leave out.", examples=[["node_modules", "**/*.tmp"]])]
Everything = Annotated[bool, argument("True: also hidden files and those that .gitignore leaves out.")]


class FileInfo(BaseModel):
    """Details of a file or folder; times in ISO 8601, size in bytes."""

    path: str
    size: int
    created: str | None
    modified: str
    accessed: str
    isDirectory: bool
    isFile: bool
    permissions: str


class AllowedDirectories(BaseModel):
    """The folders this server may use."""

    directories: list[str]


def register(server: MCPServer, roots: Roots) -> None:
    """Add the tools that change nothing."""
    _register_reading(server, roots)
    _register_folders(server, roots)
    _register_searching(server, roots)


def _register_reading(server: MCPServer, roots: Roots) -> None:
    @server.tool(title="Read a text file", annotations=READ)
    @answering
    async def read_text_file(
        path: Path,
        head: Annotated[int | None, argument("Only the first N lines.", ge=1)] = None,
        tail: Annotated[int | None, argument("Only the last N lines.", ge=1)] = None,
        startLine: Annotated[int | None, argument("First line of a range; 1 is the first.", ge=1)] = None,
        endLine: Annotated[int | None, argument("Last line of a range, included.", ge=1)] = None,
        lineNumbers: Annotated[bool, argument("Put its number before each line.")] = False,
        encoding: Annotated[
            str | None, argument("Only where the guess was wrong.", examples=["gb18030", "windows-1252"])
        ] = None,
    ) -> CallToolResult:
        """Read a text file, whole or in part. Any encoding. Example: {"path": "notes.txt", "head": 20}."""
        lines = Lines(head, tail, startLine, endLine, lineNumbers)
        return text_answer(await in_thread(reading.read_lines, roots, path, lines, encoding))

    @server.tool(title="Read a picture, sound or other file", annotations=READ)
    @answering
    async def read_media_file(path: Path) -> CallToolResult:
        """Read a picture or sound to see or hear it; any other file comes as an attachment."""
        media = await to_the_end(reading.read_media, roots, path)
        return CallToolResult(content=[_content(media)])

    @server.tool(title="Read several text files", annotations=READ)
    @answering
    async def read_multiple_files(
        paths: Annotated[list[str], argument("The files.", min_length=1, max_length=100)],
    ) -> CallToolResult:
        """Read several text files at once. A file that cannot be read does not stop the others."""
        faults: list[FilesError] = []
        texts = [await _one_of_many(roots, path, faults) for path in paths]
        if sum(map(len, texts)) > reading.ANSWER:
            raise FilesError("These files together are too long for one answer. Read fewer at once.")
        outside = next((dict(fault.meta) for fault in faults if fault.meta), None)  # the host may ask for that folder
        return CallToolResult(content=[TextContent(type="text", text="\n---\n".join(texts))], _meta=outside)


async def _one_of_many(roots: Roots, path: str, faults: list[FilesError]) -> str:
    try:
        return f"{path}:\n{await in_thread(reading.read_lines, roots, path, Lines())}\n"
    except FilesError as error:
        faults.append(error)
        return f"{path}: Error - {error}"


def _content(media: Media) -> ImageContent | AudioContent | EmbeddedResource:
    if media.media_type.startswith("image/"):
        return ImageContent(type="image", data=media.data, mime_type=media.media_type)
    if media.media_type.startswith("audio/"):
        return AudioContent(type="audio", data=media.data, mime_type=media.media_type)
    blob = BlobResourceContents(uri=media.uri, mime_type=media.media_type, blob=media.data)
    return EmbeddedResource(type="resource", resource=blob)


def _register_folders(server: MCPServer, roots: Roots) -> None:
    @server.tool(title="List a folder", annotations=READ)
    @answering
    async def list_directory(path: Path) -> CallToolResult:
        """List what is in a folder: [DIR], [FILE] or [LINK] and the name. Example: {"path": "."}."""
        return text_answer(await to_the_end(listing.list_directory, roots, path))

    @server.tool(title="List a folder with sizes", annotations=READ)
    @answering
    async def list_directory_with_sizes(
        path: Path,
        sortBy: Annotated[Literal["name", "size"], argument("By name, or the largest first.")] = "name",
    ) -> CallToolResult:
        """List what is in a folder with the sizes of the files."""
        return text_answer(await to_the_end(listing.list_with_sizes, roots, path, sortBy))

    @server.tool(title="Show a folder as a tree", annotations=READ)
    @answering
    async def directory_tree(path: Path, excludePatterns: Excluded = None) -> CallToolResult:
        """Everything below a folder as JSON: name, type, and children for folders."""
        tree = await in_thread(listing.directory_tree, roots, path, excludePatterns or [])
        return text_answer(tree)

    @server.tool(title="Details of a file", annotations=READ)
    @answering
    async def get_file_info(path: Path) -> Annotated[CallToolResult, FileInfo]:
        """Size, times, kind and permissions of a file or folder."""
        info = await to_the_end(listing.file_info, roots, path)
        return text_answer("\n".join(f"{key}: {_word(value)}" for key, value in info.items()), info)

    @server.tool(title="List the allowed folders", annotations=READ)
    @answering
    async def list_allowed_directories() -> Annotated[CallToolResult, AllowedDirectories]:
        """The folders these tools may use. Relative paths start in the first of them."""
        real = await to_the_end(roots.real)
        return text_answer("\n".join(["Allowed directories:", *real]), {"directories": real})


def _word(value: Any) -> str:
    if value is None:
        return "unknown"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _register_searching(server: MCPServer, roots: Roots) -> None:
    @server.tool(title="Search files by name", annotations=READ)
    @answering
    async def search_files(
        path: Annotated[str, argument("The folder to search in.", examples=["."])],
        pattern: Annotated[str, argument("A pattern or a part of the name.", min_length=1, examples=["**/*.pdf", "invoice"])],
        excludePatterns: Excluded = None,
    ) -> CallToolResult:
        """Find files and folders by name, in all folders below. Answers with whole paths."""
        found = await in_thread(listing.search_files, roots, path, pattern, excludePatterns or [])
        return text_answer(found)

    @server.tool(title="Find files by pattern", annotations=READ)
    @answering
    async def glob(
        pattern: Annotated[str, argument("Such as *.py or src/**/*.ts.", min_length=1)],
        path: Annotated[str | None, argument("The folder to start in; all allowed ones if not given.")] = None,
        limit: Annotated[int, argument("The most files to answer with.", ge=1, le=5000)] = 200,
        everything: Everything = False,
    ) -> CallToolResult:
        """Find files by pattern, the last changed first. Hidden and ignored files are left out."""
        found = await in_thread(listing.glob_files, roots, path, pattern, limit, everything)
        return text_answer(found)

    @server.tool(title="Search inside files", annotations=READ)
    @answering
    async def grep(
        pattern: Annotated[str, argument("A regular expression.", min_length=1, examples=["TODO|FIXME", "def \\w+\\("])],
        path: Annotated[str | None, argument("A folder or file; all allowed folders if not given.")] = None,
        glob: Annotated[str | None, argument("Only files whose name fits.", examples=["*.md"])] = None,
        fixed: Annotated[bool, argument("The pattern is plain text.")] = False,
        ignoreCase: Annotated[bool, argument("Small and capital letters are the same.")] = False,
        context: Annotated[int, argument("Lines to show around each match.", ge=0, le=20)] = 0,
        show: Annotated[searching.Show, argument("Matching lines, only file names, or counts.")] = "lines",
        limit: Annotated[int, argument("The most matches to answer with.", ge=1, le=5000)] = 100,
        everything: Everything = False,
    ) -> CallToolResult:
        """Search the text of files. Answers with path:line: text. Binary and ignored files are left out."""
        found = await searching.grep(
            roots,
            pattern,
            path,
            glob=glob,
            fixed=fixed,
            any_case=ignoreCase,
            everything=everything,
            context=context,
            most=limit,
            show=show,
        )
        return text_answer(found)
