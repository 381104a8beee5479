"""No path gets out of the allowed folders, or into LeoChat's own: over 130 of them, every tool."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult

from mcp_servers.answers import error_answer
from mcp_servers.filesystem import create
from mcp_servers.filesystem.errors import OUTSIDE, FilesError, ProtectedError
from mcp_servers.filesystem.names import checked
from mcp_servers.filesystem.roots import Roots
from tests.mcp_servers.calls import text_of
from tests.mcp_servers.filesystem.world import INSIDE, SECRET, World, make

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows; names are tested below")

OUT = [
    # plain ways out
    "/etc/passwd", "/etc", "/", "//etc/passwd", "///etc/passwd", "/etc/./passwd", "/proc/self/environ",
    "{outside}/secret.txt", "{outside}", "{top}", "{top}/secret.txt", "{outside}/new.txt", "{outside}/a/b/new.txt",
    "~", "~/.ssh/id_rsa", "~/.bashrc",
    # dots
    "..", "../", "../secret.txt", "../outside/secret.txt", "../outside", "./../outside/secret.txt",
    "sub/../../outside/secret.txt", "sub/deep/../../../outside/secret.txt", "sub/deep/../../../../etc/passwd",
    "{allowed}/../outside/secret.txt", "{allowed}/sub/../../outside/secret.txt", "{allowed}/..",
    "{allowed}/./.././outside/secret.txt", "{allowed}//..//outside//secret.txt",
    "missing/../../outside/secret.txt", "missing/../../outside/new.txt", "file.txt/../../outside/secret.txt",
    "../allowed/../outside/secret.txt", "../../../../../../../../../../etc/passwd", "sub/deep/../../..",
    # a name that begins like the root's
    "{allowed}-evil/f", "{allowed}-evil", "{allowed} evil/f", "{top}/allow/f", "../allowed-evil/f",
    "../allowed evil/f", "../allow/f", "{allowed}-evil/../outside/secret.txt", "{allowed}-new/f", "{allowed}.txt",
    # another case
    "{top}/ALLOWED/file.txt", "{top}/Allowed/file.txt", "../ALLOWED/new.txt",
    # links
    "link-dir/secret.txt", "link-dir/dir/secret.txt", "link-dir/new.txt", "link-dir/new/new.txt",
    "link-dir/../secret.txt", "link-dir/../outside/secret.txt", "link-dir/./secret.txt", "{allowed}/link-dir/secret.txt",
    "link-up/secret.txt", "link-up/outside/secret.txt", "link-up/allowed/../secret.txt", "link-up/allowed-evil/f",
    "link-top/etc/passwd", "link-top/tmp/new.txt", "link-proc/etc/passwd",
    "dangling-dir/new.txt", "dangling-dir/a/b", "chain-1/secret.txt", "chain-1/new.txt", "chain-2/dir/secret.txt",
    "sub/deep/up/secret.txt", "sub/deep/up/new.txt", "good-dir/deep/up/secret.txt", "good-loopback/deep/up/new.txt",
    "sub/../link-dir/secret.txt", "good-dir/../../outside/secret.txt", "good-dir/../link-dir/secret.txt",
    "link-evil/f", "link-evil/new", "good-loopback/../../secret.txt", "loop-1/x", "self/x", "loop-1/../../secret.txt",
    # what is no plain path
    "", "   ", "\0", "file.txt\0", "file.txt\0.png", "../outside/secret.txt\0", "sub\0/../file.txt",
    "file:///etc/passwd", "file:/etc/passwd", "http://127.0.0.1/x", "C:\\Windows\\win.ini", "C:/Windows/win.ini", "c:",
    "\\\\server\\share\\f", "\\\\?\\C:\\f", "..\\outside\\secret.txt", "sub\\..\\..\\outside\\secret.txt",
    "\ud800", "sub/\udfff.txt", " ../outside/secret.txt ", "\t/etc/passwd\n", "{allowed}/../allowed-evil/../outside",
]  # fmt: skip

LINKS = [
    "link-file", "dangling", "chain-file", "sub/deep/rel", "{allowed}/link-file", "./link-file", "good-dir/deep/rel",
    "sub/../link-file", "link-dir", "link-up", "link-top", "chain-1", "sub/deep/up", "dangling-dir", "link-evil",
    "loop-1", "self", "link-proc",
]  # fmt: skip
"""Links that lead out: they may be moved or trashed themselves, but never followed."""

HOME = [
    "home", "home/", "home/settings.json", "home/new.json", "home/keys", "home/keys/key.txt", "home/keys/new.txt",
    "./home/settings.json", "sub/../home/settings.json", "{allowed}/home/settings.json", "home/missing/../settings.json",
    "link-home", "link-home/settings.json", "link-home/keys/key.txt", "link-home/new.txt", "link-key",
    "good-dir/../home/settings.json", "good-loopback/../home/keys/key.txt", "home/../home/settings.json", "hard-settings",
]  # fmt: skip
"""Ways to LeoChat's own files, which a root holds."""

EDITS = [{"oldText": SECRET, "newText": "gone"}]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, MCPServer]:
    """One server for all cases: making its schemas costs more than the calls."""
    world = World(Path(os.path.realpath(tmp_path_factory.mktemp("world"))) / "top")
    config = {"roots": [str(world.allowed)], "protected": [str(world.protected)]}
    return world, create(config)


@pytest.fixture
def world(ground: tuple[World, MCPServer]) -> World:
    """The world of the server, made anew."""
    top = ground[0].top
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir()
    return make(top)


@pytest.fixture
def server(ground: tuple[World, MCPServer]) -> MCPServer:
    return ground[1]


async def call(server: MCPServer, tool: str, **arguments: Any) -> CallToolResult:
    try:
        result = await server.call_tool(tool, arguments)
    except ToolError as error:  # arguments that no schema lets through
        return error_answer(str(error))
    assert isinstance(result, CallToolResult)
    return result


def reads(path: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("read_text_file", {"path": path}),
        ("read_media_file", {"path": path}),
        ("list_directory", {"path": path}),
        ("list_directory_with_sizes", {"path": path}),
        ("directory_tree", {"path": path}),
        ("search_files", {"path": path, "pattern": "**/*"}),
        ("get_file_info", {"path": path}),
        ("glob", {"path": path, "pattern": "**/*"}),
        ("grep", {"path": path, "pattern": "SECRET"}),
    ]


def writes(path: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("write_file", {"path": path, "content": "mine"}),
        ("edit_file", {"path": path, "edits": EDITS}),
        ("apply_patch", {"patch": f"*** Begin Patch\n*** Add File: {path}\n+mine\n*** End Patch"}),
        ("apply_patch", {"patch": f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-{SECRET}\n+mine\n"}),
        ("apply_patch", {"patch": f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch"}),
    ]


def moves(path: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("create_directory", {"path": path}),
        ("move_file", {"source": path, "destination": "sub/taken"}),
        ("move_file", {"source": "file.txt", "destination": path}),
        ("delete_to_trash", {"path": path}),
    ]


async def every_call_is_refused(server: MCPServer, world: World, calls: list[tuple[str, dict[str, Any]]]) -> None:
    before = world.fingerprint()
    for tool, arguments in calls:
        result = await call(server, tool, **arguments)
        assert result.is_error, (tool, arguments, text_of(result))
        assert SECRET not in text_of(result).replace(repr(EDITS), "") or tool == "apply_patch", tool
    assert world.fingerprint() == before
    assert (world.allowed / "file.txt").read_text(encoding="utf-8") == INSIDE


@pytest.mark.parametrize("path", OUT)
async def test_a_path_that_leads_out_is_refused_by_every_tool(server: MCPServer, world: World, path: str) -> None:
    told = world.told(path)
    calls = [*reads(told), *writes(told), *moves(told)]
    if not told:  # for these two it means: all allowed folders
        calls = [one for one in calls if one[0] not in ("glob", "grep")]
    await every_call_is_refused(server, world, calls)


@pytest.mark.usefixtures("lookup")
@pytest.mark.parametrize("path", LINKS)
async def test_a_link_that_leads_out_is_not_followed(server: MCPServer, world: World, path: str) -> None:
    told = world.told(path)
    patches = [one for one in writes(told) if one[0] != "create_directory"]
    await every_call_is_refused(server, world, [*reads(told), *patches, ("create_directory", {"path": told})])
    moved = await call(server, "move_file", source=told, destination="sub/taken")
    assert not moved.is_error, text_of(moved)
    assert (world.allowed / "sub" / "taken").is_symlink()


@pytest.mark.usefixtures("lookup")
@pytest.mark.parametrize("path", HOME)
async def test_leochats_own_files_stay_closed(server: MCPServer, world: World, path: str) -> None:
    told = world.told(path)
    closed_reads = reads(told)
    if path == "hard-settings":  # its name may be seen and counted, its content not
        closed_reads = [one for one in closed_reads if one[0] in ("read_text_file", "read_media_file")]
    calls = [*closed_reads, *writes(told), ("create_directory", {"path": told})]
    if path not in ("link-home", "link-key"):
        calls += [
            ("move_file", {"source": told, "destination": "sub/taken"}),
            ("move_file", {"source": "file.txt", "destination": told}),
        ]
    await every_call_is_refused(server, world, calls)


@pytest.mark.parametrize("path", ["link-dir/secret.txt", "../outside/secret.txt", "link-file", "home/keys/key.txt"])
async def test_reading_many_files_leaves_out_the_forbidden_ones(server: MCPServer, world: World, path: str) -> None:
    said = text_of(await call(server, "read_multiple_files", paths=["file.txt", path, "missing"]))
    assert INSIDE in said
    assert f"{path}: Error - Access denied" in said
    assert SECRET not in said


@pytest.mark.parametrize("tool", ["search_files", "glob", "directory_tree"])
async def test_walks_do_not_leave_through_links(server: MCPServer, world: World, tool: str) -> None:
    arguments = {} if tool == "directory_tree" else {"pattern": "**/*"}
    said = text_of(await call(server, tool, path=".", **arguments))
    assert "other.txt" in said
    assert "secret.txt" not in said
    assert "key.txt" not in said


async def test_a_search_in_files_does_not_leave_through_links(server: MCPServer, world: World) -> None:
    said = text_of(await call(server, "grep", pattern="SECRET|allowed file", everything=True))
    assert "other.txt" in said
    assert SECRET not in said


async def test_the_folder_around_leochats_own_cannot_be_carried_off(world: World) -> None:
    inner = world.allowed / "box"
    inner.mkdir()
    (inner / "home").mkdir()
    server = create({"roots": [str(world.allowed)], "protected": [str(inner / "home")]})
    for tool, arguments in (
        ("move_file", {"source": "box", "destination": "other"}),
        ("delete_to_trash", {"path": "box"}),
        ("delete_to_trash", {"path": "."}),
        ("move_file", {"source": ".", "destination": "sub/x"}),
    ):
        result = await server.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        assert result.is_error, (tool, arguments)
    assert (inner / "home").is_dir()


async def test_the_host_is_told_the_real_path_outside(server: MCPServer, world: World) -> None:
    for path in ("../outside/secret.txt", "link-file", "link-dir/secret.txt"):
        result = await call(server, "read_text_file", path=path)
        assert (result.meta or {})[OUTSIDE] == str(world.outside / "secret.txt")
        assert str(world.allowed) in text_of(result)
    closed = await call(server, "read_text_file", path="home/settings.json")
    assert OUTSIDE not in (closed.meta or {})


@pytest.mark.parametrize(
    "path",
    ["file.txt", "./file.txt", "sub/../file.txt", "{allowed}/file.txt", "good-file", "good-dir/../file.txt",
     "sub//deep/../../file.txt", "../allowed/file.txt", "link-up/allowed/file.txt", "good-loopback/../file.txt",
     "{allowed}/./good-file", " file.txt "],
)  # fmt: skip
async def test_a_path_that_stays_inside_is_read(server: MCPServer, world: World, path: str) -> None:
    assert text_of(await call(server, "read_text_file", path=world.told(path))) == INSIDE


async def test_roots_can_change_while_the_server_runs(world: World) -> None:
    roots = [str(world.allowed)]
    server = create({"roots": lambda: roots})
    path = str(world.outside / "secret.txt")
    for allowed in (False, True, False):
        roots[1:] = [str(world.outside)] if allowed else []
        result = await server.call_tool("read_text_file", {"path": path})
        assert isinstance(result, CallToolResult)
        assert result.is_error is not allowed
    roots.clear()
    result = await server.call_tool("list_directory", {"path": "."})
    assert isinstance(result, CallToolResult)
    assert "No folder is allowed" in text_of(result)


def test_a_root_that_becomes_a_link_is_not_followed(world: World) -> None:
    roots = Roots([str(world.allowed)])
    roots.resolve("file.txt")
    world.allowed.rename(world.top / "old")
    world.allowed.symlink_to(world.outside)
    with pytest.raises(FilesError), roots.parent(roots.resolve("secret.txt")) as (folder, name):
        folder.open(name, 0)


def test_a_root_may_be_reached_through_a_link_itself(world: World) -> None:
    (world.top / "alias").symlink_to(world.allowed)
    roots = Roots([str(world.top / "alias")])
    assert roots.resolve(str(world.top / "alias" / "file.txt")).path == str(world.allowed / "file.txt")
    assert roots.resolve(str(world.allowed / "file.txt")).path == str(world.allowed / "file.txt")


def test_an_app_folder_is_closed_even_if_it_is_a_root_itself(world: World) -> None:
    roots = Roots([str(world.protected)], [str(world.protected)])
    with pytest.raises(ProtectedError):
        roots.resolve("settings.json")


WINDOWS_REFUSED = [
    "CON", "con", "NUL", "nul.txt", "AUX.c", "prn", "COM1", "com9.log", "LPT1", "lpt3.txt", "COM¹", "LPT²", "CONIN$",
    "conout$", "CLOCK$", "sub\\NUL", "sub/con.txt", "C:\\root\\aux", "NUL .txt", "com1 ", "C:\\root\\COM1.txt",
    "\\\\server\\share\\f", "//server/share/f", "\\\\?\\C:\\root\\f", "\\\\.\\C:\\f", "\\\\.\\PhysicalDrive0",
    "\\??\\C:\\f", "C:root\\f", "C:", "D:f.txt", "\\boot\\f", "/boot/f", "file.txt::$DATA", "file.txt:hidden",
    "sub\\file.txt:stream:$DATA", "C:\\root\\f.txt:x", "file.txt.", "file.txt ", "sub.\\f", "sub \\f", "sub...\\f",
    "a<b", "a>b", "a|b", "a?b", "a*b", 'a"b', "a\x01b", "a\nb", "file.txt\0",
]  # fmt: skip


@pytest.mark.parametrize("path", [name for name in WINDOWS_REFUSED if name not in ("com1 ", "file.txt ")])
def test_names_that_windows_reads_in_another_way_are_refused_there(path: str) -> None:
    with pytest.raises(FilesError):
        checked(path, windows=True)


@pytest.mark.parametrize(
    "path",
    ["C:\\Users\\a\\f.txt", "c:/Users/a/f.txt", "sub\\f.txt", "sub/f.txt", "..\\f.txt", "console.txt",
     "comment", "com10", "nullable.txt", "lpt", "ñ 你好.txt", ".hidden", "a.b.c", "auxiliary\\con-text.md"],
)  # fmt: skip
def test_ordinary_windows_paths_are_fine(path: str) -> None:
    assert checked(path, windows=True) == path
