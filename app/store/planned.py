"""A backup that the next start goes back to: named in a file, since a store that is open cannot be replaced."""

from pathlib import Path
from typing import Final

from app.store.backups import list_backups, made_at, restore_backup
from app.store.errors import StoreError, in_words

_PLAN: Final = "restore-at-start"


def plan_restore(home: Path, name: str | None) -> None:
    """Have the next start go back to the backup of that name; None: to none. StoreError `missing` for an unknown one."""
    plan = home / _PLAN
    with in_words(plan):
        if name is None:
            plan.unlink(missing_ok=True)
            return
        if name not in {backup.name for backup in list_backups(home)}:
            raise StoreError("missing", f"There is no backup {name} (any more).", home)
        plan.write_text(name, encoding="utf-8")


def planned_restore(home: Path) -> str | None:
    """The name of the backup the next start goes back to."""
    try:
        name = (home / _PLAN).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name if name in {backup.name for backup in list_backups(home)} else None


def carry_out_plan(home: Path, path: Path) -> str | None:
    """Go back to the planned backup; returns what was done, or why not, in a sentence for the person, or None.

    While another process has the store open the plan waits.
    """
    name = planned_restore(home)
    if name is None:
        return None
    backup = next(backup for backup in list_backups(home) if backup.name == name)
    try:
        aside = restore_backup(home, path, backup)
    except StoreError as error:
        if error.kind == "busy":
            return None
        plan_restore(home, None)
        return f"LeoChat did not go back to the backup {name}: {error.message}"
    plan_restore(home, None)
    kept = f" What was there before is kept as {aside}." if aside.exists() else ""
    return f"Everything is again as it was on {made_at(backup):%Y-%m-%d at %H:%M}.{kept}"
