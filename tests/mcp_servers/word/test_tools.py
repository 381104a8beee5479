"""Documents made and changed through the tools, and read back by python-docx."""

import io
import zipfile
from pathlib import Path

import pytest
from docx import Document
from mcp_types import CallToolResult

from mcp_servers.word import pdf
from tests.mcp_servers.calls import Tools, text_of
from tests.mcp_servers.word.documents import box, document, p, r

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082"
)
REPORT = """# Results

Sales **rose** by *5 %*, see [the site](https://example.org), `code` and ~~not this~~.

1. first
2. second
    - inner

3. third

Then another list:

1. again from one

| Year | Sum |
| ---- | ---: |
| 2026 | **5** |

> Quoted.

![a dot](dot.png)

\\pagebreak

## Details

The end.
"""


def body_xml(path: Path) -> str:
    return zipfile.ZipFile(path).read("word/document.xml").decode("utf-8")


def change_of(result: CallToolResult) -> str:
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return result.structured_content["change"]


async def test_markdown_becomes_a_document_that_reads_back_as_it_was_meant(tools: Tools, folder: Path) -> None:
    (folder / "dot.png").write_bytes(PNG)
    await tools.ok("write_document", path="report.docx", title="Annual report", markdown=REPORT)
    made = Document(str(folder / "report.docx"))
    assert made.core_properties.title == "Annual report"
    assert [one.text for one in made.paragraphs if one.style and one.style.name == "Heading 1"] == ["Results"]
    assert made.tables[0].cell(1, 1).text == "5"
    assert len(made.inline_shapes) == 1
    text = await tools.ok("read_document", path="report.docx")
    assert "# Annual report\n\n# Results\n\nSales **rose** by *5 %*, see [the site](https://example.org), code" in text
    assert "~~not this~~" in text
    assert "1. first\n2. second\n    - inner\n3. third" in text
    assert "Then another list:\n\n1. again from one" in text
    assert "> Quoted." in text
    assert 'w:type="page"' in body_xml(folder / "report.docx")


async def test_new_text_goes_where_it_is_wanted(tools: Tools, folder: Path) -> None:
    await tools.ok("write_document", path="a.docx", markdown="# One\n\na\n\n## Sub\n\nb\n\n# Two\n\nc")
    await tools.ok("add_content", path="a.docx", markdown="after the heading", under="One", place="top")
    await tools.ok("add_content", path="a.docx", markdown="end of one\n\nreally", under="one", place="end")
    await tools.ok("add_content", path="a.docx", markdown="very top", place="top")
    await tools.ok("add_table", path="a.docx", rows=[["x", 1], ["y"]], under="Two")
    text = await tools.ok("read_document", path="a.docx")
    assert text == (
        "very top\n\n# One\n\nafter the heading\n\na\n\n## Sub\n\nb\n\nend of one\n\nreally\n\n# Two\n\nc\n\n"
        "| **x** | **1** |\n| --- | --- |\n| y |  |"
    )
    refused = await tools.refused("add_content", path="a.docx", markdown="x", under="Three")
    assert "The headings are: One; Sub; Two" in refused
    await tools.ok("delete_section", path="a.docx", heading="One")
    assert "end of one" not in await tools.ok("read_document", path="a.docx")


async def test_replacing_goes_over_runs_and_keeps_their_looks(tools: Tools, folder: Path) -> None:
    split = p(r("Dear Mr ") + r("Smi", "<w:b/>") + r("th", "<w:i/>") + r(", Mr Smith"))
    (folder / "a.docx").write_bytes(document(split + p(r("x") + box("Mr Smith boxed"))))
    assert "Replaced 'Mr Smith' 3 times" in await tools.ok("replace_text", path="a.docx", find="Mr Smith", replace="Ms Jones")
    text = await tools.ok("read_document", path="a.docx")
    assert "Dear Ms Jones, Ms Jones" in text
    assert "Ms Jones boxed" in text
    assert "Smi" not in body_xml(folder / "a.docx")
    await tools.ok("replace_text", path="a.docx", find="secret plan", replace="Open plan")
    assert "[Header] Open plan" in await tools.ok("read_document", path="a.docx")
    assert "Nothing was changed" in await tools.refused("replace_text", path="a.docx", find="nowhere", replace="x")


async def test_a_text_gets_looks_and_comments_and_its_neighbours_do_not(tools: Tools, folder: Path) -> None:
    await tools.ok("write_document", path="a.docx", markdown="It cost three million euros last year.")
    await tools.ok("format_text", path="a.docx", find="three million", bold=True, color="C00000", size=14)
    await tools.ok("add_comment", path="a.docx", find="million euros", comment="Says who?", author="Ana")
    made = Document(str(folder / "a.docx"))
    assert [run.text for run in made.paragraphs[0].runs if run.bold] == ["three ", "million"]
    assert [(one.author, one.text) for one in made.comments] == [("Ana", "Says who?")]
    text = await tools.ok("read_document", path="a.docx", changes="marked")
    assert text == "It cost **three million** euros last year.\n\n[Comment by Ana] Says who?"
    assert "no colour" in await tools.refused("format_text", path="a.docx", find="year", color="red")
    await tools.ok("set_style", path="a.docx", style="normal", font="Georgia", size=12)
    assert Document(str(folder / "a.docx")).styles["Normal"].font.name == "Georgia"  # type: ignore[union-attr]


async def test_headers_contents_paragraphs_and_page_breaks(tools: Tools, folder: Path) -> None:
    await tools.ok("write_document", path="a.docx", markdown="# One\n\ntext\n\n## Two")
    await tools.ok("set_header_footer", path="a.docx", header="Acme", footer="Draft", page_numbers=True)
    await tools.ok("add_table_of_contents", path="a.docx", title="Contents")
    await tools.ok("add_page_break", path="a.docx")
    runs = [{"text": "big", "size": 20, "bold": True}, {"text": " link", "link": "https://example.org"}]
    await tools.ok("add_paragraph", path="a.docx", runs=runs, align="center", style="intense quote")
    text = await tools.ok("read_document", path="a.docx")
    assert text.startswith("[Header] Acme\n\nContents\n\nOne\n    Two\n\n# One")
    assert "> **big**[ link](https://example.org)" in text.replace(" [link]", "[ link]")
    assert text.endswith("[Footer] Draft · 1 / 1")
    assert 'TOC \\o "1-3"' in body_xml(folder / "a.docx")
    result = await tools.result("document_outline", path="a.docx")
    assert result.structured_content is not None
    assert result.structured_content["headings"] == [{"level": 1, "text": "One"}, {"level": 2, "text": "Two"}]


async def test_a_task_is_undone_whole(tools: Tools, folder: Path) -> None:
    before = document(p("As it was"))
    (folder / "old.docx").write_bytes(before)
    await tools.ok("replace_text", path="old.docx", find="was", replace="is")
    change = change_of(await tools.result("write_document", path="new.docx", markdown="new"))
    await tools.ok("undo_changes", change=change)
    assert (folder / "old.docx").read_bytes() == before
    assert not (folder / "new.docx").exists()


async def test_what_cannot_be_done_is_said(tools: Tools, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "does not exist. Make it with write_document" in await tools.refused(
        "replace_text", path="no.docx", find="a", replace="b"
    )
    assert "Give it the ending .docx" in await tools.refused("write_document", path="a.txt", markdown="x")
    assert "outside the allowed folders" in await tools.refused("read_document", path="/etc/hosts.docx")
    (folder / "bomb.docx").write_bytes(_bomb())
    assert "refused" in await tools.refused("read_document", path="bomb.docx")
    monkeypatch.setattr(pdf, "office", lambda: None)
    await tools.ok("write_document", path="a.docx", markdown="x")
    assert "LibreOffice is not installed" in await tools.refused("convert_to_pdf", path="a.docx")


def _bomb() -> bytes:
    """Entities that unfold to gigabytes, where the text should be."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document(p("x")))) as real, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in real.namelist():
            data = real.read(name)
            if name == "word/document.xml":
                entities = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
                data = f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{entities}]>'.encode() + data
            archive.writestr(name, data)
    return held.getvalue()


async def test_footnotes_are_written_from_markdown_and_read_back(tools: Tools, folder: Path) -> None:
    text = (
        "A claim[^src] and **more**[^2], again[^src]; not [^none].\n\n[^src]: The *source*, p. 3\n    and on.\n"
        "[^2]: See [it](https://x.example).\n\n```\n[^src]: code\n```\n"
    )
    await tools.ok("write_document", path="notes.docx", markdown=text)
    said = await tools.ok("read_document", path="notes.docx")
    assert "A claim[^1] and **more**[^2], again[^1]; not [^none]." in said
    assert "[^1]: The *source*, p. 3 and on." in said
    assert "[^2]: See it (https://x.example)." in said
    assert "[^src]: code" in said
    await tools.ok("add_content", path="notes.docx", markdown="Later[^src].\n\n[^src]: Third.")
    assert "Later[^3]." in await tools.ok("read_document", path="notes.docx")
    Document(str(folder / "notes.docx"))


async def test_replace_reaches_footnotes_and_headers_once_each(tools: Tools, folder: Path) -> None:
    (folder / "old.docx").write_bytes(document(p(r("Text") + '<w:r><w:footnoteReference w:id="2"/></w:r>')))
    assert "1 times" in await tools.ok("replace_text", path="old.docx", find="The note", replace="A better note")
    assert "1 times" in await tools.ok("replace_text", path="old.docx", find="Secret plan", replace="Plan")
    said = await tools.ok("read_document", path="old.docx")
    assert "[^2]: A better note." in said
    assert "Secret" not in said


async def test_tables_keep_their_sides_and_no_more_columns_than_word_has(tools: Tools, folder: Path) -> None:
    await tools.ok("write_document", path="a.docx", markdown="| A | B | C |\n| --- | ---: | :---: |\n| x | 5 | y |\n\nAfter.")
    made = Document(str(folder / "a.docx"))
    sides = [cell.paragraphs[0].alignment for cell in made.tables[0].rows[1].cells]
    assert [None if side is None else side.name for side in sides] == [None, "RIGHT", "CENTER"]
    assert "DDE7F3" in body_xml(folder / "a.docx")
    assert 'w:before="160"' in body_xml(folder / "a.docx")  # the text is not right under the table
    row = ["x"] * 64
    told = await tools.refused("add_table", path="a.docx", rows=[row])
    assert "at most 63 columns; this one has 64" in told
    wide = "\n".join(f"| {' | '.join(cells)} |" for cells in (row, ["---"] * 64, row))
    assert "at most 63 columns" in await tools.refused("add_content", path="a.docx", markdown=wide)


async def test_a_table_of_contents_at_the_top_stands_under_the_title(tools: Tools, folder: Path) -> None:
    await tools.ok("write_document", path="a.docx", title="The title", markdown="# One\n\n## Two")
    await tools.ok("add_table_of_contents", path="a.docx", title="Contents", place="top")
    texts = [one.text for one in Document(str(folder / "a.docx")).paragraphs]
    assert texts[:2] == ["The title", "Contents"]
    assert texts[2].split() == ["One", "Two"]


async def test_small_models_are_understood(tools: Tools, folder: Path) -> None:
    """Line ends written out, headings of one name, styles by the names that Word shows in Spanish."""
    await tools.ok("write_document", path="a.docx", markdown="# Part\\n\\nOne.\\n\\n# Part\\n\\nTwo.\\n\\n- x\\n- y")
    assert await tools.ok("read_document", path="a.docx") == "# Part\n\nOne.\n\n# Part\n\nTwo.\n\n- x\n- y"
    added = await tools.ok("add_content", path="a.docx", under="Part", markdown="And.")
    assert "2 headings 'Part'; this was the first" in added
    assert "2 headings 'Part'" in await tools.ok("delete_section", path="a.docx", heading="Part")
    await tools.ok("add_paragraph", path="a.docx", runs=[{"text": "Tres"}], style="Título 2")
    assert "## Tres" in await tools.ok("read_document", path="a.docx")
    refused = await tools.refused("set_style", path="a.docx", style="Qoute", bold=True)
    assert refused.startswith("The document has no style 'Qoute'. It has: Quote, ")
    assert len(refused) < 600
    (folder / "C.docx").write_bytes((folder / "a.docx").read_bytes())
    assert "In " in (told := await tools.refused("read_document", path="b.docx"))
    assert "a.docx, C.docx" in told
