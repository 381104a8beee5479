"""What a file really is, by its first bytes and parts and not by its name."""

import re
import zipfile
from pathlib import PurePath
from typing import Literal

from mcp_servers.office_zip import check_xml, opened
from mcp_servers.worker import WorkError

Kind = Literal["xlsx", "xlsm", "xlsb", "xls", "ods", "csv"]

WRITABLE = ("xlsx", "xlsm", "csv")
"""The kinds that can be changed; the others are read and converted."""

TEXT_ENDINGS = (".csv", ".tsv", ".tab", ".txt")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_BIFF = (b"\x09\x00", b"\x09\x02", b"\x09\x04", b"\x09\x08")
_MARKUP = re.compile(rb"\s*(<!doctype html|<html|<table|<head|<meta|<style|<div)", re.IGNORECASE)


def kind_of(data: bytes, name: str) -> Kind:
    """The file's kind; WorkError in words where it is no spreadsheet, whatever its name says."""
    if data.startswith(b"PK"):
        return _kind_of_zip(data, name)
    if data.startswith(_OLE):
        return _kind_of_ole(data, name)
    if not data.strip(b"\0 \r\n\t"):
        if name.lower().endswith(TEXT_ENDINGS):
            return "csv"
        raise WorkError(f"{name} is empty: it has no workbook in it. Write to it to make one.")
    return _kind_of_text(data, name)


def _kind_of_zip(data: bytes, name: str) -> Kind:
    archive = opened(data, name)
    parts = {part.lower(): part for part in archive.namelist()}
    if "xl/workbook.bin" in parts:
        return "xlsb"
    if "mimetype" in parts and "content.xml" in parts:
        return _kind_of_open_document(archive, parts["mimetype"], name)
    if "[content_types].xml" not in parts:
        raise WorkError(f"{name} is a zip archive, not a workbook. Ask the user to unpack it first.")
    if any(part.startswith("word/") for part in parts):
        raise WorkError(f"{name} is a Word document. Use the word tools for it.")
    if any(part.startswith("ppt/") for part in parts):
        raise WorkError(f"{name} is a presentation, not a workbook.")
    check_xml(archive, name)
    types = archive.read(parts["[content_types].xml"])
    if b"spreadsheetml" not in types and b"ms-excel" not in types:
        raise WorkError(f"{name} is an Office file, but no workbook.")
    return "xlsm" if b"macroEnabled" in types else "xlsx"


def _kind_of_open_document(archive: zipfile.ZipFile, part: str, name: str) -> Kind:
    what = archive.read(part)[:200]
    if b"opendocument.spreadsheet" not in what:
        raise WorkError(f"{name} is an OpenDocument file, but no spreadsheet.")
    check_xml(archive, name)
    return "ods"


def _kind_of_ole(data: bytes, name: str) -> Kind:
    head = data[: 4 * 1024 * 1024]
    if _wide("EncryptedPackage") in head:
        raise WorkError(f"{name} is protected by a password. Ask the user to save it without one.")
    if _wide("Workbook") in head or _wide("Book") in head:
        return "xls"
    raise WorkError(f"{name} is an old Office file (Word, PowerPoint or Outlook), not a workbook.")


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")


def _kind_of_text(data: bytes, name: str) -> Kind:
    head = data[:4096]
    if _MARKUP.match(head.lstrip(b"\xef\xbb\xbf")):
        raise WorkError(
            f"{name} is a web page that was only named like a workbook, as many sites export it. Read it as text, "
            "or ask the user to open it in Excel and save it as .xlsx."
        )
    if b"urn:schemas-microsoft-com:office:spreadsheet" in head:
        raise WorkError(f"{name} is in the XML format of Excel 2003. Ask the user to open it and save it as .xlsx.")
    if b"<office:document" in head:
        raise WorkError(f"{name} is a flat OpenDocument file. Ask the user to save it as .ods or .xlsx.")
    if head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<?xml"):
        raise WorkError(f"{name} is XML, not a table. Read it as text.")
    if head.startswith(b"%PDF"):
        raise WorkError(f"{name} is a PDF, not a workbook.")
    if head.startswith(_OLD_BIFF) and not name.lower().endswith(TEXT_ENDINGS):
        raise WorkError(f"{name} is from Excel 4 or older. Ask the user to open it and save it as .xlsx.")
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) and not _alternating(head):
        if name.lower().endswith(TEXT_ENDINGS):
            raise WorkError(
                f"{name} has zero bytes in it, as no text has: it is damaged, or of another kind than its name says."
            )
        raise WorkError(f"{name} is no workbook and no text: {PurePath(name).suffix or 'its kind'} is not known here.")
    return "csv"


def _alternating(head: bytes) -> bool:
    """UTF-16 without a mark has its zeros at every second place."""
    return head[1::2].count(0) > len(head) // 3 or head[::2].count(0) > len(head) // 3
