"""The memory: the reference server's answers, search, two writers, export and import."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_servers.memory import FILE, Graph, GraphError, create
from mcp_servers.memory.jsonl import export_jsonl, import_jsonl, parse_jsonl
from tests.mcp_servers.calls import ROOT, Tools, text_of, tools_of, tools_over_stdio

ANA = {"name": "Ana", "entityType": "person", "observations": ["Lives in Madrid", "喜欢北京烤鸭"]}
ACME: dict[str, Any] = {"name": "Acme", "entityType": "company", "observations": []}
WORKS = {"from": "Ana", "to": "Acme", "relationType": "works at"}


@pytest.fixture
async def tools(tmp_path: Path) -> Tools:
    remembering = Tools(server=create({"data_dir": str(tmp_path)}))
    await remembering.ok("create_entities", entities=[ANA, ACME])
    await remembering.ok("create_relations", relations=[WORKS])
    return remembering


async def names(tools: Tools, query: str) -> list[str]:
    found = json.loads(await tools.ok("search_nodes", query=query))
    return [entity["name"] for entity in found["entities"]]


async def test_the_graph_is_read_as_it_was_written(tools: Tools) -> None:
    result = await tools.result("read_graph")
    whole = {"entities": [ANA, ACME], "relations": [WORKS]}
    assert result.structured_content == whole
    assert json.loads(await tools.ok("read_graph")) == whole


async def test_creating_answers_with_what_was_new_only(tools: Tools) -> None:
    bea = {"name": "Bea", "entityType": "person", "observations": ["x"]}
    result = await tools.result("create_entities", entities=[{**ANA, "observations": ["other"]}, bea])
    assert result.structured_content == {"entities": [bea]}
    again = await tools.result("create_relations", relations=[WORKS, {**WORKS, "to": "Bea"}])
    assert again.structured_content == {"relations": [{**WORKS, "to": "Bea"}]}
    assert json.loads(await tools.ok("open_nodes", names=["Ana"]))["entities"] == [ANA]


async def test_facts_of_a_known_entity_are_not_lost_in_silence(tools: Tools) -> None:
    again = await tools.result("create_entities", entities=[ANA])
    assert [text_of(again), len(again.content)] == ["[]", 1]
    other = await tools.result("create_entities", entities=[{**ANA, "observations": ["Plays chess"]}])
    assert other.structured_content == {"entities": []}
    assert "Ana. Use add_observations" in text_of(other)


async def test_facts_are_added_once(tools: Tools) -> None:
    wanted = [{"entityName": "Ana", "contents": ["Lives in Madrid", "Plays chess", "Plays chess"]}]
    result = await tools.result("add_observations", observations=wanted)
    added = [{"entityName": "Ana", "addedObservations": ["Plays chess"]}]
    assert result.structured_content == {"results": added}


async def test_a_missing_entity_stops_all_of_the_facts(tools: Tools) -> None:
    wanted = [{"entityName": "Ana", "contents": ["a"]}, {"entityName": "Bob", "contents": ["b"]}]
    assert "Bob" in await tools.refused("add_observations", observations=wanted)
    assert json.loads(await tools.ok("open_nodes", names=["Ana"]))["entities"] == [ANA]


async def test_forgetting_an_entity_forgets_its_relations(tools: Tools) -> None:
    done = await tools.result("delete_entities", entityNames=["Acme", "Nobody"])
    message = "Entities deleted successfully"
    assert done.structured_content == {"success": True, "message": message}
    assert json.loads(await tools.ok("read_graph")) == {"entities": [ANA], "relations": []}
    assert await names(tools, "company") == []


async def test_single_facts_and_relations_can_be_forgotten(tools: Tools) -> None:
    facts = [{"entityName": "Ana", "observations": ["Lives in Madrid"]}]
    assert await tools.ok("delete_observations", deletions=facts) == "Observations deleted successfully"
    assert await tools.ok("delete_relations", relations=[WORKS]) == "Relations deleted successfully"
    graph = json.loads(await tools.ok("read_graph"))
    assert graph["relations"] == []
    assert graph["entities"][0]["observations"] == ["喜欢北京烤鸭"]
    assert await names(tools, "Madrid") == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("madrid", ["Ana"]),
        ("MADRID", ["Ana"]),
        ("adri", ["Ana"]),
        ("北京", ["Ana"]),
        ("北京烤鸭", ["Ana"]),
        ("an", ["Ana", "Acme"]),  # "Ana" and "company"
        ("company", ["Acme"]),
        ("person Madrid", ["Ana"]),
        ("Acme Madrid", ["Ana", "Acme"]),
        ("", ["Ana", "Acme"]),
        ('" OR 1 --', []),
        ("nothing like it", ["Ana"]),
        ("%", []),
    ],
)
async def test_search_finds_parts_words_and_chinese(tools: Tools, query: str, found: list[str]) -> None:
    if query == "nothing like it":
        await tools.ok("add_observations", observations=[{"entityName": "Ana", "contents": ["i like tea"]}])
    assert await names(tools, query) == found


async def test_a_found_entity_brings_its_relations(tools: Tools) -> None:
    assert json.loads(await tools.ok("search_nodes", query="company"))["relations"] == [WORKS]
    opened = json.loads(await tools.ok("open_nodes", names=["Acme", "Nobody", "Acme"]))
    assert opened == {"entities": [ACME], "relations": [WORKS]}


async def test_the_whole_graph_is_a_resource_too(tools: Tools, tmp_path: Path) -> None:
    assert await tools.ok("read_graph")
    async with tools_of(create({"data_dir": str(tmp_path)})) as others:
        contents = (await others.client.read_resource("memory://knowledge-graph")).contents
    assert json.loads(getattr(contents[0], "text", "")) == {"entities": [ANA, ACME], "relations": [WORKS]}


async def test_export_and_import_keep_everything(tools: Tools, tmp_path: Path) -> None:
    lines = await tools.ok("export_graph")
    assert json.loads(lines.splitlines()[0]) == {"type": "entity", **ANA}
    assert json.loads(lines.splitlines()[-1]) == {"type": "relation", **WORKS}
    async with tools_of(create({"data_dir": str(tmp_path / "other")})) as others:
        counts = json.loads(await others.ok("import_graph", jsonl=lines))
        assert counts == {"entities": 2, "observations": 2, "relations": 1}
        assert await others.ok("export_graph") == lines
        again = json.loads(await others.ok("import_graph", jsonl=lines))
        assert again == {"entities": 0, "observations": 0, "relations": 0}


@pytest.mark.parametrize(
    "line",
    ["[]", "{", '{"type": "entity", "name": 3}', '{"type": "relation", "from": "a"}', '"x"',
     '{"type": "entity", "name": "a", "entityType": "b", "observations": [1]}'],
)  # fmt: skip
def test_a_broken_import_names_its_line_and_adds_nothing(tmp_path: Path, line: str) -> None:
    graph = Graph(tmp_path / FILE)
    good = json.dumps({"type": "entity", **ACME})
    with pytest.raises(GraphError, match="Line 2"):
        import_jsonl(graph, f"{good}\n{line}\n")
    assert export_jsonl(graph) == ""
    graph.close()


def test_a_file_with_a_mark_odd_line_ends_and_half_characters_is_taken(tmp_path: Path) -> None:
    graph = Graph(tmp_path / FILE)
    lines = '\ufeff{"type": "entity", "name": "a", "entityType": "b", "observations": ["x\\ud800"]}\r\n\r\n'
    assert import_jsonl(graph, lines) == (1, 1, 0)
    assert graph.read_graph()["entities"][0]["observations"] == ["x\ufffd"]
    assert [one["name"] for one in graph.search_nodes("x\0")["entities"]] == ["a"]
    graph.close()


def test_lines_of_other_types_and_blank_lines_are_left_out() -> None:
    assert parse_jsonl('\n{"type": "note", "text": "x"}\n  \n') == {"entities": [], "relations": []}


WRITER = """
import sys
from pathlib import Path
from typing import Any
from mcp_servers.memory import Graph
graph, me = Graph(Path(sys.argv[1])), sys.argv[2]
graph.create_entities([{"name": "shared", "entityType": "t", "observations": []}])
for n in range(40):
    graph.create_entities([{"name": f"{me}-{n}", "entityType": "t", "observations": [f"fact {n}"]}])
    graph.add_observations([{"entityName": "shared", "contents": [f"{me} {n}", f"both {n}"]}])
    graph.create_relations([{"from": f"{me}-{n}", "to": "shared", "relationType": "knows"}])
graph.close()
"""


def test_two_programs_may_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / FILE
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), me], cwd=ROOT, stderr=subprocess.PIPE) for me in ("a", "b")
    ]
    for writer in writers:
        _, said = writer.communicate(timeout=50)
        assert writer.returncode == 0, said.decode()
    graph = Graph(path)
    whole = graph.read_graph()
    graph.close()
    shared = next(entity for entity in whole["entities"] if entity["name"] == "shared")
    expected = {f"{me} {n}" for me in ("a", "b", "both") for n in range(40)}
    assert sorted(shared["observations"]) == sorted(expected)
    assert len(whole["entities"]) == 81
    assert len(whole["relations"]) == 80
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


async def test_a_memory_of_a_newer_version_is_not_touched(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("PRAGMA user_version = 99")
    database.close()
    async with tools_of(create({"data_dir": str(tmp_path)})) as tools:
        assert "newer" in await tools.refused("read_graph")


async def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is not a database" * 100)
    async with tools_of(create({"data_dir": str(tmp_path)})) as tools:
        assert "cannot be opened" in await tools.refused("read_graph")


async def test_it_runs_alone_over_stdio_and_remembers(tmp_path: Path) -> None:
    home = {"LEOCHAT_DATA_DIR": str(tmp_path)}
    async with tools_over_stdio("mcp_servers.memory", **home) as tools:
        await tools.ok("create_entities", entities=[ANA])
    async with tools_over_stdio("mcp_servers.memory", **home) as tools:
        assert json.loads(await tools.ok("search_nodes", query="北京"))["entities"] == [ANA]
