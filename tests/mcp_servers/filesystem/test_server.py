"""The `filesystem` server's tools as a client sees them, in process and alone over stdio."""

import base64
import json
import os
import sys
from pathlib import Path

import pytest
from mcp_types import AudioContent, BlobResourceContents, EmbeddedResource, ImageContent

from mcp_servers.filesystem import create
from mcp_servers.filesystem.errors import OUTSIDE
from tests.mcp_servers.calls import Tools, text_of, tools_over_stdio

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(server=create({"roots": [str(tmp_path)]}))


async def test_a_file_is_written_read_edited_and_listed(tools: Tools, tmp_path: Path) -> None:
    assert await tools.ok("write_file", path="a/b.txt", content="one\ntwo\n") == "Successfully wrote to a/b.txt"
    assert await tools.ok("read_text_file", path="a/b.txt") == "one\ntwo\n"
    assert await tools.ok("read_text_file", path="a/b.txt", startLine=2, lineNumbers=True) == "     2\ttwo"
    edits = [{"oldText": "two", "newText": "2"}]
    assert "+2" in await tools.ok("edit_file", path="a/b.txt", edits=edits, dryRun=True)
    assert (tmp_path / "a" / "b.txt").read_text(encoding="utf-8") == "one\ntwo\n"
    assert "+2" in await tools.ok("edit_file", path="a/b.txt", edits=edits)
    assert await tools.ok("list_directory", path=".") == "[DIR] a"
    assert await tools.ok("list_directory", path="a") == "[FILE] b.txt"
    assert await tools.ok("create_directory", path="a/c")
    assert await tools.ok("list_directory", path="a/c") == "The folder is empty."
    moved = await tools.ok("move_file", source="a/b.txt", destination="a/c/b.txt")
    assert moved == "Successfully moved a/b.txt to a/c/b.txt"
    tree = json.loads(await tools.ok("directory_tree", path="."))
    leaf = {"name": "b.txt", "type": "file"}
    assert tree == [{"name": "a", "type": "directory", "children": [{"name": "c", "type": "directory", "children": [leaf]}]}]
    assert json.loads(await tools.ok("directory_tree", path=".", excludePatterns=["c"]))[0]["children"] == []
    assert await tools.ok("search_files", path=".", pattern="b.txt") == str(tmp_path / "a" / "c" / "b.txt")
    assert await tools.ok("glob", pattern="*.txt") == str(tmp_path / "a" / "c" / "b.txt")
    assert await tools.ok("grep", pattern="one") == f"{tmp_path / 'a' / 'c' / 'b.txt'}:1: one"
    patch = "--- a/c/b.txt\n+++ a/c/b.txt\n@@ -1 +1 @@\n-one\n+1\n"
    assert "M a/c/b.txt (+1 -1)" in await tools.ok("apply_patch", patch=patch)


async def test_sizes_and_details(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "small").write_bytes(b"x" * 10)
    (tmp_path / "big").write_bytes(b"x" * 3584)
    (tmp_path / "dir").mkdir()
    by_name = await tools.ok("list_directory_with_sizes", path=".")
    assert [line.split()[1] for line in by_name.splitlines()[:3]] == ["big", "dir", "small"]
    by_size = await tools.ok("list_directory_with_sizes", path=".", sortBy="size")
    assert [line.split()[1] for line in by_size.splitlines()[:3]] == ["big", "small", "dir"]
    assert "3.50 KB" in by_size
    assert "Total: 2 files, 1 directories" in by_size
    result = await tools.result("get_file_info", path="big")
    assert result.structured_content["size"] == 3584
    assert (result.structured_content["isFile"], result.structured_content["isDirectory"]) == (True, False)
    assert "size: 3584\n" in text_of(result)
    assert "isFile: true" in text_of(result)
    assert "isDirectory: true" in await tools.ok("get_file_info", path=".")


async def test_several_files_at_once(tools: Tools, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("A", encoding="utf-8")
    (tmp_path / "b").write_text("B", encoding="utf-8")
    said = await tools.ok("read_multiple_files", paths=["a", "none", "b"])
    assert said.startswith("a:\nA\n\n---\nnone: Error - none does not exist")
    assert said.endswith("b:\nB\n")


@pytest.mark.parametrize(
    ("name", "data", "kind", "media_type"),
    [
        ("a.png", PNG, ImageContent, "image/png"),
        ("wrong.txt", PNG, ImageContent, "image/png"),
        ("a.svg", b"<svg/>", ImageContent, "image/svg+xml"),
        ("a.mp3", b"ID3\x03", AudioContent, "audio/mpeg"),
        ("a.wav", b"RIFF\0\0\0\0WAVE", AudioContent, "audio/wav"),
        ("a.pdf", b"%PDF-1.4", EmbeddedResource, "application/pdf"),
        ("a.unknown", b"\x01\x02", EmbeddedResource, "application/octet-stream"),
    ],
)
async def test_media_comes_as_what_it_is(
    tools: Tools, tmp_path: Path, name: str, data: bytes, kind: type, media_type: str
) -> None:
    (tmp_path / name).write_bytes(data)
    item = (await tools.result("read_media_file", path=name)).content[0]
    assert isinstance(item, kind)
    if isinstance(item, EmbeddedResource):
        assert isinstance(item.resource, BlobResourceContents)
        assert item.resource.mime_type == media_type
        assert item.resource.uri == (tmp_path / name).as_uri()
        assert base64.b64decode(item.resource.blob) == data
    else:
        assert isinstance(item, ImageContent | AudioContent)
        assert (item.mime_type, base64.b64decode(item.data)) == (media_type, data)


@pytest.mark.parametrize(
    ("tool", "path", "said"),
    [
        ("read_text_file", "none.txt", "none.txt does not exist"),
        ("read_text_file", "dir", "is a folder"),
        ("list_directory", "file", "not a folder"),
        ("list_directory", "none", "does not exist"),
        ("read_media_file", "none", "does not exist"),
        ("get_file_info", "none", "does not exist"),
        ("read_text_file", "file/x", "not a folder"),
        ("read_text_file", "x" * 300, "too long"),
        ("directory_tree", "file", "not a folder"),
        ("search_files", "none", "does not exist"),
        ("delete_to_trash", "none", "does not exist"),
    ],
)
async def test_errors_say_what_is_wrong(tools: Tools, tmp_path: Path, tool: str, path: str, said: str) -> None:
    (tmp_path / "dir").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    more = {"pattern": "*"} if tool == "search_files" else {}
    assert said in await tools.refused(tool, path=path, **more)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes among files")
async def test_a_pipe_is_refused_and_does_not_hang(tools: Tools, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "pipe" in await tools.refused("read_text_file", path="pipe")
    assert "not a file" in await tools.refused("write_file", path="pipe", content="x")
    assert "No matches" in await tools.ok("grep", pattern="x")


async def test_relative_paths_start_at_the_root_that_has_them(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "two" / "there.txt").write_text("found", encoding="utf-8")
    tools = Tools(server=create({"roots": [str(tmp_path / "one"), str(tmp_path / "two")]}))
    assert await tools.ok("read_text_file", path="there.txt") == "found"
    await tools.ok("write_file", path="new.txt", content="x")
    assert (tmp_path / "one" / "new.txt").exists()
    listed = await tools.result("list_allowed_directories")
    assert listed.structured_content == {"directories": [str(tmp_path / "one"), str(tmp_path / "two")]}
    assert text_of(listed).startswith("Allowed directories:\n")


async def test_it_runs_alone_with_folders_as_arguments(tmp_path: Path) -> None:
    root, home = tmp_path / "root", tmp_path / "root" / "data"
    home.mkdir(parents=True)
    (home / "settings.json").write_text("{}", encoding="utf-8")
    settings = {"LEOCHAT_DATA_DIR": str(home), "XDG_DATA_HOME": str(tmp_path / "share"), "HOME": str(tmp_path)}
    async with tools_over_stdio("mcp_servers.filesystem", str(root), **settings) as tools:
        await tools.ok("write_file", path="ñ/你好.txt", content="✓ done\n")
        assert await tools.ok("read_text_file", path="ñ/你好.txt") == "✓ done\n"
        assert "你好.txt:1: ✓ done" in await tools.ok("grep", pattern="done")
        assert "belongs to LeoChat" in await tools.refused("read_text_file", path="data/settings.json")
        outside = await tools.result("read_text_file", path=str(tmp_path / "x"))
        assert outside.is_error
        assert (outside.meta or {})[OUTSIDE] == str(tmp_path / "x")
        await tools.ok("delete_to_trash", path="ñ")
        assert not (root / "ñ").exists()
    if sys.platform.startswith("linux"):
        assert (tmp_path / "share" / "Trash" / "files" / "ñ" / "你好.txt").is_file()


async def test_it_takes_its_folders_from_the_environment(tmp_path: Path) -> None:
    roots = [tmp_path / "a", tmp_path / "b"]
    for root in roots:
        root.mkdir()
    joined = os.pathsep.join(map(str, roots))
    async with tools_over_stdio("mcp_servers.filesystem", LEOCHAT_ROOTS=joined) as tools:
        listed = await tools.result("list_allowed_directories")
        assert listed.structured_content == {"directories": [str(root) for root in roots]}
