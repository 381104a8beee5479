"""What every bundled server keeps to: its package, its schemas, its truthful hints."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_types import Tool

import mcp_servers
from tests.mcp_servers.calls import ROOT, tools_of

NAMES = sorted(module.name for module in pkgutil.iter_modules(mcp_servers.__path__) if module.ispkg)
FORBIDDEN = (
    "mcp",
    "mcp_types",
    "httpx",
    "pydantic",
    "charset_normalizer",
    "send2trash",
    "openpyxl",
    "python_calamine",
    "PIL",
    "playwright",
)


def config_of(folder: Path) -> dict[str, Any]:
    return {"data_dir": str(folder / "data"), "language": "en", "roots": [str(folder)], "offline": True}


async def tools_listed(name: str, folder: Path) -> list[Tool]:
    package = importlib.import_module(f"mcp_servers.{name}")
    async with tools_of(package.create(config_of(folder))) as tools:
        return (await tools.client.list_tools()).tools


def test_the_servers_of_the_first_toolbox_are_there() -> None:
    assert {"leochat", "filesystem", "memory"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is_in_english_and_spanish(name: str) -> None:
    about = importlib.import_module(f"mcp_servers.{name}").ABOUT
    assert about["kind"] == ("developer" if name == "everything" else "bundled")
    for part in ("title", "description"):
        assert {"en", "es"} <= set(about[part])
        assert all(about[part].values())


def test_importing_the_packages_loads_nothing_heavy() -> None:
    code = (
        "import importlib, json, sys\n"
        f"[importlib.import_module('mcp_servers.' + name) for name in {NAMES!r}]\n"
        f"print(json.dumps([name for name in {FORBIDDEN!r} if name in sys.modules]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, cwd=ROOT, check=True)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("name", NAMES)
async def test_every_tool_has_all_four_hints_and_they_agree(name: str, tmp_path: Path) -> None:
    for tool in await tools_listed(name, tmp_path):
        hints = tool.annotations
        assert hints is not None, tool.name
        given = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
        assert None not in given, tool.name
        assert not (hints.read_only_hint and hints.destructive_hint), tool.name


@pytest.mark.parametrize("name", NAMES)
async def test_schemas_are_plain_and_described(name: str, tmp_path: Path) -> None:
    for tool in await tools_listed(name, tmp_path):
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,50}", tool.name)
        assert tool.title
        assert tool.description
        properties = tool.input_schema.get("properties", {})
        for argument, schema in properties.items():
            assert schema.get("description"), f"{tool.name}.{argument}"
            assert "anyOf" not in schema, f"{tool.name}.{argument}"
        assert len(tool.input_schema.get("required", [])) <= 3


READS = {
    "filesystem": {
        "read_text_file", "read_media_file", "read_multiple_files", "list_directory",
        "list_directory_with_sizes", "directory_tree", "search_files", "get_file_info",
        "list_allowed_directories", "glob", "grep",
    },
    "memory": {"read_graph", "search_nodes", "open_nodes", "export_graph"},
    "leochat": {"test_tool_call"},
    "knowledge": {"search_knowledge", "read_passage", "list_sources", "index_status"},
    "word": {"read_document", "document_outline"},
    "browser": {
        "browser_snapshot", "browser_find", "browser_take_screenshot", "browser_console_messages", "browser_network_requests",
        "browser_network_request", "browser_wait_for",
    },
    "fetch": set[str](),  # the web asks by host
    "excel": {"describe_workbook", "describe_sheet", "read_sheet", "find_cells", "summarize_table"},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(READS))
async def test_just_the_reads_count_as_reads(name: str, tmp_path: Path) -> None:
    found = {
        tool.name
        for tool in await tools_listed(name, tmp_path)
        if tool.annotations and tool.annotations.read_only_hint and not tool.annotations.open_world_hint
    }
    assert found == READS[name]
