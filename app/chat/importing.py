"""The servers page's side of importing: what a pasted text or picked file holds, and adding what a person chose of it."""

import asyncio
from pathlib import Path
from typing import Any

from app.chat.facts import FoundServer, ServersFound
from app.chat.recognised import Told, told
from app.chat.refused import Refused
from app.core.ports import Blobs
from app.mcp_host.blanks import Candidate, filled
from app.mcp_host.config import ServerConfig, shown_variables, visible
from app.mcp_host.host import McpHost
from app.mcp_host.importing import Reading, read_file, read_text

PICKED_LIMIT = 100
"""Servers of one file that are shown; nobody means more."""


class ImportDesk:
    """Reads without adding, and adds without starting. `home`: bundles are unpacked below it."""

    def __init__(self, host: McpHost, home: Path, blobs: Blobs):
        self._host = host
        self._home = home
        self._blobs = blobs

    async def look(self, text: str | None, ref: str | None) -> ServersFound:
        """What a text, or an attachment by `ref`, would add. Refused with why it is nothing."""
        reading = await self._reading(text, ref)
        return ServersFound(
            servers=tuple(_shown(c) for c in reading.candidates[:PICKED_LIMIT]),
            notes=tuple(map(told, reading.notes)),
            bundle=reading.bundle is not None,
        )

    async def add(
        self, text: str | None, ref: str | None, picked: list[str] | None, values: dict[str, dict[str, Any]]
    ) -> tuple[list[str], list[Told]]:
        """Add the picked (None: all), with the blanks' values by server and key. Gives the names it has now, and notes."""
        reading = await self._reading(text, ref)
        wanted = [c for c in reading.candidates if picked is None or c.config.name in picked]
        if not wanted:
            raise Refused("invalid", "Choose a server first.")
        try:
            configs = [filled(c, values.get(c.config.name, {})) for c in wanted]
            await asyncio.to_thread(reading.unpacked)
        except ValueError as error:
            raise Refused("invalid", str(error)) from error
        except OSError as error:
            raise Refused("unavailable", f"The bundle could not be unpacked: {error}.") from error
        notes = [told(n) for n in (*reading.notes, *(n for c in wanted for n in c.notes))]
        return [await self._host.add(c) for c in configs], notes

    async def _reading(self, text: str | None, ref: str | None) -> Reading:
        try:
            if ref is None:
                return await asyncio.to_thread(read_text, text or "")
            found = await self._blobs.get(ref)
            if found is None:
                raise Refused("not_found", "This file is not there any more: pick it again.")
            return await asyncio.to_thread(read_file, found.data, self._home)
        except ValueError as error:
            raise Refused("invalid", str(error)) from error


def _shown(candidate: Candidate) -> FoundServer:
    config = candidate.shown
    return FoundServer(
        name=config.name,
        title=candidate.title,
        description=config.description or "",
        version=candidate.version,
        transport=config.transport,
        command=_command(config),
        url=config.url and visible(config.url),
        variables=shown_variables(config),
        headers=tuple(visible(name) for name in sorted(config.headers)),
        blanks=candidate.blanks,
        notes=tuple(map(told, candidate.notes)),
    )


def _command(config: ServerConfig) -> tuple[str, ...]:
    return tuple(visible(w) for w in (config.command, *config.args)) if config.transport == "stdio" else ()
