"""Tables in text files: read as they were meant, changed without harm to what was there."""

import io
from typing import Any

import pytest

from mcp_servers.excel import cells, reading, summaries
from mcp_servers.excel.book import Book
from mcp_servers.excel.encodings import decoded
from mcp_servers.excel.sources import Source
from mcp_servers.worker import WorkError

SPANISH = "nombre;ciudad\r\nÑu;Málaga\r\nJosé;Cádiz\r\n¿Quién?;León\r\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", SPANISH),
        ("mac_roman", SPANISH),
        ("cp850", SPANISH),
        ("cp1252", "Straße;Größe\nMüller;weiß\n"),
        ("cp1252", "élève;ville;naissance\nHélène;Orléans;«août 1990»\nFrançois;là-bas, l’été;mars\n"),
        ("utf-32", SPANISH),
        ("utf-16", SPANISH),
        ("gbk", "姓名,年龄,城市\n张三,31,北京市海淀区\n李四,40,上海市浦东新区\n"),
        ("cp932", "名前,年齢,住所\n山田太郎,31,東京都千代田区\n"),
        ("cp1251", "имя,возраст,город\nИван,31,Москва\nПётр,40,Санкт-Петербург\n"),
    ],
)
def test_the_encoding_is_the_one_people_wrote_in(encoding: str, text: str) -> None:
    found = decoded(text.encode(encoding))
    assert found.text.lstrip("\ufeff") == text
    assert not found.damaged


def test_one_bad_byte_does_not_make_another_alphabet_of_a_text() -> None:
    found = decoded("Málaga, Cádiz, León, Ñu, José\n".encode() + b"\xff")
    assert found.text.startswith("Málaga, Cádiz, León")
    assert found.damaged


def test_decimals_after_a_comma_are_numbers_and_are_written_so() -> None:
    data = "día;importe;código\n1;1.234,50;007\n2;99,90;1.500\n".encode()
    source = Source.of(data, "a.csv")
    assert source.csv.rows[1:] == [[1, 1234.5, "007"], [2, 99.9, 1500]]
    assert "decimals after a comma" in reading.describe_workbook(source)["text"]
    grouped = summaries.summary(source, sheet=None, range=None, group_by=[], values={"importe": "sum"}, across=None, where=None)
    assert grouped[-1] == [1334.4]
    assert appended(data, [3, 12.5, "x"]).endswith(b"99,90;1.500\r\n3;12,5;x\r\n")


def test_points_stay_decimals_where_any_number_has_one() -> None:
    assert Source.of(b"a;b\n1,5;2.75\n", "a.csv").csv.rows[1] == ["1,5", 2.75]


def test_a_character_the_encoding_lacks_is_never_lost() -> None:
    book = Book.opened(SPANISH.encode("cp1252"), "a.csv")
    cells.append_rows(book, rows=[["山田", "東京"]], sheet=None, formulas=False, dates=True)
    assert book.stored().decode("utf-8-sig") == f"{SPANISH}山田;東京\r\n"
    assert any("UTF-8 now" in note for note in book.notes)


def test_the_line_that_names_the_delimiter_stays() -> None:
    assert appended(b"sep=;\r\na;b\r\n1;2\r\n", ["x", "y"]) == b"sep=;\r\na;b\r\n1;2\r\nx;y\r\n"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("notes.md", b"# Title\n\ntext, with a comma\n", "without the name of a table"),
        ("a.csv", "Málaga, Cádiz, León, Ñu, José\n".encode() + b"\xff", "would lose"),
    ],
)
def test_a_text_that_a_change_would_harm_is_not_changed(name: str, data: bytes, words: str) -> None:
    with pytest.raises(WorkError, match=words):
        Book.opened(data, name)


@pytest.mark.parametrize("head", ['<?xml version="1.0"?><rss/>', '<office:document xmlns:office="urn:x"/>'])
def test_xml_is_no_table(head: str) -> None:
    with pytest.raises(WorkError, match=r"XML|OpenDocument"):
        Source.of(head.encode(), "a.fods")


def appended(data: bytes, row: list[Any]) -> bytes:
    book = Book.opened(data, "a.csv")
    cells.append_rows(book, rows=[row], sheet=None, formulas=False, dates=True)
    return io.BytesIO(book.stored()).getvalue()
