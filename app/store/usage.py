"""Tokens and cost, summed: by conversation, by day, by model. Rows are written with the messages they belong to."""

import sqlite3
from typing import Any

from app.core.frozen import Frozen
from app.core.messages import Usage
from app.store.lanes import Lanes

_SUMS = """count(*), count(input_tokens), count(cost), sum(input_tokens), sum(output_tokens), sum(cached_input_tokens),
sum(cache_write_tokens), sum(thinking_tokens), sum(cost)"""


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
