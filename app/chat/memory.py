"""The memory as a person sees and changes it, and what of it goes along with a message when they allow that."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from app.chat.facts import ExportedFile, MemoryDone, MemoryEntity, MemoryRelation, MemoryRow, MemoryView
from app.chat.refused import Refused
from app.core.messages import Message

if TYPE_CHECKING:
    from mcp_servers.memory import Graph
    from mcp_servers.memory.editing import Change, Editor

P = ParamSpec("P")
R = TypeVar("R")

LISTED = 200
"""Rows of the list at once; a search finds the others."""
KEPT_CHANGES = 50
WATCH_SECONDS = 1.0
MAX_IMPORT = 12 * 1024 * 1024
"""A command of the window has at most 16 MiB."""


class MemoryDesk:
    """The graph in `home`, beside the memory server, which may write at the same time.

    `changed` is called whenever what is remembered is not what it was, whoever did it; `attended` says whether anybody
    looks. `recall` gives how many characters may go along with a message, 0: nothing does.
    """

    def __init__(self, home: Path, changed: Callable[[], None], attended: Callable[[], bool], recall: Callable[[], int]):
        self._home = home
        self._changed = changed
        self._attended = attended
        self._recall = recall
        self._graph: Graph | None = None
        self._changes: dict[str, Change] = {}
        self._count = 0
        self._watching: asyncio.Task[None] | None = None

    # What a person sees

    async def view(self, query: str, name: str | None) -> MemoryView:
        """The list (those that fit `query`, by name) and the entity on show."""
        view = await self._do(self._view, query, name)
        self._watch()
        return view

    def _view(self, query: str, name: str | None) -> MemoryView:
        from mcp_servers.memory.listing import listed, sums

        graph = self._opened()
        found = listed(graph, query)
        shown = graph.open_nodes([name]) if name is not None else None
        total, facts, relations = sums(graph)
        return MemoryView(
            rows=tuple(MemoryRow(name=n, kind=k, facts=f) for n, k, f in found[:LISTED]),
            found=len(found),
            total=total,
            facts=facts,
            relations=relations,
            shown=next(
                (
                    MemoryEntity(
                        name=entity["name"],
                        kind=entity["entityType"],
                        facts=tuple(entity["observations"]),
                        relations=tuple(
                            MemoryRelation(source=r["from"], target=r["to"], kind=r["relationType"])
                            for r in (shown["relations"] if shown else ())
                        ),
                    )
                    for entity in (shown["entities"] if shown else ())
                ),
                None,
            ),
        )

    # What a person changes

    async def save(self, old: str | None, name: str, kind: str) -> MemoryDone:
        return await self._change(lambda: self._editor().save(old, name, kind))

    async def fact(self, entity: str, old: str | None, new: str | None) -> MemoryDone:
        return await self._change(lambda: self._editor().fact(entity, old, new))

    async def relation(self, relation: MemoryRelation, *, remove: bool) -> MemoryDone:
        return await self._change(
            lambda: self._editor().relation(
                {"from": relation.source, "to": relation.target, "relationType": relation.kind}, remove=remove
            )
        )

    async def forget(self, name: str) -> MemoryDone:
        return await self._change(lambda: self._editor().forget(name))

    async def clear(self) -> MemoryDone:
        return await self._change(lambda: self._editor().clear())

    async def undo(self, change_id: str) -> None:
        """Take a change of this run back; Refused where that was done already."""
        if (change := self._changes.pop(change_id, None)) is None:
            raise Refused("not_found", "This cannot be undone any more.")
        await self._do(lambda: self._editor().undo(change))
        self._changed()

    async def export(self) -> ExportedFile:
        """As the reference memory server keeps it."""
        from mcp_servers.memory.jsonl import export_jsonl

        text = await self._do(lambda: export_jsonl(self._opened()))
        return ExportedFile(name="memory.jsonl", media_type="application/jsonl", text=text)

    async def add(self, text: str) -> MemoryDone:
        """Add what a file of the reference server holds; what is known stays as it is."""
        from mcp_servers.memory.jsonl import parse_jsonl

        if len(text) > MAX_IMPORT:
            raise Refused("invalid", f"This file is larger than {MAX_IMPORT // 1024**2} MiB, more than is taken at once.")
        counts = (0, 0, 0)

        def deed() -> "Change":
            nonlocal counts
            graph = parse_jsonl(text)
            if not graph["entities"] and not graph["relations"]:
                from mcp_servers.memory import GraphError

                raise GraphError("There is nothing to remember in this file: it has no entities and no relations.")
            change, counts = self._editor().add(graph)
            return change

        done = await self._change(deed)
        return done.model_copy(update={"entities": counts[0], "facts": counts[1], "relations": counts[2]})

    async def _change(self, deed: "Callable[[], Change]") -> MemoryDone:
        change = await self._do(deed)
        self._count += 1
        change_id = f"change_{self._count}"
        self._changes[change_id] = change
        while len(self._changes) > KEPT_CHANGES:
            del self._changes[next(iter(self._changes))]
        self._changed()
        return MemoryDone(undo=change_id)

    # What goes along with a message

    async def with_recalled(self, message: Message, sent: Sequence[Message]) -> Message:
        """A person's message with what is remembered about it, where that is allowed; what `sent` has already is left out."""
        room = self._recall()
        if room <= 0 or message.origin is not None or not message.text.strip() or message.text.startswith(("!", "/")):
            return message
        known = {line for m in sent for line in m.recalled}
        try:
            lines = await self._do(self._recalled, message.text, room, known)
        except Refused:  # a memory that cannot be read must not keep a message from being sent
            return message
        return message.model_copy(update={"recalled": tuple(lines)}) if lines else message

    def _recalled(self, text: str, room: int, known: set[str]) -> list[str]:
        from mcp_servers.memory import FILE
        from mcp_servers.memory.recall import recalled

        return recalled(self._opened(), text, room, known) if (self._home / FILE).exists() else []

    # The graph

    def _opened(self) -> "Graph":
        from mcp_servers.memory import FILE, Graph

        if self._graph is None:
            self._graph = Graph(self._home / FILE)
        return self._graph

    def _editor(self) -> "Editor":
        from mcp_servers.memory.editing import Editor

        return Editor(self._opened())

    async def _do(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Off the event loop: SQLite may wait for another writer."""
        from mcp_servers.memory import GraphError

        try:
            return await asyncio.to_thread(work, *args, **kwargs)
        except GraphError as error:
            raise Refused("invalid", str(error)) from error

    def _watch(self) -> None:
        if self._watching is None or self._watching.done():
            self._watching = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        """Tell what others write, as long as there is a window."""
        with contextlib.suppress(Refused):
            seen = await self._do(lambda: self._opened().version())
            while self._attended():
                await asyncio.sleep(WATCH_SECONDS)
                now = await self._do(lambda: self._opened().version())
                if now != seen:
                    seen = now
                    self._changed()

    async def close(self) -> None:
        if self._watching:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        if self._graph is not None:
            await asyncio.to_thread(self._graph.close)
