"""Office files are zip archives of XML: what is checked before any library opens one."""

import io
import zipfile
from collections.abc import Iterable
from xml.parsers import expat

from mcp_servers.worker import MIB, WorkError

MOST_PARTS = 10_000
MOST_BYTES = 400 * MIB
"""How much all parts together may unpack to; real workbooks of 500,000 rows stay under half of it."""

STEEPEST = 400
"""How many bytes one stored byte may unpack to; the XML of real sheets stays under 100."""

SMALL = 2 * MIB
"""A part that unpacks to less than this may be as steep as it likes."""

PROLOGUE = 256 * 1024
"""Within how many bytes an XML part must have come to its first element."""


RESOURCE_FORK = b"\x00\x05\x16\x07"
"""How a Mac's archiver begins what it puts beside each part (RFC 1740); it is no XML, and nobody parses it."""


class _FirstElementError(Exception):
    """Stops the parser where nothing dangerous can follow."""


def opened(data: bytes, name: str) -> zipfile.ZipFile:
    """The archive, once its directory was found to be honest and of a sensible size.

    Raises WorkError that says what is wrong with `name`.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise WorkError(f"{name} is damaged: it is no readable Office file ({error}).") from error
    if len(parts) > MOST_PARTS:
        raise WorkError(f"{name} was refused: it has {len(parts):,} parts, as no real Office file has.")
    _check_sizes(parts, name)
    _check_places(parts, name)
    return archive


def _check_sizes(parts: Iterable[zipfile.ZipInfo], name: str) -> None:
    whole = 0
    for part in parts:
        whole += part.file_size
        if part.flag_bits & 1:
            raise WorkError(f"{name} is protected by a password. Ask the user to save it without one.")
        if part.file_size > SMALL and part.file_size > STEEPEST * max(1, part.compress_size):
            raise WorkError(
                f"{name} was refused: a part of it unpacks to {part.file_size // max(1, part.compress_size):,} "
                "times its size, as in a zip bomb."
            )
    if whole > MOST_BYTES:
        raise WorkError(
            f"{name} was refused: it unpacks to {whole // MIB:,} MiB, more than the {MOST_BYTES // MIB} MiB that are read."
        )


def _check_places(parts: Iterable[zipfile.ZipInfo], name: str) -> None:
    """No two parts may share bytes (the trick of zip bombs without nesting), nor a name."""
    end = -1
    names: set[str] = set()
    for part in sorted(parts, key=lambda each: each.header_offset):
        if part.header_offset < end or part.filename in names:
            raise WorkError(f"{name} was refused: parts of it overlap, as in a zip bomb.")
        names.add(part.filename)
        end = part.header_offset + 30 + part.compress_size


def check_xml(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse document types and entities: Office files have none, bombs and file thieves do."""
    for part in archive.infolist():
        if part.filename.lower().endswith((".xml", ".rels", ".vml")):
            _check_prologue(archive, part, name)


def _check_prologue(archive: zipfile.ZipFile, part: zipfile.ZipInfo, name: str) -> None:
    def refuse(*_: object) -> None:
        raise WorkError(f"{name} was refused: {part.filename} declares XML entities or a document type.")

    def first(*_: object) -> None:
        raise _FirstElementError

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = first
    try:
        with archive.open(part) as file:
            head = file.read(PROLOGUE)
        if head.strip() and not head.startswith(RESOURCE_FORK):
            parser.Parse(head, len(head) < PROLOGUE)
            raise WorkError(f"{name} was refused: {part.filename} has no element in its first {PROLOGUE // 1024} KiB.")
    except _FirstElementError:
        return
    except expat.ExpatError as error:
        if not part.filename.lower().endswith(".vml"):  # old drawings are often no proper XML, and nobody parses them
            raise WorkError(f"{name} is damaged: {part.filename} is no XML ({error}).") from error
    except (zipfile.BadZipFile, OSError, NotImplementedError, EOFError) as error:
        raise WorkError(f"{name} is damaged: {part.filename} cannot be unpacked ({error}).") from error
    except Exception as error:
        if type(error).__module__ == "zlib":
            raise WorkError(f"{name} is damaged: {part.filename} cannot be unpacked ({error}).") from error
        raise
