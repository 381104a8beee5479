"""From a download to its text and tables; runs in a killable child, since nobody has vetted what came."""

import base64
import importlib
import io
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from mcp_servers.fetch.encoding import decoded
from mcp_servers.worker import WorkError

if TYPE_CHECKING:
    from html_to_markdown.options import ConversionOptions

DEPTH = 400
"""How deeply nested elements are followed; real pages stay under 100."""

MAIN_CHARACTERS = 250
"""A `main` or `article` with less text than this is not taken for the page's content."""

NOISE = [
    "nav",
    "footer",
    "aside",
    "[role=navigation]",
    "[role=banner]",
    "[role=contentinfo]",
    "[role=search]",
    "[aria-hidden=true]",
]
MAX_PAGES = 2000
MAX_TABLES = 200
MAX_CELLS = 200_000

Tell = Callable[[float, float | None, str], None]


def read_html(request: dict[str, Any]) -> dict[str, Any]:
    """Title, Markdown and tables of `{body: base64, charset, url}`."""
    text = decoded(base64.b64decode(request["body"]), request["charset"])
    from html_to_markdown import convert

    page = _parsed(text)
    url = _base(page, request["url"])
    main = _main(page)
    made = convert(text if main is None else main, _options(url, whole=main is None))
    return {
        "title": _title(page),
        "text": _tidy(made.content or ""),
        "tables": [_rows(table.grid.cells) for table in (made.tables or [])[:MAX_TABLES]],
    }


def read_text(request: dict[str, Any]) -> dict[str, Any]:
    """The decoded text of `{body: base64, charset}`."""
    return {"text": decoded(base64.b64decode(request["body"]), request["charset"])}


def read_pdf(request: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """Title and text of the PDF `{body: base64}`, with each page's number. Raises WorkError."""
    title, count, texts = pdf_pages(base64.b64decode(request["body"]), tell)
    pages = [f"[Page {number} of {count}]\n\n{text}" for number, text in enumerate(texts, start=1)]
    return {"title": title, "text": "\n\n".join(pages), "tables": []}


def pdf_pages(body: bytes, tell: Tell) -> tuple[str, int, list[str]]:
    """Title, how many pages there are, and the text of each, at most of `MAX_PAGES`.

    Raises WorkError where it is locked or damaged, or has no text at all.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise WorkError("This PDF is protected by a password, so it cannot be read.")
        count = len(reader.pages)
        texts: list[str] = []
        for number in range(min(count, MAX_PAGES)):
            tell(number + 1, count, "pages read")
            texts.append(_page_text(reader, number))
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError) as error:
        raise WorkError(f"This PDF is damaged and cannot be read: {str(error)[:200] or type(error).__name__}.") from error
    if not any(texts):
        raise WorkError(f"This PDF has {count} pages without any text: they are pictures, probably a scan.")
    return title, count, texts


def _page_text(reader: Any, number: int) -> str:
    """One page; a broken one does not spoil the rest."""
    try:
        return str(reader.pages[number].extract_text()).strip()
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        return f"[this page cannot be read: {str(error)[:100] or type(error).__name__}]"


def _lxml_html() -> Any:
    """The module, which has no types."""
    return importlib.import_module("lxml.html")


def _parsed(text: str) -> Any:
    html = _lxml_html()
    plain = re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1).replace("\0", "")
    try:
        parser = html.HTMLParser(encoding="utf-8", huge_tree=False)
        return html.document_fromstring(plain.encode("utf-8", "replace"), parser=parser)
    except (html.etree.LxmlError, ValueError):  # nothing in it, or nothing that is HTML
        return None


def _main(page: Any) -> str | None:
    """The source of the one element that holds the page's content; None: take the whole page."""
    if page is None:
        return None
    for path in ("//main|//*[@role='main']", "//article"):
        found = [one for one in page.xpath(path) if not any(parent.tag == one.tag for parent in one.iterancestors())]
        if len(found) == 1 and len(" ".join(found[0].text_content().split())) >= MAIN_CHARACTERS:
            return str(_lxml_html().tostring(found[0], encoding="unicode", with_tail=False))
    return None


def _title(page: Any) -> str:
    if page is None:
        return ""
    for path in ("//head/title", "//meta[@property='og:title']/@content", "//h1"):
        for one in page.xpath(path):
            words = " ".join((one if isinstance(one, str) else one.text_content()).split())
            if words:
                return words[:300]
    return ""


def _base(page: Any, url: str) -> str:
    """Where relative links start: the page's `base`, else its own address."""
    found: list[Any] = page.xpath("//base/@href") if page is not None else []
    return urljoin(url, str(found[0])) if found else url


def _options(url: str, *, whole: bool) -> "ConversionOptions":
    from html_to_markdown import ConversionOptions, PreprocessingOptions

    return ConversionOptions(
        bullets="-",
        base_url=url,
        extract_metadata=False,
        include_document_structure=True,  # without it there are no tables
        inline_data_media="alt_text_only",
        max_depth=DEPTH,
        preprocessing=PreprocessingOptions(enabled=True, remove_navigation=whole, remove_forms=True),
        exclude_selectors=NOISE if whole else ["nav"],
    )


def _tidy(text: str) -> str:
    """No more than one empty line in a row, in code too, and none at the ends."""
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _rows(cells: Iterable[Any]) -> list[list[str]]:
    """The cells of one table as rows of text; a cell that spans others is repeated in them."""
    taken: dict[tuple[int, int], str] = {}
    for cell in cells:
        column = 0
        while (cell.row, column) in taken:
            column += 1
        words = " ".join(str(cell.content).replace("\\|", "|").split())
        for row in range(cell.row, cell.row + max(1, min(cell.row_span, 1000))):
            for across in range(column, column + max(1, min(cell.col_span, 100))):
                taken[row, across] = words
        if len(taken) > MAX_CELLS:
            break
    height = 1 + max((row for row, _ in taken), default=-1)
    width = 1 + max((column for _, column in taken), default=-1)
    return [[taken.get((row, column), "") for column in range(width)] for row in range(height)]
