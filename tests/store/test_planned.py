"""Going back to a backup at the next start."""

from pathlib import Path

import pytest

from app.store import Store, StoreError, plan_restore, planned_restore


def kept_aside(home: Path) -> Path:
    return next(home.glob("leochat.db.broken-*[0-9]"))


async def test_the_next_start_goes_back_and_keeps_what_was_there(store: Store, home: Path) -> None:
    before = await store.conversations.create(title="before")
    backup = await store.back_up()
    after = await store.conversations.create(title="after")
    plan_restore(home, backup.name)
    assert planned_restore(home) == backup.name
    store.close()
    restored = Store.open(home)
    try:
        assert await restored.conversations.get(after.id) is None
        found = await restored.conversations.get(before.id)
        assert found is not None
        assert found.title == "before"
        assert restored.restored is not None
        assert str(kept_aside(home)) in restored.restored
    finally:
        restored.close()
    again = Store.open(home)
    assert again.restored is None, "a plan is carried out once"
    again.close()


async def test_a_plan_waits_while_another_process_has_the_store_open(store: Store, home: Path) -> None:
    backup = await store.back_up()
    here = await store.conversations.create(title="written meanwhile")
    plan_restore(home, backup.name)
    second = Store.open(home)
    assert second.restored is None
    assert await second.conversations.get(here.id) is not None
    second.close()
    assert planned_restore(home) == backup.name


async def test_a_damaged_backup_changes_nothing_and_is_said(store: Store, home: Path) -> None:
    here = await store.conversations.create(title="still here")
    backup = await store.back_up()
    plan_restore(home, backup.name)
    store.close()
    backup.write_bytes(b"no database at all" * 100)
    opened = Store.open(home)
    try:
        assert opened.restored is not None
        assert "did not go back" in opened.restored
        assert await opened.conversations.get(here.id) is not None
        assert planned_restore(home) is None
    finally:
        opened.close()


async def test_a_plan_can_be_taken_back_and_an_unknown_backup_is_refused(store: Store, home: Path) -> None:
    backup = await store.back_up()
    plan_restore(home, backup.name)
    plan_restore(home, None)
    assert planned_restore(home) is None
    with pytest.raises(StoreError, match="no backup"):
        plan_restore(home, "../leochat.db")
