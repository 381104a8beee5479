"""What is done four times a second while a task runs: its message is kept, and a stop asked for elsewhere is heard."""

import asyncio
import logging
from typing import TYPE_CHECKING

from app.store import StoreError

if TYPE_CHECKING:
    from app.chat.session import Session

log = logging.getLogger("leochat.chat")
DRAFT_SECONDS = 0.25


async def draft(session: "Session") -> None:
    """Keep the message being written every 250 ms, so that a crash loses less than that; until it is cancelled."""
    while True:
        await asyncio.sleep(DRAFT_SECONDS)
        partial = session.live.partial()
        try:
            if partial and partial.role == "assistant" and partial.blocks:
                await session.journal.draft(partial)
            if await session.rooms.store.tasks.stop_asked(session.journal.task_id):
                session.tasks.background(session.tasks.stop())
        except StoreError as error:  # the message's end says it; until then the next one may be kept
            log.warning("a draft was not kept: %s", error.message)
