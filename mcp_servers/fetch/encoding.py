"""From a body's bytes to its text: byte order mark, header, the document's own word, detection."""

import codecs
import re

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""The marks of the Encoding Standard, and UTF-32's, one of which begins like UTF-16's. A mark wins over the header: nothing
else begins with these bytes."""

NO_PAGES = frozenset(("utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"))
"""What Python can decode and no browser takes for the encoding of a page: they can hide text from whoever looks first."""

SAMPLE = 64 * 1024
HEAD = 4096
"""Where a document's own declaration is looked for; the HTML standard asks for 1,024 bytes, pages are worse."""

MEANT = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "gb_2312-80": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "sjis": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "korean": "cp949",
    "big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
}
"""What pages mean by a label, as browsers read it (https://encoding.spec.whatwg.org/#names-and-labels)."""

_META = re.compile(rb"""<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_TAGS = re.compile(rb"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)


def decoded(body: bytes, charset: str | None) -> str:
    """The text, whatever its encoding; `charset` is the header's word. Never fails.

    A declaration that the bytes contradict is passed over, so that a wrong header does not spoil a
    page that says it right itself.
    """
    for mark, name in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    for name in (charset, _own_word(body)):
        if (text := _plausible(body, name)) is not None:
            return text
    if (text := _plausible(body, "utf-8")) is not None:
        return text
    return body.decode(_detected(body) or _codec(charset) or "utf-8", "replace")


def declared(body: bytes, charset: str | None) -> str | None:
    """The text where header or UTF-8 say it, without the work of a detection; else None."""
    if any(body.startswith(mark) for mark, _ in MARKS):
        return decoded(body, charset)
    return _plausible(body, charset) if charset else _plausible(body, "utf-8")


def _own_word(body: bytes) -> str | None:
    head = body[:HEAD]
    found = _META.search(head) or _XML.search(head)
    word = found.group(1).decode("ascii", "replace") if found else None
    # A declaration that could be read as ASCII is not UTF-16, whatever it says.
    return "utf-8" if word and word.lower().startswith("utf-16") else word


def _codec(label: str | None) -> str | None:
    """Python's name of a label; None where nobody knows it, or it is no encoding of text."""
    if not label:
        return None
    name = label.strip().lower()
    try:
        found = codecs.lookup(MEANT.get(name, name))
        "".encode(found.name)
    except (LookupError, ValueError):
        return None
    return None if found.name.replace("_", "-") in NO_PAGES or found.name in NO_PAGES else found.name


def _plausible(body: bytes, label: str | None) -> str | None:
    name = _codec(label)
    if name is None:
        return None
    try:
        return body.decode(name)
    except UnicodeDecodeError:
        text = body.decode(name, "replace")
    strange = sum(1 for character in text if character > "\x7f")
    return text if text.count("\ufffd") <= max(1, strange * 0.05) else None


def _detected(body: bytes) -> str | None:
    from charset_normalizer import from_bytes

    sample = _TAGS.sub(b" ", body[: 4 * SAMPLE])[:SAMPLE]
    best = from_bytes(sample).best()
    return _codec(best.encoding) if best else None
