"""Entities, relations and observations as they cross the wire: the reference server's shapes."""

from typing_extensions import TypedDict


class Entity(TypedDict):
    """Something to remember, under a name that is its own."""

    name: str
    entityType: str
    observations: list[str]


# "from" is a keyword of Python, so this one is written as a call.
Relation = TypedDict("Relation", {"from": str, "to": str, "relationType": str})
"""How one entity belongs to another, in active voice."""


class KnowledgeGraph(TypedDict):
    """Entities and the relations between them."""

    entities: list[Entity]
    relations: list[Relation]


class NewObservations(TypedDict):
    """Facts to add to an entity that is there."""

    entityName: str
    contents: list[str]


class AddedObservations(TypedDict):
    """Those facts that were new."""

    entityName: str
    addedObservations: list[str]


class OldObservations(TypedDict):
    """Facts to forget about an entity."""

    entityName: str
    observations: list[str]
