"""Sparklines, which openpyxl drops when it writes: taken from the old sheets and put into the new ones as they were."""

import io
import re
import zipfile
from xml.etree import ElementTree as ET

from mcp_servers.excel.parts import Parts

WORDS = "sparklines"
_EXTENSION = re.compile(rb"<(?:\w+:)?ext\b[^>]*>\s*(<x14:sparklineGroups\b.*?</x14:sparklineGroups>)", re.DOTALL)
_DECLARED = re.compile(rb"""\bxmlns:(\w+)=("[^"]*"|'[^']*')""")
_PREFIX = re.compile(rb"[<\s/](\w+):\w")
_ROOT = re.compile(rb"<(?:\w+:)?worksheet\b[^>]*>")
_END = b"</worksheet>"
_KIND = b"{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"
"""The uri of the extension, [MS-XLSX] 2.2.4.5."""


def kept(old: Parts, made: bytes) -> bytes | None:
    """`made`, a workbook that was written anew, with the sparklines of `old` in its sheets of the same names.

    None where one of them cannot be put back. To be used only where no cell has moved and no sheet has another name.
    """
    found = {sheet.name: old.bytes_of(sheet.part) for sheet in old.sheets}
    groups = {name: group for name, text in found.items() if (group := _extension(text)) is not None}
    if any(b"<x14:sparklineGroup " in text and name not in groups for name, text in found.items()):
        return None
    if not groups:
        return made
    new = Parts(made, old.name)
    changed: dict[str, bytes] = {}
    for name, group in groups.items():
        part = new.part_of(name)
        text = new.bytes_of(part)
        if not text.rstrip().endswith(_END) or b"<extLst" in text:
            return None
        at = text.rindex(_END)
        changed[part] = text[:at] + group + text[at:]
    return _rewritten(new.archive, changed)


def _extension(text: bytes) -> bytes | None:
    """The list of extensions with the sheet's sparklines in it, and what declares its prefixes; None without, or if unusual."""
    match, root = _EXTENSION.search(text), _ROOT.search(text)
    if match is None or root is None:
        return None
    inner = match.group(1)
    around = dict(_DECLARED.findall(root.group())) | dict(_DECLARED.findall(text[match.start() : match.start(1)]))
    own = dict(_DECLARED.findall(inner))
    wanted = sorted({prefix for prefix in _PREFIX.findall(inner) if prefix in around and prefix not in own} | {b"x14"})
    declared = b"".join(b" xmlns:%s=%s" % (prefix, around[prefix]) for prefix in wanted if prefix in around)
    made = b'<ext%s uri="%s">%s</ext>' % (declared, _KIND, inner)
    try:
        ET.fromstring(made)  # noqa: S314 - entities were refused before
    except ET.ParseError:
        return None
    return b"<extLst>%s</extLst>" % made


def _rewritten(archive: zipfile.ZipFile, changed: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for part in archive.infolist():
            target.writestr(part, changed.get(part.filename) or archive.read(part), zipfile.ZIP_DEFLATED)
    return made.getvalue()
