"""A knowledge server over folders of a test, and the files that are put into them."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from mcp_servers.knowledge import create
from mcp_servers.knowledge.indexer import Pace
from tests.mcp_servers.calls import Tools, text_of, tools_of

LAWS = Path(__file__).parent / "laws"
OWN_NAMES = {"park.txt": "公園条例.txt", "library.txt": "图书馆规定.txt"}
"""What people would call them; a checkout has plain names, which every tool can take."""
QUICK = Pace(first=0.0, tick=0.05, between=0.1, share=1.0)
PATIENCE = 50.0


def laws(folder: Path) -> Path:
    """Four small bodies of law, in Spanish, English, Chinese and Japanese."""
    made = Path(shutil.copytree(LAWS, folder / "laws"))
    for name, own in OWN_NAMES.items():
        (made / name).rename(made / own)
    return made


class Ground(Tools):
    """The tools over one index, with waits for what the background work should come to."""

    async def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer."""
        result = await self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        return result.structured_content

    async def found(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        """The passages of a search."""
        return (await self.data("search_knowledge", query=query, **arguments))["passages"]

    async def ready(self) -> dict[str, Any]:
        """Until every folder was looked through and nothing waits; the status then."""
        return await self.until(lambda status: all(one["state"] in ("ready", "missing") for one in status["folders"]))

    async def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first status that fits."""
        end = time.monotonic() + PATIENCE
        while True:
            status = await self.data("index_status")
            if status["folders"] and fits(status):
                return status
            assert time.monotonic() < end, status
            await anyio.sleep(0.05)

    async def until_found(self, query: str, where: str) -> dict[str, Any]:
        """The first passage for a query, once it is one of the file whose path ends like that."""
        end = time.monotonic() + PATIENCE
        while True:
            hits = await self.found(query)
            if hits and hits[0]["path"].endswith(where):
                return hits[0]
            assert time.monotonic() < end, hits
            await anyio.sleep(0.05)

    async def until_nothing(self, query: str) -> None:
        """Until a search finds nothing any more."""
        end = time.monotonic() + PATIENCE
        while await self.found(query):
            assert time.monotonic() < end
            await anyio.sleep(0.05)


def config(home: Path, *folders: Path, **more: Any) -> dict[str, Any]:
    return {"data_dir": str(home / "data"), "folders": [str(one) for one in folders], "language": "en", "pace": QUICK, **more}


@asynccontextmanager
async def knowledge(home: Path, *folders: Path, **more: Any) -> AsyncGenerator[Ground]:
    """The server in process, indexing these folders."""
    async with tools_of(create(config(home, *folders, **more))) as tools:
        yield Ground(tools.client)


def files(folder: Path, texts: Mapping[str, str | bytes]) -> Path:
    """Files by name, with "/" for folders in between."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return folder


def pdf(*pages: str, password: str | None = None) -> bytes:
    """A PDF with one line on each page."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for words in pages:
        page = writer.add_blank_page(width=600, height=200)
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})})
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 100 Td ({words}) Tj ET".encode("latin-1") if words else b"")
        page[NameObject("/Contents")] = writer._add_object(stream)  # pyright: ignore[reportPrivateUsage]
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()


def docx(*blocks: tuple[int, str]) -> bytes:
    """A Word document of headings (level 1 and more) and paragraphs (0)."""
    from docx import Document

    document = Document()
    for level, words in blocks:
        if level:
            document.add_heading(words, level)
        else:
            document.add_paragraph(words)
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def xlsx(**sheets: list[list[Any]]) -> bytes:
    """A workbook of sheets by name."""
    from openpyxl import Workbook

    book = Workbook()
    del book["Sheet"]
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()
