"""What was used: tokens and cost by day and by model, as the settings show them."""

from datetime import datetime, timedelta

from app.chat.facts import UsageReport, UsageRow
from app.providers.prices import AS_OF
from app.store import Store


async def usage_report(store: Store, days: int) -> UsageReport:
    """Tokens and cost of the last `days` days, today included; days newest first."""
    since = (datetime.now().astimezone() - timedelta(days=days - 1)).strftime("%Y-%m-%d")
    by_day, by_model = await store.usage.by_day(since), await store.usage.by_model(since)
    rows = [tuple(UsageRow.model_validate(s.model_dump(exclude={"counted"})) for s in sums) for sums in (by_day, by_model)]
    return UsageReport(days=rows[0][::-1], models=rows[1], prices_as_of=AS_OF)
