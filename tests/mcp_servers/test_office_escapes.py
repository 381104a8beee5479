"""The ways out of the allowed folders that the file tools refuse, through the Excel and Word tools: none opens there either."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult

from mcp_servers import excel, word
from mcp_servers.answers import error_answer
from mcp_servers.backups import Backups
from mcp_servers.changed_files import ChangedFiles, Owner
from mcp_servers.filesystem.errors import OUTSIDE, FilesError
from mcp_servers.filesystem.roots import Roots
from tests.mcp_servers.calls import text_of
from tests.mcp_servers.filesystem.test_escapes import HOME, LINKS, OUT
from tests.mcp_servers.filesystem.test_races import swapping
from tests.mcp_servers.filesystem.world import SECRET, World, make

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")

Call = tuple[str, dict[str, Any]]
Ground = tuple[World, MCPServer, MCPServer]


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """One server of each for all cases: making their schemas costs more than the calls."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("office")))
    world = World(folder / "top")
    config = {"roots": [str(world.allowed)], "protected": [str(world.protected)], "data_dir": str(folder / "data")}
    return world, excel.create(config), word.create(config)


@pytest.fixture
def world(ground: Ground) -> World:
    shutil.rmtree(ground[0].top, ignore_errors=True)
    ground[0].top.mkdir()
    return make(ground[0].top)


async def call(server: MCPServer, tool: str, arguments: dict[str, Any]) -> CallToolResult:
    try:
        result = await server.call_tool(tool, arguments)
    except ToolError as error:  # arguments that no schema lets through
        return error_answer(str(error))
    assert isinstance(result, CallToolResult)
    return result


def of_excel(path: str, below: str) -> list[Call]:
    """Reads of the path itself; writes of a workbook in it, since what has no such ending is refused for that."""
    return [
        ("describe_workbook", {"path": path}),
        ("read_sheet", {"path": path}),
        ("convert_workbook", {"path": path, "target": "new.xlsx"}),
        ("write_cells", {"path": f"{below}.xlsx", "rows": [["mine"]]}),
        ("write_table", {"path": f"{below}.csv", "records": [{"a": "mine"}]}),
        ("add_image", {"path": "book.xlsx", "image": path}),
    ]


def of_word(path: str, below: str) -> list[Call]:
    return [
        ("read_document", {"path": path}),
        ("document_outline", {"path": path}),
        ("write_document", {"path": f"{below}.docx", "markdown": "mine"}),
        ("add_picture", {"path": "text.docx", "picture": path}),
        ("convert_to_pdf", {"path": path, "target": "new.pdf"}),
    ]


def real_home() -> Path:
    return Path(os.path.realpath(Path.home()))


async def refused(ground: Ground, world: World, path: str, below: str) -> None:
    before = world.fingerprint()
    for server, calls in ((ground[1], of_excel(path, below)), (ground[2], of_word(path, below))):
        for tool, arguments in calls:
            result = await call(server, tool, arguments)
            assert result.is_error, (tool, arguments, text_of(result))
            assert SECRET not in text_of(result), tool
    assert world.fingerprint() == before


@pytest.mark.parametrize("path", [*OUT, *LINKS])
async def test_a_path_that_leads_out_is_refused_by_both(ground: Ground, world: World, path: str) -> None:
    told = world.told(path)
    await refused(ground, world, told, f"{told}/x")


@pytest.mark.parametrize("path", HOME)
async def test_leochats_own_files_stay_closed_to_both(ground: Ground, world: World, path: str) -> None:
    told = world.told(path)
    await refused(ground, world, told, f"{told}/x")


async def test_pictures_in_markdown_do_not_lead_out(ground: Ground, world: World) -> None:
    for path in ("../outside/secret.txt", "link-file", "home/keys/key.txt"):
        result = await call(ground[2], "write_document", {"path": "in.docx", "markdown": f"![x]({path})"})
        assert result.is_error, path
        assert not (world.allowed / "in.docx").exists()


@pytest.mark.parametrize("path", ["../outside/new", "link-dir/new", "{outside}/new", "~/new"])
async def test_the_host_is_told_the_real_path_outside(ground: Ground, world: World, path: str) -> None:
    told = world.told(path)
    real = str(real_home() / "new") if told == "~/new" else str(world.outside / "new")
    writes = (
        (ground[1], "write_cells", {"path": f"{told}.xlsx", "rows": [["x"]]}, ".xlsx"),
        (ground[2], "write_document", {"path": f"{told}.docx", "markdown": "x"}, ".docx"),
    )
    for server, tool, arguments, ending in writes:
        assert ((await call(server, tool, arguments)).meta or {})[OUTSIDE] == real + ending


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="swapping two names in one step is Linux's own")
async def test_a_folder_that_turns_into_a_link_between_reading_and_writing(world: World, tmp_path: Path) -> None:
    """The files that both servers change go this way."""
    files = ChangedFiles(Roots([str(world.allowed)]), Backups(tmp_path / "kept"))
    real, link = world.allowed / "swap", world.allowed / "link"
    real.mkdir()
    link.symlink_to(world.outside)
    before = world.fingerprint()
    worked = refused = 0
    with swapping(real, link), anyio.fail_after(30):
        while min(worked, refused) < 20:
            try:
                async with files.changing("swap/new.bin") as file:
                    await file.write(Owner("t", named=True), b"mine")
                worked += 1
            except FilesError:
                refused += 1
    assert world.fingerprint() == before
    assert {path.name for path in world.outside.iterdir()} == {"dir", "secret.txt"}
