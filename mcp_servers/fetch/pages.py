"""A page as it is answered: what kind it is, its text and tables, kept for a while so that paging is steady."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mcp_servers.fetch.encoding import declared
from mcp_servers.fetch.web import Download, Web, WebError
from mcp_servers.worker import Limits, Progress, WorkError, work

KEPT_SECONDS = 300.0
KEPT_PAGES = 16
KEPT_BYTES = 8 * 1024 * 1024
"""Larger texts are downloaded again for each part of them."""

LIMITS = Limits(seconds=45.0)
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
LARGEST_PICTURE = 4 * 1024 * 1024

_HTML = ("text/html", "application/xhtml+xml")
_TEXT = re.compile(
    r"(^application/|[/+.-])(json|xml|javascript|ecmascript|yaml|toml|csv|sh|sql|graphql|x-www-form-urlencoded|ndjson|jsonl|json5|typescript)\b"
)
"""By whole words: "openxmlformats" is no XML to read."""
_STARTS = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)
_PACKED = (b"PK\x03\x04", b"\x1f\x8b\x08", b"\x7fELF", b"MZ\x90\x00", b"\xd0\xcf\x11\xe0")
"""How archives, programs and old Office files begin, whatever a site calls them."""

_NAMES = {
    "application/zip": "a zip archive or Office file",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel workbook",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "a Word document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "a PowerPoint presentation",
}

Table = list[list[str]]


@dataclass(frozen=True)
class Page:
    """What is at a URL: text with its tables, or a picture. `note` says what the reader should know."""

    url: str
    media_type: str
    title: str = ""
    text: str = ""
    tables: list[Table] = field(default_factory=list[Table])
    picture: str | None = None
    note: str = ""


class Pages:
    """Pages of one `Web`. Raises WebError."""

    def __init__(self, web: Web, clock: Callable[[], float] = time.monotonic) -> None:
        self._web = web
        self._clock = clock
        self._kept: dict[tuple[str, bool], tuple[float, Page]] = {}

    async def get(self, url: str, *, raw: bool = False, again: bool = True, progress: Progress | None = None) -> Page:
        """The page; with `again` it is downloaded anew, else a copy of the last minutes will do."""
        kept = self._kept.get((url, raw))
        if not again and kept and self._clock() - kept[0] < KEPT_SECONDS:
            return kept[1]
        page = await self._read(await self._web.get(url), raw, progress)
        self._kept.pop((url, raw), None)
        if len(page.text) < KEPT_BYTES and page.picture is None:
            while len(self._kept) >= KEPT_PAGES:
                del self._kept[next(iter(self._kept))]
            self._kept[url, raw] = (self._clock(), page)
        return page

    async def _read(self, came: Download, raw: bool, progress: Progress | None) -> Page:
        if came.status >= 400:
            raise WebError(await self._failure(came))
        kind = kind_of(came)
        note = "" if came.whole else f"only the first {len(came.body):,} bytes were read, the rest is over the limit"
        if kind == "application/pdf":
            return self._page(came, kind, note, await self._work("read_pdf", came, progress))
        if kind in _HTML and not raw and not _binary(came.body):
            return self._page(came, kind, note, await self._work("read_html", came))
        if kind in PICTURES and came.whole and len(came.body) <= LARGEST_PICTURE:
            return Page(came.url, kind, picture=base64.b64encode(came.body).decode("ascii"))
        if not is_text(kind, came.body) or (kind in _HTML and _binary(came.body)):
            raise WebError(
                f"{came.url} is {_NAMES.get(kind, 'a file of type ' + (kind or 'unknown'))} of {_size(came)}, not a text that "
                "can be read here. The user can download it in a browser."
            )
        text = declared(came.body, came.charset)
        found = {"text": text} if text is not None else await self._work("read_text", came)
        return self._page(came, kind, note, found)

    def _page(self, came: Download, kind: str, note: str, found: dict[str, Any]) -> Page:
        return Page(came.url, kind, found.get("title", ""), found["text"], found.get("tables", []), note=note)

    async def _work(self, task: str, came: Download, progress: Progress | None = None) -> dict[str, Any]:
        if task == "read_pdf" and not came.whole:
            raise WebError(f"This PDF is larger than {len(came.body) // 1024**2} MiB, more than is read. Nothing was read.")
        request = {"body": base64.b64encode(came.body).decode("ascii"), "charset": came.charset, "url": came.url}
        try:
            return await work(f"mcp_servers.fetch.reading:{task}", request, LIMITS, progress)
        except WorkError as error:
            raise WebError(f"{came.url} came, but: {error}") from error

    async def _failure(self, came: Download) -> str:
        words = f"{came.url} answered with status {came.status}"
        meaning = _STATUS.get(came.status) or ("The site has a problem; try again later." if came.status >= 500 else "")
        said = ""
        if kind_of(came) in _HTML:
            said = " ".join(str((await self._work("read_html", came))["text"]).split())
        elif is_text(kind_of(came), came.body):
            said = " ".join((declared(came.body, came.charset) or "").split())
        return f"{words}. {meaning}" + (f" The site says: {said[:300]}" if said else "")


_STATUS = {
    401: "It needs a login, which is not possible here.",
    403: "The site does not let programs read it, or it needs a login.",
    404: "There is no such page: check the address.",
    410: "The page is gone for good.",
    429: "The site asks to wait before the next request.",
}


def kind_of(came: Download) -> str:
    """The media type: as it was said, but for bytes that plainly are something else or are not said at all."""
    for start, kind in _STARTS:
        if came.body.startswith(start) and (kind == "application/pdf" or came.media_type in ("", "application/octet-stream")):
            return kind
    if came.media_type in ("", "application/octet-stream"):
        head = came.body[:1024].lstrip().lower()
        return "text/html" if head.startswith((b"<!doctype html", b"<html")) else came.media_type
    return came.media_type


def is_text(kind: str, body: bytes) -> bool:
    """Whether a body is text to read."""
    if body.startswith(_PACKED):
        return False
    if kind.startswith("text/") or _TEXT.search(kind):
        return True
    if kind not in ("", "application/octet-stream"):
        return False
    return b"\0" not in body[:4096] and sum(byte < 9 for byte in body[:4096]) == 0


def _binary(body: bytes) -> bool:
    """Whether a page is none: packed, or with more NULs than a slip explains and no UTF-16 or UTF-32 by its mark."""
    if body.startswith(_PACKED):
        return True
    marked = body.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    return not marked and body[:65536].count(0) > len(body[:65536]) // 20


def _size(came: Download) -> str:
    size = f"{len(came.body):,} bytes"
    return size if came.whole else f"more than {size}"
