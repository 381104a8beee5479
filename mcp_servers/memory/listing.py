"""What is remembered as a list to look through."""

from mcp_servers.memory.graph import Graph, search


def listed(graph: Graph, query: str) -> list[tuple[str, str, int]]:
    """(name, type, how many facts) of the entities that hold the query (all, if it is empty), by name."""
    with graph.reading() as db:
        rows = db.execute(
            "SELECT e.id, e.name, e.kind, count(o.id) FROM entities e LEFT JOIN observations o ON o.entity = e.id GROUP BY e.id"
        ).fetchall()
        wanted = search(db, query.strip()) if query.strip() else None
    found = [(name, kind, facts) for number, name, kind, facts in rows if wanted is None or number in wanted]
    return sorted(found, key=lambda row: (row[0].casefold(), row[0]))


def sums(graph: Graph) -> tuple[int, int, int]:
    """How many entities, facts and relations there are."""
    with graph.reading() as db:
        tables = ("SELECT count(*) FROM entities", "SELECT count(*) FROM observations", "SELECT count(*) FROM relations")
        entities, facts, relations = (int(db.execute(count).fetchone()[0]) for count in tables)
        return entities, facts, relations
