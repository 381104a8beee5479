"""Changes by hand: each can be taken back, also when somebody else wrote meanwhile."""

from pathlib import Path
from typing import Any

import pytest

from mcp_servers.memory import FILE, Graph, GraphError
from mcp_servers.memory.editing import Editor
from mcp_servers.memory.listing import listed
from mcp_servers.memory.shapes import Entity, Relation

ANA: Entity = {"name": "Ana", "entityType": "person", "observations": ["Lives in Madrid", "Plays chess"]}
ACME: Entity = {"name": "Acme", "entityType": "company", "observations": ["Makes anvils"]}
WORKS: Relation = {"from": "Ana", "to": "Acme", "relationType": "works at"}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    made = Graph(tmp_path / FILE)
    made.create_entities([ANA, ACME])
    made.create_relations([WORKS])
    return made


@pytest.fixture
def editor(graph: Graph) -> Editor:
    return Editor(graph)


def deeds(editor: Editor) -> dict[str, Any]:
    new: Relation = {"from": "Acme", "to": "Ana", "relationType": "pays"}
    return {
        "an entity added": lambda: editor.save(None, "Bea", "person"),
        "an entity renamed": lambda: editor.save("Ana", "Ana García", "friend"),
        "an entity forgotten": lambda: editor.forget("Ana"),
        "a fact added": lambda: editor.fact("Ana", None, "Has a cat"),
        "a fact reworded": lambda: editor.fact("Ana", "Lives in Madrid", "Lives in Bilbao"),
        "a fact forgotten": lambda: editor.fact("Ana", "Lives in Madrid", None),
        "a relation added": lambda: editor.relation(new, remove=False),
        "a relation forgotten": lambda: editor.relation(WORKS, remove=True),
        "everything forgotten": editor.clear,
        "a file added": lambda: editor.add(
            {"entities": [{**ANA, "observations": ["Sings"]}, {**ACME, "name": "Beta"}], "relations": [new]}
        )[0],
    }


def test_every_change_is_seen_found_and_taken_back_to_the_letter(graph: Graph, editor: Editor) -> None:
    whole = graph.read_graph()
    for name, deed in deeds(editor).items():
        change = deed()
        assert graph.read_graph() != whole, name
        editor.undo(change)
        assert graph.read_graph() == whole, name
        assert [row[0] for row in listed(graph, "chess madrid")] == ["Ana"], name


def test_search_and_relations_follow_a_new_name(graph: Graph, editor: Editor) -> None:
    editor.save("Acme", "Umbrella", "firm")
    editor.fact("Umbrella", "Makes anvils", "Makes umbrellas")
    assert graph.search_nodes("acme")["entities"] == graph.search_nodes("anvils")["entities"] == []
    assert graph.search_nodes("makes umbrellas")["entities"][0]["name"] == "Umbrella"
    assert graph.open_nodes(["Ana"])["relations"] == [{**WORKS, "to": "Umbrella"}]


def test_taking_back_keeps_what_somebody_else_wrote_since(graph: Graph, editor: Editor, tmp_path: Path) -> None:
    other = Graph(tmp_path / FILE)  # another connection, as the memory server has
    added, forgotten, cleared = editor.save(None, "Bea", "person"), editor.forget("Ana"), editor.clear()
    other.create_entities([{"name": "Ana", "entityType": "cat", "observations": ["Sleeps"]}])
    for change in (cleared, forgotten):
        editor.undo(change)
    other.add_observations([{"entityName": "Bea", "contents": ["Runs"]}])
    editor.undo(added)
    found = {e["name"]: (e["entityType"], sorted(e["observations"])) for e in graph.read_graph()["entities"]}
    assert found["Ana"] == ("cat", ["Lives in Madrid", "Plays chess", "Sleeps"])
    assert found["Bea"] == ("person", ["Runs"])
    other.close()


def test_what_cannot_be_is_said_and_changes_nothing(graph: Graph, editor: Editor) -> None:
    whole = graph.read_graph()
    faults = {
        "There is something called Acme already.": lambda: editor.save("Ana", "Acme", "x"),
        "A name needs at least one letter.": lambda: editor.save(None, "  ", "x"),
        "Bea is not remembered any more": lambda: editor.fact("Bea", None, "x"),
        "This fact is there already.": lambda: editor.fact("Ana", "Plays chess", "Lives in Madrid"),
        "This fact is not there any more": lambda: editor.fact("Ana", "Plays go", None),
        "This relation is there already.": lambda: editor.relation(WORKS, remove=False),
        "A fact has at most 10,000": lambda: editor.fact("Ana", None, "x" * 10_001),
    }
    for words, deed in faults.items():
        with pytest.raises(GraphError, match=words):
            deed()
    assert graph.read_graph() == whole


def test_a_change_by_somebody_else_shows(graph: Graph, editor: Editor, tmp_path: Path) -> None:
    before = graph.version()
    editor.fact("Ana", None, "Has a cat")
    assert graph.version() == before
    other = Graph(tmp_path / FILE)
    other.delete_entities(["Ana"])
    assert graph.version() != before
    other.close()
