"""Text in any encoding: by mark, header, the document's own word, detection."""

import pytest

from mcp_servers.fetch.encoding import decoded

RUSSIAN = (
    "<html><head><title>Новости</title></head><body><p>Сегодня в Москве прошёл сильный дождь, и многие жители города "
    "опоздали на работу. Завтра обещают солнечную погоду без осадков.</p></body></html>"
)
JAPANESE = "<html><head><meta charset=Shift_JIS></head><body>日本語のページです。①髙</body></html>"
XML = "<?xml version='1.0' encoding='windows-1251'?><a>Привет</a>"
KOREAN = '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">한국어'


@pytest.mark.parametrize(
    ("body", "charset", "expected"),
    [
        ("注文は東京へ".encode("gbk"), "gbk", "注文は東京へ"),
        (JAPANESE.encode("cp932"), None, JAPANESE),
        (JAPANESE.encode("cp932"), "utf-8", JAPANESE),
        (RUSSIAN.encode("cp1251"), None, RUSSIAN),
        ("naïve café".encode(), None, "naïve café"),
        ("naïve café".encode("utf-8-sig"), "iso-8859-1", "naïve café"),
        ("naïve".encode("utf-16"), None, "naïve"),
        ("naïve".encode("utf-32"), None, "naïve"),
        (b"<p>+ADw-b+AD4- a.xn--4ca", "utf-7", "<p>+ADw-b+AD4- a.xn--4ca"),
        (b"a.xn--4ca.\xff\xfe" * 3, "idna", "a.xn--4ca.ÿþ" * 3),
        (b"\xfe\xff" + "naïve".encode("utf-16-be"), "utf-8", "naïve"),
        ("“quotes” cost 5 €".encode("cp1252"), "iso-8859-1", "“quotes” cost 5 €"),
        ("naïve café".encode(), "no-such-charset", "naïve café"),
        ("naïve café".encode(), "base64", "naïve café"),
        (XML.encode("cp1251"), None, XML),
        (KOREAN.encode("cp949"), None, KOREAN),
        ("<meta charset=utf-16><p>ñ".encode(), None, "<meta charset=utf-16><p>ñ"),
        ("good é text, é and é again".encode() + b"\xff", "utf-8", "good é text, é and é again\ufffd"),
        (b"", "utf-8", ""),
    ],
)  # fmt: skip
def test_each_is_read_as_it_was_meant(body: bytes, charset: str | None, expected: str) -> None:
    assert decoded(body, charset) == expected
