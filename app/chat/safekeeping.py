"""Backups as a window sees them: which there are, one made now, one to go back to; and all conversations out and in."""

from pathlib import Path

from app.chat.facts import BackupInfo, Backups, Imported
from app.chat.recognised import told
from app.chat.refused import Refused
from app.core.messages import now_ms
from app.store import Store, StoreError, made_at, plan_restore, planned_restore


class Safekeeping:
    """Raises Refused with words for the person."""

    def __init__(self, store: Store):
        self._store = store

    def listed(self) -> Backups:
        """Newest first."""
        return Backups(
            backups=tuple(_info(path) for path in Store.backups(self._store.home)),
            planned=planned_restore(self._store.home),
        )

    async def make(self) -> Backups:
        """Make one now; it counts once it has passed its check."""
        try:
            await self._store.back_up()
        except StoreError as error:
            raise Refused("unavailable", error.message) from error
        return self.listed()

    def plan(self, name: str | None) -> Backups:
        """Have the next start go back to that backup; None: to none."""
        try:
            plan_restore(self._store.home, name)
        except StoreError as error:
            raise Refused("not_found" if error.kind == "missing" else "unavailable", error.message) from error
        return self.listed()

    async def export(self, target: Path) -> None:
        """All conversations, complete, as one JSON file."""
        try:
            await self._store.archive.export_json(target)
        except StoreError as error:
            raise Refused("unavailable", error.message) from error

    async def take(self, content: bytes) -> Imported:
        """Conversations from an export, ours or another program's."""
        try:
            report = await self._store.archive.import_bytes(content)
        except StoreError as error:
            raise Refused("invalid" if error.kind == "invalid" else "unavailable", error.message) from error
        return Imported(
            program=report.program,
            conversations=len(report.conversations),
            messages=report.messages,
            already=report.already,
            notes=tuple(map(told, report.notes)),
        )


def _info(path: Path) -> BackupInfo:
    try:
        size = path.stat().st_size
        made = int(made_at(path).timestamp() * 1000)
    except OSError:  # gone meanwhile: the oldest over seven go
        size, made = 0, now_ms()
    return BackupInfo(name=path.name, made_ms=made, size=size)
