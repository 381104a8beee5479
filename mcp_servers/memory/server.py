"""The memory's tools, with the names, arguments and answers of the reference server."""

# ruff: noqa: N803, N815 - the argument names are those of the reference server

import functools
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, ParamSpec, TypeVar, cast

import anyio.to_thread
from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, ConfigDict, Field

from mcp_servers.answers import ADD_ONCE, CHANGE_ONCE, READ, error_answer, text_answer
from mcp_servers.arguments import argument
from mcp_servers.memory.graph import Graph, GraphError
from mcp_servers.memory.jsonl import export_jsonl, import_jsonl
from mcp_servers.memory.shapes import Entity, NewObservations, OldObservations, Relation
from mcp_servers.serving import WordsServer

P = ParamSpec("P")
R = TypeVar("R")

INSTRUCTIONS = (
    "What should be remembered between conversations: entities with a type and observations (one "
    "fact each), and relations in active voice. Search before you add. Remember only what the "
    "user would want remembered."
)
ANA = {"name": "Ana", "entityType": "person", "observations": ["Lives in Madrid"]}
WORKS_AT = {"from": "Ana", "to": "Acme", "relationType": "works at"}
RESOURCE = "memory://knowledge-graph"


class EntityShape(BaseModel):
    """Something to remember."""

    name: Annotated[str, argument("Its name, which is its own.", min_length=1, examples=["Ana"])]
    entityType: Annotated[str, argument("What it is.", examples=["person", "project"])]
    observations: Annotated[list[str], argument("Facts, one each.", examples=[["Lives in Madrid"]])] = Field(
        default_factory=list[str]
    )


class RelationShape(BaseModel):
    """How one entity belongs to another."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    from_: Annotated[str, Field(alias="from", description="The entity where it starts.")]
    to: Annotated[str, argument("The entity where it ends.")]
    relationType: Annotated[str, argument("In active voice.", examples=["works at", "knows"])]


class NewFacts(BaseModel):
    """Facts to add to an entity."""

    entityName: Annotated[str, argument("An entity that is there.")]
    contents: Annotated[list[str], argument("The facts to add, one each.")]


class OldFacts(BaseModel):
    """Facts to forget about an entity."""

    entityName: Annotated[str, argument("The entity.")]
    observations: Annotated[list[str], argument("The facts to forget, exactly as they are kept.")]


class Entities(BaseModel):
    """Entities that were added."""

    entities: list[EntityShape]


class Relations(BaseModel):
    """Relations that were added."""

    relations: list[RelationShape]


class AddedFacts(BaseModel):
    """Facts that were added to one entity."""

    entityName: str
    addedObservations: list[str]


class Additions(BaseModel):
    """Facts that were added."""

    results: list[AddedFacts]


class Done(BaseModel):
    """Whether it worked."""

    success: bool
    message: str


class WholeGraph(BaseModel):
    """Entities and relations."""

    entities: list[EntityShape]
    relations: list[RelationShape]


class Imported(BaseModel):
    """How many of each were new."""

    entities: int
    observations: int
    relations: int


def build(graph: Graph) -> MCPServer:
    """The server over one graph, which is closed when the server ends."""

    @asynccontextmanager
    async def lifespan(_: MCPServer) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await _off_loop(graph.close)

    server = WordsServer(
        "memory",
        title="Memory",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
    )
    _register_adding(server, graph)
    _register_forgetting(server, graph)
    _register_reading(server, graph)
    _register_files(server, graph)
    return server


async def _off_loop(work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """SQLite may wait for another writer, so it never runs on the event loop."""
    return await anyio.to_thread.run_sync(functools.partial(work, *args, **kwargs))


def _answering(
    tool: Callable[P, Awaitable[CallToolResult]],
) -> Callable[P, Awaitable[CallToolResult]]:
    @functools.wraps(tool)
    async def answered(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except GraphError as error:
            return error_answer(str(error))

    return answered


def _plain(shapes: "list[Any]") -> "list[dict[str, Any]]":
    return [cast("BaseModel", shape).model_dump(by_alias=True) for shape in shapes]


def _told(data: Any, structured: dict[str, Any]) -> CallToolResult:
    return text_answer(json.dumps(data, ensure_ascii=False, indent=2), structured)


def _done(message: str) -> CallToolResult:
    return text_answer(message, {"success": True, "message": message})


def _register_adding(server: MCPServer, graph: Graph) -> None:
    @server.tool(title="Remember entities", annotations=ADD_ONCE)
    @_answering
    async def create_entities(
        entities: Annotated[list[EntityShape], argument("The new entities.", min_length=1, examples=[[ANA]])],
    ) -> Annotated[CallToolResult, Entities]:
        """Remember people, things or ideas. Those whose name is known already are left as they are."""
        wanted = cast("list[Entity]", _plain(entities))
        new = await _off_loop(graph.create_entities, wanted)
        answer = _told(new, {"entities": new})
        if lacking := await _off_loop(graph.lacking, wanted):
            names = ", ".join(lacking)
            note = f"Known already, so their facts were not added: {names}. Use add_observations."
            answer.content.append(TextContent(type="text", text=note))
        return answer

    @server.tool(title="Remember relations", annotations=ADD_ONCE)
    @_answering
    async def create_relations(
        relations: Annotated[list[RelationShape], argument("The new relations.", min_length=1, examples=[[WORKS_AT]])],
    ) -> Annotated[CallToolResult, Relations]:
        """Remember how entities belong together. Example: from Ana, to Acme, relationType works at."""
        new = await _off_loop(graph.create_relations, cast("list[Relation]", _plain(relations)))
        return _told(new, {"relations": new})

    @server.tool(title="Add facts", annotations=ADD_ONCE)
    @_answering
    async def add_observations(
        observations: Annotated[
            list[NewFacts],
            argument("Facts by entity.", min_length=1, examples=[[{"entityName": "Ana", "contents": ["Plays chess"]}]]),
        ],
    ) -> Annotated[CallToolResult, Additions]:
        """Add facts to entities that are remembered already. If one is missing, nothing is added."""
        wanted = cast("list[NewObservations]", _plain(observations))
        new = await _off_loop(graph.add_observations, wanted)
        return _told(new, {"results": new})


def _register_forgetting(server: MCPServer, graph: Graph) -> None:
    @server.tool(title="Forget entities", annotations=CHANGE_ONCE)
    @_answering
    async def delete_entities(
        entityNames: Annotated[list[str], argument("The names of the entities.", min_length=1, examples=[["Ana"]])],
    ) -> Annotated[CallToolResult, Done]:
        """Forget entities, their facts and their relations."""
        await _off_loop(graph.delete_entities, entityNames)
        return _done("Entities deleted successfully")

    @server.tool(title="Forget facts", annotations=CHANGE_ONCE)
    @_answering
    async def delete_observations(
        deletions: Annotated[
            list[OldFacts],
            argument("Facts by entity.", min_length=1, examples=[[{"entityName": "Ana", "observations": ["Plays chess"]}]]),
        ],
    ) -> Annotated[CallToolResult, Done]:
        """Forget single facts of entities."""
        await _off_loop(graph.delete_observations, cast("list[OldObservations]", _plain(deletions)))
        return _done("Observations deleted successfully")

    @server.tool(title="Forget relations", annotations=CHANGE_ONCE)
    @_answering
    async def delete_relations(
        relations: Annotated[list[RelationShape], argument("The relations.", min_length=1, examples=[[WORKS_AT]])],
    ) -> Annotated[CallToolResult, Done]:
        """Forget single relations between entities."""
        await _off_loop(graph.delete_relations, cast("list[Relation]", _plain(relations)))
        return _done("Relations deleted successfully")


def _register_reading(server: MCPServer, graph: Graph) -> None:
    @server.tool(title="Read all memory", annotations=READ)
    @_answering
    async def read_graph() -> Annotated[CallToolResult, WholeGraph]:
        """Everything that is remembered. Prefer search_nodes where there is much."""
        found = await _off_loop(graph.read_graph)
        return _told(found, dict(found))

    @server.tool(title="Search memory", annotations=READ)
    @_answering
    async def search_nodes(
        query: Annotated[str, argument("A word or a few, in names, types and facts.", examples=["Ana"])],
    ) -> Annotated[CallToolResult, WholeGraph]:
        """Find what is remembered about something, with its relations."""
        found = await _off_loop(graph.search_nodes, query)
        return _told(found, dict(found))

    @server.tool(title="Open entities", annotations=READ)
    @_answering
    async def open_nodes(
        names: Annotated[list[str], argument("The names of the entities.", min_length=1, examples=[["Ana"]])],
    ) -> Annotated[CallToolResult, WholeGraph]:
        """Read single entities by name, with their relations."""
        found = await _off_loop(graph.open_nodes, names)
        return _told(found, dict(found))

    @server.resource(
        RESOURCE,
        title="Knowledge graph",
        description="Everything that is remembered.",
        mime_type="application/json",
    )
    async def knowledge_graph() -> str:
        return json.dumps(await _off_loop(graph.read_graph), ensure_ascii=False, indent=2)


def _register_files(server: MCPServer, graph: Graph) -> None:
    @server.tool(title="Export memory", annotations=READ)
    @_answering
    async def export_graph() -> CallToolResult:
        """Everything that is remembered as JSONL, as other memory servers read it."""
        return text_answer(await _off_loop(export_jsonl, graph))

    @server.tool(title="Import memory", annotations=ADD_ONCE)
    @_answering
    async def import_graph(
        jsonl: Annotated[str, argument("The lines of a memory.jsonl file.", min_length=1)],
    ) -> Annotated[CallToolResult, Imported]:
        """Add what another memory server exported. What is known already stays as it is."""
        entities, facts, relations = await _off_loop(import_jsonl, graph, jsonl)
        counts = {"entities": entities, "observations": facts, "relations": relations}
        return _told(counts, counts)
