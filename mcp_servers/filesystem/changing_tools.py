"""The tools that change files and folders."""

# ruff: noqa: N803, N815 - the argument names are those of the reference server

from typing import Annotated

from mcp.server import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel

from mcp_servers.answers import ADD_ONCE, CHANGE, CHANGE_ONCE, text_answer
from mcp_servers.arguments import argument
from mcp_servers.filesystem import editing, patching, writing
from mcp_servers.filesystem.answering import answering
from mcp_servers.filesystem.keeping import Keeper
from mcp_servers.filesystem.patience import to_the_end
from mcp_servers.filesystem.roots import Roots
from mcp_servers.filesystem.tools import Path


class EditOperation(BaseModel):
    """One replacement in a file."""

    oldText: Annotated[str, argument("The text to replace, exactly as it is in the file.")]
    newText: Annotated[str, argument("What to put in its place.")]
    replaceAll: Annotated[bool, argument("Replace it everywhere instead of once.")] = False


def register(server: MCPServer, roots: Roots, keeper: Keeper) -> None:
    """Add the tools that change something."""
    _register_text(server, roots, keeper)
    _register_places(server, roots, keeper)
    _register_undo(server, keeper)


def _register_text(server: MCPServer, roots: Roots, keeper: Keeper) -> None:
    @server.tool(title="Write a file", annotations=CHANGE_ONCE)
    @answering
    async def write_file(
        path: Path,
        content: Annotated[str, argument("The whole new content.")],
        encoding: Annotated[str | None, argument("Only if it must not be kept, or utf-8 if new.")] = None,
    ) -> CallToolResult:
        """Make a text file, or replace all of one. Use edit_file to change a part of a file."""
        return await keeper.write([roots.resolve(path)], writing.write_file, roots, path, content, encoding)

    @server.tool(title="Edit a file", annotations=CHANGE)
    @answering
    async def edit_file(
        path: Path,
        edits: Annotated[
            list[EditOperation],
            argument(
                "The replacements, in order; if one does not fit, none is made.",
                min_length=1,
                examples=[[{"oldText": "colour = red", "newText": "colour = blue"}]],
            ),
        ],
        dryRun: Annotated[bool, argument("Only show the difference, change nothing.")] = False,
    ) -> CallToolResult:
        """Replace parts of a text file and show the difference. Each oldText must be there once."""
        wanted = [editing.Edit(one.oldText, one.newText, one.replaceAll) for one in edits]
        if dryRun:
            return text_answer(await to_the_end(editing.edit_file, roots, path, wanted, dry_run=True))
        return await keeper.write([roots.resolve(path)], editing.edit_file, roots, path, wanted)

    @server.tool(title="Apply a patch", annotations=CHANGE)
    @answering
    async def apply_patch(
        patch: Annotated[
            str,
            argument(
                "A unified diff (git diff) of one or more files, or a *** Begin Patch text. Paths "
                "are relative to an allowed folder, or whole.",
                min_length=1,
            ),
        ],
        dryRun: Annotated[bool, argument("Only check that it fits, change nothing.")] = False,
    ) -> CallToolResult:
        """Change, make and delete several files with one patch. If any part does not fit, nothing is done."""
        if dryRun:
            return text_answer(await to_the_end(patching.apply_patch, roots, patch, dry_run=True))
        return await keeper.write(await to_the_end(patching.touched, roots, patch), patching.apply_patch, roots, patch)


def _register_places(server: MCPServer, roots: Roots, keeper: Keeper) -> None:
    @server.tool(title="Make a folder", annotations=ADD_ONCE)
    @answering
    async def create_directory(path: Path) -> CallToolResult:
        """Make a folder and those above it. It is fine if it is there already."""
        return text_answer(await to_the_end(writing.create_directory, roots, path))

    @server.tool(title="Move or rename", annotations=CHANGE)
    @answering
    async def move_file(
        source: Annotated[str, argument("The file or folder to move.")],
        destination: Annotated[str, argument("Its new path with its name; it must not exist yet.")],
    ) -> CallToolResult:
        """Move or rename a file or folder. Example: {"source": "a.txt", "destination": "old/a.txt"}."""
        start, end = (roots.resolve(one, follow=False) for one in (source, destination))
        if start.path == end.path:
            return text_answer(f"{source} is there already; nothing was moved.")
        return await keeper.move(start, end, writing.move_file, roots, source, destination)

    @server.tool(title="Put into the trash", annotations=CHANGE)
    @answering
    async def delete_to_trash(path: Path) -> CallToolResult:
        """Put a file or folder into the system's trash, from where the user can bring it back."""
        return await keeper.trash(roots.resolve(path, follow=False), writing.delete_to_trash, roots, path)


def _register_undo(server: MCPServer, keeper: Keeper) -> None:
    @server.tool(title="Undo changes", annotations=CHANGE_ONCE)
    @answering
    async def undo_changes(
        change: Annotated[str | None, argument("The change's id, as a write told it; left out: the latest here.")] = None,
    ) -> CallToolResult:
        """Bring back every file a task has changed, moved or put into the trash, as it was before that task."""
        return await keeper.undo(change)
