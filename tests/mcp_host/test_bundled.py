"""Servers that come with the app: found by looking, run in process, called like any other."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.mcp_host.bundled import Bundled, discover
from app.mcp_host.config import ServerConfig, load_servers
from tests.mcp_host.desk import OpenDesk, words

if TYPE_CHECKING:
    from mcp.server import MCPServer

ROOT = Path(__file__).parents[2]


def make(config: Mapping[str, object]) -> "MCPServer":
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations

    server = MCPServer("tiny")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
    def tell(what: str) -> str:  # pyright: ignore[reportUnusedFunction]
        return f"{config.get(what)}"

    @server.tool()
    def fails() -> str:  # pyright: ignore[reportUnusedFunction]
        raise ToolError("no luck")

    return server


def broken(config: Mapping[str, object]) -> "MCPServer":
    raise RuntimeError("cannot")


TINY = Bundled("tiny", "bundled", {"en": "Tiny", "es": "Pequeño"}, {"en": "It"}, "1", make)
BROKEN = Bundled("broken", "demo", {"en": "Broken"}, {"en": ""}, "1", broken)


def test_leochat_its_servers_and_the_demos_are_found() -> None:
    found = {b.name: b for b in discover()}
    assert {"leochat", "filesystem", "memory", "pokemon_quiz", "shop"} <= found.keys()
    assert found["shop"].kind == "demo"
    assert next(iter(found)) == "leochat"


async def test_a_bundled_server_is_called_in_process_and_trusted(desk: OpenDesk, tmp_path: Path) -> None:
    async with desk(bundled=[TINY], language="es", roots=["/r"], offline=True) as d:
        spec = d.spec("tell")
        assert (spec.name, spec.bundled, spec.trusted, spec.reads, spec.never_asks) == ("tiny__tell", True, True, True, False)
        assert d.host.status("tiny").title == "Pequeño"
        assert words(await d.call("tell", what="language")) == "es"
        assert words(await d.call("tell", what="roots")) == "['/r']"
        assert words(await d.call("tell", what="data_dir")) == str(tmp_path / "data")
        d.host.set_language("en")
        assert words(await d.call("tell", what="language")) == "en"
        failed = await d.call("fails")
        assert failed.is_error
        assert "no luck" in words(failed)


def test_the_one_for_developers_is_there_and_off() -> None:
    assert [b.name for b in discover() if b.off] == ["everything"]


async def test_a_server_that_comes_switched_off_starts_once_it_is_switched_on_and_is_saved_only_then(
    desk: OpenDesk, tmp_path: Path
) -> None:
    file = tmp_path / "servers.json"
    async with desk(bundled=[replace(TINY, off=True)], file=file) as d:
        assert (d.host.status("tiny").state, d.host.specs()) == ("disabled", ())
        await d.host.enable("tiny", True)
        assert await d.host.ready(["tiny"])
        assert d.spec("tell").name == "tiny__tell"
        assert [(c.name, c.enabled) for c in load_servers(file)] == [("tiny", True)]
        await d.host.enable("tiny", False)
        assert load_servers(file) == ()


async def test_a_broken_bundled_server_costs_only_itself(desk: OpenDesk) -> None:
    async with desk(bundled=[TINY, BROKEN]) as d:
        assert d.host.status("tiny").state == "ready"
        problem = d.host.status("broken").problem
        assert problem is not None
        assert "cannot" in problem.cause


async def test_switching_a_bundled_server_or_tool_is_kept(desk: OpenDesk, tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    async with desk(bundled=[TINY], file=file) as d:
        d.host.set_tool("tiny", "fails", on=False)
        assert [s.tool for s in d.host.specs()] == ["tell"]
        await d.host.enable("tiny", enabled=False)
        assert d.host.specs() == ()
    async with desk(*load_servers(file), bundled=[TINY], file=file) as d:
        assert d.host.status("tiny").state == "disabled"
        await d.host.enable("tiny", enabled=True)
        await d.until("tiny", "ready")
        assert [s.tool for s in d.host.specs()] == ["tell"]


async def test_a_third_party_server_cannot_take_a_bundled_name(desk: OpenDesk) -> None:
    async with desk(ServerConfig(name="tiny", command="x"), bundled=[TINY]) as d:
        kinds = {s.name: s.kind for s in d.host.statuses()}
        assert kinds == {"tiny": "bundled", "tiny-2": "third_party"}


async def test_only_two_tools_of_leochat_ask(desk: OpenDesk) -> None:
    ours = [b for b in discover() if b.name in ("leochat", "shop")]
    async with desk(bundled=ours, offline=True) as d:
        asking = {s.tool for s in d.host.specs() if not s.never_asks}
        assert asking == {"open_url", "copy_to_clipboard"}


def test_the_host_does_not_import_the_sdk_before_it_is_needed() -> None:
    script = "import sys, app.mcp_host.host, app.mcp_host.pasted; print('mcp' in sys.modules, 'jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False", "False"]
