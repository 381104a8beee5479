"""The graph as the reference server keeps it: one JSON object a line, entities first."""

import json
from collections.abc import Mapping
from typing import Any, cast

from mcp_servers.memory.graph import Graph, GraphError
from mcp_servers.memory.shapes import Entity, KnowledgeGraph, Relation
from mcp_servers.wellformed import wellformed


def export_jsonl(graph: Graph) -> str:
    """All of the graph; the lines end in "\\n"."""
    whole = graph.read_graph()
    lines = [{"type": "entity", **entity} for entity in whole["entities"]]
    relations = [{"type": "relation", **relation} for relation in whole["relations"]]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, *relations])


def import_jsonl(graph: Graph, text: str) -> tuple[int, int, int]:
    """Add what is new: how many entities, observations and relations that was.

    GraphError names the first line that does not fit; then nothing is added.
    """
    return graph.import_graph(parse_jsonl(text))


def parse_jsonl(text: str) -> KnowledgeGraph:
    """The lines as one graph; lines of other types are left out."""
    found: KnowledgeGraph = {"entities": [], "relations": []}
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = _mapping(wellformed(json.loads(line)))
            if item.get("type") == "entity":
                found["entities"].append(_entity(item))
            elif item.get("type") == "relation":
                found["relations"].append(_relation(item))
        except (ValueError, RecursionError) as error:
            raise GraphError(f"Line {number} is not an entity or a relation: {error}.") from error
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")
    return cast("dict[str, Any]", value)


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is missing or is not text")
    return value


def _entity(item: Mapping[str, Any]) -> Entity:
    facts = item.get("observations", [])
    if not isinstance(facts, list) or not all(isinstance(one, str) for one in cast("list[Any]", facts)):
        raise ValueError("observations is not a list of texts")
    return {
        "name": _text(item, "name"),
        "entityType": _text(item, "entityType"),
        "observations": cast("list[str]", facts),
    }


def _relation(item: Mapping[str, Any]) -> Relation:
    return {
        "from": _text(item, "from"),
        "to": _text(item, "to"),
        "relationType": _text(item, "relationType"),
    }
