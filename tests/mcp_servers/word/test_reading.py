"""What a model reads of a document: everything a person sees, in order, once."""

import pytest

from mcp_servers.word.package import loaded
from mcp_servers.word.reading import markdown
from mcp_servers.worker import WorkError
from tests.mcp_servers.word.documents import box, document, p, r, table

LIST = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'
CHANGED = p(
    r("Costs ")
    + "<w:del w:id='1' w:author='A'><w:r><w:delText>$9</w:delText></w:r></w:del>"
    + f"<w:ins w:id='2' w:author='A'>{r('$7')}</w:ins>"
    + r(" now.")
)


def body_of(text: str) -> str:
    """The Markdown without header and footer, which every document here has once."""
    assert text.count("[Header] Secret plan") == 1
    assert text.count("[Footer] Page one") == 1
    return text.split("\n\n", 1)[1].replace("\n\n[Footer] Page one", "")


def read(body: str, *, marked: bool = False) -> str:
    return body_of(markdown(loaded(document(body), "a.docx"), marked=marked))


def test_text_tables_and_text_come_in_their_order() -> None:
    body = p("Before.") + table(["A", "B|C"], ["1", "2"]) + p("After.")
    assert read(body) == "Before.\n\n| A | B\\|C |\n| --- | --- |\n| 1 | 2 |\n\nAfter."


def test_headings_are_known_by_style_chain_and_outline_level() -> None:
    body = p("One", '<w:pStyle w:val="H1"/>') + p("Two", '<w:pStyle w:val="Mine"/>') + p("Three", '<w:outlineLvl w:val="2"/>')
    assert read(body) == "# One\n\n## Two\n\n### Three"


def test_lists_keep_their_numbers_and_depth() -> None:
    body = "".join(p(text, LIST.format(depth)) for text, depth in (("a", 0), ("b", 1), ("c", 1), ("d", 0)))
    assert read(body) == "3. a\n    - b\n    - c\n4. d"


def test_tracked_changes_are_final_or_marked() -> None:
    assert read(CHANGED) == "Costs $7 now."
    assert read(CHANGED, marked=True) == "Costs {--$9--}{++$7++} now."


def test_a_paragraph_whose_end_was_deleted_goes_on_in_the_next() -> None:
    joined = p("One ", "<w:rPr><w:del w:id='1' w:author='A'/></w:rPr>") + p("two.")
    assert read(joined) == "One two."


def test_a_deleted_row_is_gone() -> None:
    deleted = "<w:tr><w:trPr><w:del w:id='1' w:author='A'/></w:trPr>"
    gone = deleted.join(table(["A", "B"], ["1", "2"]).rsplit("<w:tr>", 1))
    assert read(gone) == "| A | B |\n| --- | --- |"


def test_merged_and_nested_tables_keep_their_cells() -> None:
    wide = f'<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{p("wide")}</w:tc>'
    tall = f'<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{p("tall")}</w:tc>'
    below = f"<w:tc><w:tcPr><w:vMerge/></w:tcPr>{p('covered')}</w:tc>"
    body = table([wide, "c"], [tall, "x", table(["n1", "n2"], ["n3", "n4"]) + p("")], [below, "y", "z"])
    assert read(body) == (
        "| wide |  | c |\n| --- | --- | --- |\n| tall | x | n1 ¦ n2<br>n3 ¦ n4 |\n|  | y | z |"
    )  # fmt: skip


def test_text_boxes_and_content_controls_are_read_once_where_they_stand() -> None:
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('In a block control.')}</w:sdtContent></w:sdt>"
    inner = p(r("An ") + f"<w:sdt><w:sdtContent>{r('inline')}</w:sdtContent></w:sdt>" + r(" one."))
    text = read(p("First.") + p(r("Anchor.") + box("Boxed words.")) + control + inner)
    assert text == "First.\n\nAnchor.\n\n> [Text box]\n> Boxed words.\n\nIn a block control.\n\nAn inline one."


def test_looks_links_fields_and_notes_stay() -> None:
    looks = p(r("bold ", "<w:b/>") + r("both", "<w:b/><w:i/>") + r(" off", '<w:b w:val="0"/>') + r("hidden", "<w:vanish/>"))
    link = p(f'<w:hyperlink r:id="rId9">{r("here")}</w:hyperlink>')
    field = p("<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>" + r("7"))
    note = p(r("Said") + '<w:r><w:footnoteReference w:id="2"/></w:r>')
    assert read(looks + link + field + note) == (
        "**bold** ***both*** off\n\n[here](https://example.org/x)\n\n7\n\nSaid[^2]\n\n[^2]: The note."
    )


def test_templates_are_read_too() -> None:
    assert "Hi" in markdown(loaded(document(p("Hi"), main="template"), "a.dotx"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old format of Word 2003"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "protected by a password"),
        (b"<html><body>saved as .docx", "web page"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"%PDF-1.4", "a PDF"),
        (b"PK\x03\x04 cut off", "damaged"),
        (document(p("x"))[:-60], "damaged"),
        (document("<w:p>").replace(b"PK", b"PK"), "damaged"),
        (document("<!-- -->" + "<w:sdt><w:sdtContent>" * 300), "damaged"),
    ],
)
def test_what_is_no_document_is_said_in_words(data: bytes, words: str) -> None:
    with pytest.raises(WorkError, match=words):
        markdown(loaded(data, "a.docx"))
