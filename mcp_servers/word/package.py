"""A Word file between its bytes and python-docx's document, checked before anything is parsed."""

import io
from typing import Any, TypeAlias

from mcp_servers.office_zip import check_xml, opened
from mcp_servers.worker import WorkError

Doc: TypeAlias = Any
"""python-docx's Document: its elements are lxml's, which have no types."""

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}.main+xml"
_MACROS = "application/vnd.ms-word.{}.macroEnabled.main+xml"
KINDS = (_MAIN.format("document"), _MAIN.format("template"), _MACROS.format("document"), _MACROS.format("template"))
NOTES = tuple(
    f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml" for kind in ("footnotes", "endnotes")
)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def loaded(data: bytes, name: str) -> Doc:
    """The document. Raises WorkError in words where the bytes are none, whatever the name says."""
    _check(data, name)
    from docx.opc.exceptions import PackageNotFoundError
    from docx.opc.part import PartFactory, XmlPart
    from docx.package import Package
    from docx.parts.document import DocumentPart

    for kind in KINDS:
        PartFactory.part_type_for[kind] = DocumentPart
    for kind in NOTES:
        PartFactory.part_type_for[kind] = XmlPart  # parsed, so that what is changed in them is kept
    try:
        part: Any = Package.open(io.BytesIO(data)).main_document_part
        document: Any = getattr(part, "document", None)
        if document is not None and document.element.body is not None:
            return document
    except (SyntaxError, PackageNotFoundError, KeyError, ValueError, AttributeError, OSError) as error:
        raise WorkError(
            f"{name} is damaged and cannot be read: {str(error)[:200]}. Ask the user to repair it in Word."
        ) from error
    raise WorkError(f"{name} is no Word document that can be read here. Ask the user to save it as .docx.")


def fresh() -> Doc:
    """An empty document with the usual styles."""
    import datetime as dt

    from docx import Document

    document = Document()
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    told = document.core_properties
    told.author, told.comments, told.title, told.last_modified_by = "LeoChat", "", "", "LeoChat"
    told.created, told.modified, told.revision = now, now, 1
    return document


def element(tag: str) -> Any:
    """A new element, such as `w:num`."""
    import docx.oxml

    oxml: Any = docx.oxml
    return oxml.OxmlElement(tag)


def stored(document: Doc) -> bytes:
    """The document's bytes."""
    held = io.BytesIO()
    document.save(held)
    return held.getvalue()


def _check(data: bytes, name: str) -> None:
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data[: 4 * 1024 * 1024]:
            raise WorkError(f"{name} is protected by a password. Ask the user to save it without one.")
        raise WorkError(f"{name} is in the old format of Word 2003 or before (.doc). Ask the user to save it as .docx.")
    if not data.startswith(b"PK"):
        raise WorkError(f"{name} is not a Word document (.docx): {_what(data)}.")
    archive = opened(data, name)
    parts = {part.lower() for part in archive.namelist()}
    if "mimetype" in parts and "content.xml" in parts:
        raise WorkError(f"{name} is an OpenDocument file. Ask the user to save it as .docx.")
    if "[content_types].xml" not in parts:
        raise WorkError(f"{name} is a zip archive, not a Word document.")
    if any(part.startswith("xl/") for part in parts) and not any(part.startswith("word/") for part in parts):
        raise WorkError(f"{name} is an Excel workbook. Use the excel tools for it.")
    if any(part.startswith("ppt/") for part in parts) and not any(part.startswith("word/") for part in parts):
        raise WorkError(f"{name} is a presentation, not a Word document.")
    check_xml(archive, name)
    if b"purl.oclc.org/ooxml" in _first_bytes(archive):
        raise WorkError(f"{name} is in the rare format Strict Open XML. Ask the user to save it as an ordinary .docx.")


def _first_bytes(archive: Any) -> bytes:
    with archive.open(next(part for part in archive.namelist() if part.lower() == "_rels/.rels")) as file:
        return bytes(file.read(4096))


def _what(data: bytes) -> str:
    head = data[:512].lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if not head:
        return "it is empty"
    if head.startswith(b"{\\rtf"):
        return "it is an RTF text. Ask the user to save it as .docx"
    if head.startswith(b"%pdf"):
        return "it is a PDF"
    if head.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return "it is a web page or XML text that was only named like one"
    return "its first bytes are of another kind of file"
