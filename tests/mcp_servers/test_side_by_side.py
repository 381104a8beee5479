"""The reference servers for files, memory and pages beside ours on the same calls; each difference is meant, and says why."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from mcp_servers import fetch, filesystem, memory
from tests.mcp_servers.beside import NODE_SERVERS, NOT_THERE, PYTHON, Pair, argument_differences, compare, pair
from tests.mcp_servers.fetch.site import Site, served

pytestmark = pytest.mark.timeout(180)
Calls = dict[str, tuple[str, dict[str, Any]]]


def node_server(name: str) -> list[str]:
    """How the reference server starts; skips where it is not installed."""
    node, program = shutil.which("node"), NODE_SERVERS / name / "dist" / "index.js"
    if node is None or not program.is_file():
        pytest.skip(NOT_THERE)
    return [node, str(program)]


async def same_arguments(both: Pair, left_out: set[str]) -> None:
    theirs, ours = await both.tools()
    assert set(theirs) - set(ours) == left_out
    assert [words for name in theirs if name in ours for words in argument_differences(theirs[name], ours[name])] == []


# Files

FILES: Calls = {
    "a file": ("read_text_file", {"path": "THERE/a.txt"}),
    "its head": ("read_text_file", {"path": "THERE/a.txt", "head": 2}),
    "its tail": ("read_text_file", {"path": "THERE/a.txt", "tail": 2}),
    "head and tail": ("read_text_file", {"path": "THERE/a.txt", "head": 1, "tail": 1}),
    "no file": ("read_text_file", {"path": "THERE/none.txt"}),
    "a file outside": ("read_text_file", {"path": "THERE/../outside.txt"}),
    "a picture": ("read_media_file", {"path": "THERE/pic.png"}),
    "several files": ("read_multiple_files", {"paths": ["THERE/a.txt", "THERE/sub/b.md"]}),
    "several files, one missing": ("read_multiple_files", {"paths": ["THERE/a.txt", "THERE/none.txt"]}),
    "write": ("write_file", {"path": "THERE/new.txt", "content": "hello\n"}),
    "what was written": ("read_text_file", {"path": "THERE/new.txt"}),
    "edit, dry": ("edit_file", {"path": "THERE/a.txt", "edits": [{"oldText": "two", "newText": "TWO"}], "dryRun": True}),
    "edit": ("edit_file", {"path": "THERE/a.txt", "edits": [{"oldText": "two", "newText": "TWO"}]}),
    "what was edited": ("read_text_file", {"path": "THERE/a.txt"}),
    "an edit of nothing": ("edit_file", {"path": "THERE/a.txt", "edits": [{"oldText": "zzz", "newText": "y"}]}),
    "make folders": ("create_directory", {"path": "THERE/made/inside"}),
    "list": ("list_directory", {"path": "THERE"}),
    "list an empty folder": ("list_directory", {"path": "THERE/empty"}),
    "list with sizes": ("list_directory_with_sizes", {"path": "THERE"}),
    "list by size": ("list_directory_with_sizes", {"path": "THERE", "sortBy": "size"}),
    "tree": ("directory_tree", {"path": "THERE"}),
    "tree without": ("directory_tree", {"path": "THERE", "excludePatterns": ["sub"]}),
    "move": ("move_file", {"source": "THERE/new.txt", "destination": "THERE/moved.txt"}),
    "move onto": ("move_file", {"source": "THERE/a.txt", "destination": "THERE/moved.txt"}),
    "search below": ("search_files", {"path": "THERE", "pattern": "**/*.txt"}),
    "search here": ("search_files", {"path": "THERE", "pattern": "*.txt"}),
    "search without": ("search_files", {"path": "THERE", "pattern": "**/*.txt", "excludePatterns": ["**/deep/**"]}),
    "search for nothing": ("search_files", {"path": "THERE", "pattern": "*.zzz"}),
    "facts": ("get_file_info", {"path": "THERE/a.txt"}),
    "where": ("list_allowed_directories", {}),
}
WORDS = "an error here says what to do next"
MEANT_FILES = {
    "its head": "the line end of the last line is part of it",
    "its tail": "a line end at the end of a file begins no line, so two lines are two lines",
    "head and tail": WORDS,
    "no file": WORDS,
    "a file outside": WORDS,
    "several files, one missing": WORDS,
    "write": "a link to the file goes along, so that the person can open it",
    "edit, dry": "the diff is a plain unified one, which apply_patch takes back",
    "edit": "the same",
    "an edit of nothing": WORDS,
    "list an empty folder": "an empty answer looks like a broken tool to a small model",
    "list by size": "folders have no size, so they come after the files",
    "move onto": WORDS,
    "facts": "times are ISO, and a time of creation that the system does not keep is unknown",
}


async def test_the_filesystem_server_does_what_the_reference_does(tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for place in (theirs, ours):
        furnish(place)
    (tmp_path / "outside.txt").write_bytes(b"secret")
    server = filesystem.create({"roots": [str(ours)], "data_dir": str(tmp_path / "data"), "language": "en"})
    async with pair([*node_server("server-filesystem"), str(theirs)], server, [(str(theirs), str(ours))]) as both:
        # read_file is the reference's own old name for read_text_file, kept there as deprecated
        await same_arguments(both, left_out={"read_file"})
        await compare(both, FILES, MEANT_FILES)


def furnish(place: Path) -> None:
    (place / "sub" / "deep").mkdir(parents=True)
    (place / "empty").mkdir()
    (place / "a.txt").write_bytes(b"one\ntwo\nthree\nfour\n")
    (place / "sub" / "b.md").write_bytes(b"# B\n")
    (place / "sub" / "deep" / "c.txt").write_bytes(b"deep")
    (place / "pic.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20))


# Memory

ANA = {"name": "Ana", "entityType": "person", "observations": ["Lives in Madrid", "Plays chess"]}
ACME: dict[str, Any] = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Ana", "to": "Acme", "relationType": "works at"}
MEMORY: Calls = {
    "an empty graph": ("read_graph", {}),
    "entities": ("create_entities", {"entities": [ANA, ACME]}),
    "entities again": ("create_entities", {"entities": [ANA]}),
    "relations": ("create_relations", {"relations": [WORKS, {**WORKS, "relationType": "owns"}]}),
    "relations again": ("create_relations", {"relations": [WORKS]}),
    "facts": ("add_observations", {"observations": [{"entityName": "Ana", "contents": ["Plays chess", "Sings"]}]}),
    "facts about nobody": ("add_observations", {"observations": [{"entityName": "Bea", "contents": ["x"]}]}),
    "search a name": ("search_nodes", {"query": "ana"}),
    "search a type": ("search_nodes", {"query": "company"}),
    "search a fact": ("search_nodes", {"query": "madrid"}),
    "search nothing": ("search_nodes", {"query": "zebra"}),
    "search words apart": ("search_nodes", {"query": "madrid chess"}),
    "open": ("open_nodes", {"names": ["Acme", "Nobody"]}),
    "everything": ("read_graph", {}),
    "forget a fact": ("delete_observations", {"deletions": [{"entityName": "Ana", "observations": ["Sings"]}]}),
    "forget a relation": ("delete_relations", {"relations": [{**WORKS, "relationType": "owns"}]}),
    "after that": ("read_graph", {}),
    "forget an entity": ("delete_entities", {"entityNames": ["Acme"]}),
    "at the end": ("read_graph", {}),
}
MEANT_MEMORY = {
    "facts about nobody": WORDS,
    "search words apart": "where nothing holds the query whole, its words are looked for each on its own",
}


async def test_the_memory_server_does_what_the_reference_does(tmp_path: Path) -> None:
    server = memory.create({"data_dir": str(tmp_path / "ours")})
    file = tmp_path / "theirs.jsonl"
    async with pair(node_server("server-memory"), server, MEMORY_FILE_PATH=str(file)) as both:
        await same_arguments(both, left_out=set())
        await compare(both, MEMORY, MEANT_MEMORY)
        exported = both.told(await both.ours.call_tool("export_graph", {}))[1]
        assert lines(exported) == lines(file.read_text(encoding="utf-8"))


def lines(jsonl: str) -> list[str]:
    """The objects of such a file, however they are spaced."""
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in jsonl.splitlines() if line)


# Pages

PAGES: Calls = {
    "a text": ("fetch", {"url": "THERE/plain"}),
    "a page": ("fetch", {"url": "THERE/page"}),
    "a part": ("fetch", {"url": "THERE/long", "max_length": 100, "start_index": 50}),
    "the last part": ("fetch", {"url": "THERE/long", "max_length": 100, "start_index": 350}),
    "behind the end": ("fetch", {"url": "THERE/long", "start_index": 5000}),
    "raw": ("fetch", {"url": "THERE/page", "raw": True}),
    "no page": ("fetch", {"url": "THERE/none"}),
    "a page that robots may not read": ("fetch", {"url": "THERE/secret/x"}),
    "no address": ("fetch", {"url": "nonsense"}),
    "no length": ("fetch", {"url": "THERE/plain", "max_length": 0}),
}
MEANT_PAGES = {
    "a page": "the title is not said twice where the text begins with it",
    "a part": "how long the whole is goes along, so that a model knows how much it has",
    "no page": WORDS,
    "a page that robots may not read": WORDS,
    "no address": WORDS,
    "no length": "two validators, two wordings",
}
HEAD = re.compile(r"(Content type .* cannot be simplified to markdown, but here is the raw content:\n)?Contents of \S+:\n+")
"""What comes before the content: only ours leaves a line free, and does not call a plain text a failure to simplify."""


def without_head(text: str) -> str:
    return HEAD.sub("", text, count=1)


def page(site: Site) -> None:
    site.page("/plain", "Just words.\nTwo lines.", "text/plain")
    site.page("/page", "<html><head><title>Herons</title></head><body><h1>Herons</h1><p>They wade.</p></body></html>")
    site.page("/long", "0123456789" * 40, "text/plain")
    site.page("/secret/x", "secret", "text/plain")
    site.answers["/robots.txt"] = (b"User-agent: *\nDisallow: /secret\n", "text/plain")


async def test_the_fetch_server_does_what_the_reference_does() -> None:
    if not PYTHON.exists():
        pytest.skip(NOT_THERE)
    async with served() as site:
        page(site)
        server = fetch.create({"open_hosts": [site.host]})
        here = f"http://{site.host}"
        command = [str(PYTHON), "-m", "mcp_server_fetch", "--allow-private-ips"]
        no_node = str(PYTHON.parent)  # where it finds Node it installs packages, and says so in the middle of the protocol
        async with pair(command, server, [(here, here)], PATH=no_node) as both:
            await same_arguments(both, left_out=set())
            await compare(both, PAGES, MEANT_PAGES, without_head)
            prompts = [(await client.list_prompts()).prompts for client in (both.theirs, both.ours)]
            assert [[p.name for p in one] for one in prompts] == [["fetch"], ["fetch"]]
