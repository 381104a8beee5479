"""How texts are cut: nothing is lost, nothing is too long, headings of laws are known from mentions of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_servers.knowledge.headings import heading_of
from mcp_servers.knowledge.passages import MOST, Part, passages_of, whole_text
from mcp_servers.knowledge.search import EXCERPT, excerpt
from mcp_servers.knowledge.words import fold, tokens

LINES = st.lists(
    st.one_of(
        st.text("abc déß 法条。.\n", max_size=400),
        st.sampled_from(["# Heading", "Artículo 3. Objeto.", "第三条　内容", "", "```", "x" * 2000, "word " * 500]),
    ),
    max_size=20,
).map("\n".join)


@given(st.lists(st.builds(Part, LINES, lines=st.booleans(), markdown=st.booleans()), max_size=3))
def test_passages_hold_all_of_the_text_at_the_places_they_name(parts: list[Part]) -> None:
    whole = whole_text(parts)
    at = 0
    for passage in passages_of(parts):
        assert whole[passage.start : passage.end] == passage.text
        assert len(passage.text) <= MOST
        assert not whole[at : passage.start].strip()
        at = max(at, passage.end)
        if passage.first is not None:
            assert passage.last is not None
            assert 1 <= passage.first <= passage.last
    assert not whole[at:].strip()


@given(st.text())
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@given(st.text("aé Ü法試が한ไทย1_-.\u0301", max_size=80))
def test_the_index_takes_tokens_as_they_are(text: str) -> None:
    import sqlite3

    from mcp_servers.knowledge.schema import TABLES

    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    made = tokens(text)
    db.execute("INSERT INTO words (rowid, text, head) VALUES (1, ?, '')", (made,))
    assert {row[0] for row in db.execute("SELECT term FROM vocabulary")} == set(made.split())
    db.close()


@pytest.mark.parametrize(
    ("line", "head"),
    [
        ("Artículo 49. Extinción del contrato.", "Artículo 49. Extinción del contrato"),
        ("ARTÍCULO 3 BIS", "ARTÍCULO 3 BIS"),
        ("Art. 5 – Fees", "Art. 5 – Fees"),
        ("§ 12", "§ 12"),
        ("CHAPTER IV", "CHAPTER IV"),
        ("Disposición adicional primera", "Disposición adicional primera"),
        ("第十九条　劳动合同期限三个月以上不满一年的，试用期不得超过一个月，本条所称期限按日历月计算。", "第十九条"),
        ("第二章　利用", "第二章　利用"),
        ("Section 5 of this Act applies to boats.", None),
        ("artículo 4, se aplicará", None),
        ("Parte civil de la demanda", None),
        ("第三条规定的情形除外。", None),
        ("Ordinary text.", None),
    ],
)
def test_headings_are_known_from_mentions(line: str, head: str | None) -> None:
    found = heading_of(line, markdown=False)
    assert (found and found.text) == head


def test_an_excerpt_shows_where_most_of_the_words_stand() -> None:
    text = "filler " * 200 + "the walrus and the carpenter walked" + " filler" * 200
    shown = excerpt(text, ["walrus", "carpenter"])
    assert "walrus and the carpenter" in shown
    assert len(shown) <= EXCERPT + 2
    assert shown.startswith("…")
    assert shown.endswith("…")
