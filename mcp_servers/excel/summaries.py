"""Sums, counts and averages of a table by groups, as a pivot table gives them."""

# ruff: noqa: A002 - the argument names are the tools'

import statistics
from collections.abc import Callable, Sequence
from typing import Any, Literal

from mcp_servers.excel.sources import Source
from mcp_servers.excel.values import shown
from mcp_servers.worker import WorkError

How = Literal["sum", "count", "average", "min", "max", "median", "distinct"]
MOST_GROUPS = 5_000
MOST_COLUMNS = 200
_EMPTY = "(empty)"


def _numbers(values: Sequence[Any]) -> list[float]:
    return [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]


def _of_numbers(how: Callable[[list[float]], float]) -> Callable[[Sequence[Any]], Any]:
    def found(values: Sequence[Any]) -> Any:
        numbers = _numbers(values)
        return shown(float(round(how(numbers), 10))) if numbers else None

    return found


HOWS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": _of_numbers(sum),
    "average": _of_numbers(statistics.fmean),
    "median": _of_numbers(statistics.median),
    "min": lambda values: min(_numbers(values), default=None),
    "max": lambda values: max(_numbers(values), default=None),
    "count": len,
    "distinct": lambda values: len({str(value) for value in values}),
}


def summary(
    source: Source,
    *,
    sheet: str | None,
    range: str | None,
    group_by: list[str],
    values: dict[str, How],
    across: str | None,
    where: dict[str, Any] | None,
) -> list[list[Any]]:
    """A row of headers, a row for each group in order, and a last row of totals.

    `across` makes a column of each of its values, for the first of `values`.
    """
    headers, rows = _table(source, sheet, range)
    keys = [_index(headers, name) for name in group_by]
    wanted = [(_index(headers, name), how) for name, how in values.items()] or [(keys[0] if keys else 0, "count")]
    kept = [row for row in rows if _fits(row, headers, where or {})]
    if across:
        return _crossed(headers, kept, keys, wanted[0], _index(headers, across))
    groups = _grouped(kept, keys)
    titles = [headers[key] for key in keys] + [f"{how} of {headers[column]}" for column, how in wanted]
    lines = [[*key, *(_found(members, column, how) for column, how in wanted)] for key, members in groups]
    total = ["Total", *[None] * (len(keys) - 1)] if keys else []
    return [titles, *(lines if keys else []), [*total, *(_found(kept, column, how) for column, how in wanted)]]


def _crossed(
    headers: list[str], rows: list[list[Any]], keys: list[int], wanted: tuple[int, str], across: int
) -> list[list[Any]]:
    column, how = wanted
    columns = sorted({_key(row[across]) for row in rows}, key=_order)
    if len(columns) > MOST_COLUMNS:
        raise WorkError(f"{headers[across]} has {len(columns):,} different values, too many for columns.")
    lines: list[list[Any]] = []
    for key, members in _grouped(rows, keys):
        cells = [_found([row for row in members if _key(row[across]) == one], column, how) for one in columns]
        lines.append([*key, *cells, _found(members, column, how)])
    totals = [_found([row for row in rows if _key(row[across]) == one], column, how) for one in columns]
    head = [headers[key] for key in keys]
    total = ["Total", *[None] * (len(keys) - 1)] if keys else []
    body = lines if keys else []
    return [[*head, *columns, f"{how} of {headers[column]}"], *body, [*total, *totals, _found(rows, column, how)]]


def _table(source: Source, sheet: str | None, text: str | None) -> tuple[list[str], list[list[Any]]]:
    name, area = source.asked(sheet, text)
    cells = [[shown(value) for value in row] for row in source.grid(name).cells(area)]
    if len(cells) < 2:
        raise WorkError(f"{name}!{area} has no rows below its headers.")
    headers = ["" if value is None else str(value).strip() for value in cells[0]]
    return headers, [row for row in cells[1:] if any(value is not None for value in row)]


def _index(headers: list[str], name: str) -> int:
    for index, header in enumerate(headers):
        if header.casefold() == name.strip().casefold():
            return index
    raise WorkError(f"There is no column {name!r}. The headers: {', '.join(filter(None, headers))}.")


def _fits(row: list[Any], headers: list[str], where: dict[str, Any]) -> bool:
    return all(str(_key(row[_index(headers, name)])).casefold() == str(value).casefold() for name, value in where.items())


def _grouped(rows: list[list[Any]], keys: list[int]) -> list[tuple[tuple[Any, ...], list[list[Any]]]]:
    groups: dict[tuple[Any, ...], list[list[Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(_key(row[key]) for key in keys), []).append(row)
    if len(groups) > MOST_GROUPS:
        raise WorkError(f"There would be {len(groups):,} groups; at most {MOST_GROUPS:,} are made. Group by something coarser.")
    return sorted(groups.items(), key=lambda group: [_order(key) for key in group[0]])


def _key(value: Any) -> Any:
    return _EMPTY if value is None else value


def _order(key: Any) -> tuple[int, float, str]:
    number = isinstance(key, int | float)
    return (0, float(key), "") if number else (1, 0.0, str(key))


def _found(rows: list[list[Any]], column: int, how: str) -> Any:
    return HOWS[how]([row[column] for row in rows if row[column] is not None])


def summarize(source: Source, **options: Any) -> dict[str, Any]:
    """The summary as text and data."""
    rows = summary(source, **options)
    lines = ["\t".join("" if value is None else str(value) for value in row) for row in rows]
    return {"text": "\n".join(lines), "data": {"rows": rows}}
