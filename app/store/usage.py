"""Tokens and cost, summed: by conversation, by day, by model. Rows are written with the messages they belong to."""

import sqlite3
from datetime import datetime
from typing import Any

from app.core.frozen import Frozen
from app.core.messages import Message, Usage
from app.store.lanes import Lanes

_SUMS = """count(*), count(input_tokens), count(cost), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens),
sum(cache_write_tokens), sum(thinking_tokens), sum(cost)"""
_INSERT = f"INSERT OR REPLACE INTO usage VALUES ({', '.join('?' * 11)})"


class UsageSum(Frozen):
    """`replies` model replies, of which `counted` said their tokens and `priced` their cost; None is unknown, never 0."""

    label: str
    replies: int
    counted: int
    priced: int
    usage: Usage


class UsageSums:
    """Sums outlive deleted conversations: what was spent stays spent. Days are the person's own (`YYYY-MM-DD`)."""

    def __init__(self, lanes: Lanes):
        self._lanes = lanes

    async def add(self, conversation_id: str, message: Message) -> None:
        """Count what a reply took that is kept nowhere; with the messages the rows come by themselves."""
        await self._lanes.write(lambda db: count_usage(db, conversation_id, message))

    async def of_conversation(self, conversation_id: str) -> UsageSum:
        sql = f"SELECT ?, {_SUMS} FROM usage WHERE conversation_id = ?"
        return (await self._all(sql, (conversation_id, conversation_id)))[0]

    async def by_day(self, since: str = "") -> list[UsageSum]:
        """From the day `since` on, oldest first."""
        return await self._all(f"SELECT day, {_SUMS} FROM usage WHERE day >= ? GROUP BY day ORDER BY day", (since,))

    async def by_model(self, since: str = "") -> list[UsageSum]:
        """`label` is `provider/model`; the dearest first, then by name."""
        sql = f"""SELECT coalesce(provider, '?') || '/' || coalesce(model, '?') AS label, {_SUMS} FROM usage
        WHERE day >= ? GROUP BY label ORDER BY sum(cost) DESC NULLS LAST, label"""
        return await self._all(sql, (since,))

    async def _all(self, sql: str, values: tuple[Any, ...]) -> list[UsageSum]:
        def work(db: sqlite3.Connection) -> list[UsageSum]:
            return [_sum(row) for row in db.execute(sql, values)]

        return await self._lanes.read(work)


def count_usage(db: sqlite3.Connection, conversation_id: str, message: Message) -> None:
    """The row of a message that says what it took; none for another."""
    if (usage := message.usage) is None:
        return
    day = datetime.fromtimestamp(message.created_ms / 1000).astimezone().date().isoformat()
    db.execute(
        _INSERT,
        (
            conversation_id,
            message.id,
            day,
            message.provider,
            message.model,
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens,
            usage.cache_write_tokens,
            usage.thinking_tokens,
            usage.cost,
        ),
    )


def _sum(row: tuple[Any, ...]) -> UsageSum:
    label, replies, counted, priced, given, out, cached, written, thought, cost = row
    usage = Usage(
        input_tokens=given,
        output_tokens=out,
        cached_input_tokens=cached,
        cache_write_tokens=written,
        thinking_tokens=thought,
        cost=cost,
    )
    return UsageSum(label=label, replies=replies, counted=counted, priced=priced, usage=usage)
