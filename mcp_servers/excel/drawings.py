"""Edits that put things on a sheet: charts, pictures, comments."""

# ruff: noqa: A002 - the argument names are the tools'

import base64
import io
from typing import Any, Literal, cast

from openpyxl.chart import AreaChart, BarChart, DoughnutChart, LineChart, PieChart, Reference, ScatterChart
from openpyxl.chart import series_factory as _untyped
from openpyxl.comments import Comment
from openpyxl.worksheet.worksheet import Worksheet

from mcp_servers.excel.areas import COLUMNS, Area, cell_of
from mcp_servers.excel.book import Book, Done, cell_at, used_area
from mcp_servers.excel.parts import cell_name
from mcp_servers.worker import WorkError

_series: Any = _untyped
PIXELS = 40_000_000
"""The most pixels of a picture that is put in."""

CHART_COLUMNS = 9
"""Columns of the usual width that a chart of openpyxl's 15 cm covers, and one between."""

WIDEST = 640
"""How wide a picture is shown where no width is given, in pixels."""

Kind = Literal["column", "bar", "line", "area", "pie", "doughnut", "scatter"]


def add_chart(
    book: Book,
    *,
    range: str,
    kind: Kind,
    title: str | None,
    sheet: str | None,
    at: str | None,
    x_title: str | None,
    y_title: str | None,
    stacked: bool,
) -> Done:
    """A chart of a range with headers in its first row and categories (or x values) in its first column."""
    found, area = book.place(sheet, range)
    if area.width < 2 or area.height < 2:
        raise WorkError("A chart needs at least two columns (categories, then values) and a row of headers.")
    chart: Any = _CHARTS[kind]()
    if kind == "bar":
        chart.type = "bar"
    if stacked and kind in ("column", "bar", "area", "line"):
        chart.grouping = "stacked"
        chart.overlap = 100 if kind in ("column", "bar") else None
    _fill(chart, kind, found, area)
    chart.title = title
    if kind not in ("pie", "doughnut"):
        chart.x_axis.title, chart.y_axis.title = x_title, y_title
        chart.x_axis.delete = chart.y_axis.delete = False  # else newer programs draw no axes
    where = cell_name(*cell_of(at)) if at else _beside(found, area)
    found.add_chart(chart, where)
    return Done(f"Put a {kind} chart of {found.title}!{area} at {where}.", found, area)


def _beside(sheet: Worksheet, area: Area) -> str:
    """The first cell right of all that is in the sheet and of its charts, in the row of the data."""
    used = used_area(sheet)
    charts: list[Any] = cast("Any", sheet)._charts  # noqa: SLF001 - there is no other way to ask
    taken = [area.right, used.right if used else 0, *(_right_of(one) for one in charts)]
    return cell_name(area.top, min(max(taken) + 2, COLUMNS))


def _right_of(chart: Any) -> int:
    start = getattr(chart.anchor, "_from", None)
    column = start.col + 1 if start is not None else cell_of(chart.anchor)[1] if isinstance(chart.anchor, str) else 1
    return column + CHART_COLUMNS


_CHARTS: dict[str, Any] = {
    "column": BarChart,
    "bar": BarChart,
    "line": LineChart,
    "area": AreaChart,
    "pie": PieChart,
    "doughnut": DoughnutChart,
    "scatter": ScatterChart,
}


def _fill(chart: Any, kind: str, sheet: Worksheet, area: Area) -> None:
    labels = Reference(sheet, min_col=area.left, min_row=area.top + 1, max_row=area.bottom)
    if kind == "scatter":
        chart.style = 13
        for column in _columns(area.left + 1, area.right):
            values = Reference(sheet, min_col=column, min_row=area.top, max_row=area.bottom)
            series: Any = _series.SeriesFactory(values, labels, title_from_data=True)
            series.marker.symbol = "circle"
            series.graphicalProperties.line.noFill = True
            chart.series.append(series)
        return
    last = area.left + 1 if kind in ("pie", "doughnut") else area.right
    values = Reference(sheet, min_col=area.left + 1, max_col=last, min_row=area.top, max_row=area.bottom)
    chart.add_data(values, titles_from_data=True)
    chart.set_categories(labels)


def _columns(first: int, last: int) -> range:
    return range(first, last + 1)


def add_image(book: Book, *, image: str, at: str, sheet: str | None, width: int | None) -> Done:
    """A picture (its bytes in base64) with its top left corner at a cell; `width` in pixels."""
    from openpyxl.drawing.image import Image
    from PIL import Image as Pictures
    from PIL import UnidentifiedImageError

    data = base64.b64decode(image)
    try:
        with Pictures.open(io.BytesIO(data)) as seen:
            size, kind = seen.size, (seen.format or "").lower()
    except (UnidentifiedImageError, OSError, ValueError, Pictures.DecompressionBombError) as error:
        raise WorkError("This is no picture that can be read. Use a PNG, JPEG or GIF file.") from error
    if kind not in ("png", "jpeg", "gif"):
        raise WorkError(f"Excel files hold PNG, JPEG and GIF pictures, not {kind}.")
    if size[0] * size[1] > PIXELS:
        raise WorkError(f"The picture has {size[0] * size[1]:,} pixels; at most {PIXELS:,} are put in.")
    found, area = book.place(sheet, at)
    picture = Image(io.BytesIO(data))
    shown = width or min(size[0], WIDEST)
    picture.width, picture.height = shown, max(1, round(size[1] * shown / max(1, size[0])))
    where = cell_name(area.top, area.left)
    found.add_image(picture, where)
    return Done(f"Put a picture ({picture.width} x {picture.height} pixels) at {found.title}!{where}.", found, area)


def set_comment(book: Book, *, cell: str, text: str | None, sheet: str | None, author: str) -> Done:
    """A comment at a cell in place of the one that is there; without text it is taken away."""
    found, area = book.place(sheet, cell)
    target = cell_at(found, area.top, area.left)
    spot = Area(area.top, area.left, area.top, area.left)
    if not text:
        target.comment = None
        return Done(f"Took the comment at {found.title}!{target.coordinate} away.", found, spot)
    target.comment = Comment(text[:32_000], author, width=260, height=max(60, 18 * (text.count("\n") + len(text) // 35 + 2)))
    return Done(f"Put a comment at {found.title}!{target.coordinate}.", found, spot)
