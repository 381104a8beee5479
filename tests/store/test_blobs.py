"""Blobs: by content, durable, read in pages of characters, gone with what named them."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from app.core.messages import FileBlock, Message, ToolResultBlock, Truncated, now_ms
from app.store import Store
from tests.store.stories import user

TEXT = "añ漢🎉\r\nb" * 50_000


async def test_equal_bytes_have_one_ref_and_come_back_as_they_were_under_their_last_name(store: Store, home: Path) -> None:
    data = bytes(range(256)) * 10
    ref = await store.blobs.put(data, "application/x-thing", "thing.bin")
    assert await store.blobs.put(data, "text/plain", "again.txt") == ref
    media = await store.blobs.get(ref)
    assert media is not None
    assert (media.media_type, media.data, media.name) == ("application/x-thing", data, "again.txt")
    assert [path.name for path in (home / "blobs").rglob("*") if path.is_file()] == [ref]


async def test_a_text_is_read_in_pages_counted_in_characters(store: Store) -> None:
    ref = await store.blobs.put(TEXT.encode(), "text/plain")
    pages: list[str] = []
    while page := await store.blobs.read_text(ref, sum(map(len, pages)), 70_001):
        assert page.chars == len(TEXT)
        if not page.text:
            break
        pages.append(page.text)
    assert "".join(pages) == TEXT
    late = await store.blobs.read_text(ref, len(TEXT) + 5, 10)
    assert late is not None
    assert (late.text, late.offset) == ("", len(TEXT))


async def test_what_is_no_text_or_not_there_has_no_pages(store: Store) -> None:
    picture = await store.blobs.put(b"\x89PNG\r\n", "image/png")
    assert await store.blobs.read_text(picture) is None
    assert await store.blobs.read_text("0" * 40) is None
    assert await store.blobs.get("0" * 40) is None
    assert await store.blobs.get("../../leochat.db") is None
    with pytest.raises(ValueError, match="ref"):
        store.blobs.path("../../leochat.db")


async def test_a_cut_off_file_is_written_again(store: Store) -> None:
    ref = await store.blobs.put(b"whole content", "text/plain")
    store.blobs.path(ref).write_bytes(b"whole")
    assert await store.blobs.put(b"whole content", "text/plain") == ref
    media = await store.blobs.get(ref)
    assert media is not None
    assert media.data == b"whole content"


async def test_a_purge_takes_the_blobs_that_only_purged_conversations_named(store: Store) -> None:
    attached, shared, result, loose = [await store.blobs.put(word.encode(), "text/plain") for word in ("a", "b", "c", "d")]
    gone, stays = await store.conversations.create(), await store.conversations.create()
    files = tuple(FileBlock(media_type="text/plain", ref=ref) for ref in (attached, shared))
    await store.messages.append(gone.id, user("q").model_copy(update={"blocks": files}), durable=True)
    cut = ToolResultBlock(tool_call_id="c1", text="…", truncated=Truncated(chars=9, kept=1, ref=result))
    kept = Message(id="m1", role="tool", blocks=(cut, files[1]))
    await store.messages.append(stays.id, kept, durable=True)
    await store.conversations.delete(gone.id)
    await store.purge(now_ms() + 1000)
    assert [(await store.blobs.get(ref)) is not None for ref in (attached, shared, result, loose)] == [False, True, True, False]
    assert not store.blobs.path(attached).exists()


async def test_writing_a_large_blob_does_not_hold_the_loop(store: Store) -> None:
    task = asyncio.create_task(store.blobs.put(os.urandom(1 << 24), "application/octet-stream"))
    longest = 0.0
    while not task.done():
        start = time.perf_counter()
        await asyncio.sleep(0)
        longest = max(longest, time.perf_counter() - start)
    await task
    assert longest < 1
