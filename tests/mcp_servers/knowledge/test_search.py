"""What is found and where it says it stands: every kind of file, every script, questions as people put them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mcp_servers.knowledge import create
from mcp_servers.knowledge.indexer import Pace
from tests.mcp_servers.knowledge.ground import LAWS, OWN_NAMES, Ground, config, docx, files, knowledge, laws, pdf, xlsx


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose index holds the four laws."""
    home = tmp_path_factory.mktemp("indexed")

    async def once() -> None:
        async with knowledge(home, laws(home)) as ground:
            await ground.ready()

    asyncio.run(once())
    return home


@pytest.fixture
def ground(indexed: Path) -> Ground:
    """Searches only: nothing is looked through again."""
    return Ground(server=create(config(indexed, pace=Pace(first=1000))))


def in_place(hit: dict[str, Any], **expected: Any) -> None:
    assert {key: hit[key] for key in expected} == expected


async def test_every_kind_of_file_is_found_with_its_place(tmp_path: Path) -> None:
    prices = [["Article", "Price"], *[[f"thing {number}", number] for number in range(2, 200)], ["zirconium ring", 990]]
    folder = files(
        tmp_path / "mixed",
        {
            "plain.txt": "first line\n\nsecond paragraph\n\nArticle 7. Marmalade.\nOnly oranges are used.\n",
            "notes.md": "# Garden\n\nText.\n\n## Roses\n\nPrune the roses in February.\n",
            "page.html": "<title>Cheese</title><h1>Cheese</h1><p>x</p><h2>Goat</h2><p>The goats of Ossau give milk.</p>",
            "paper.pdf": pdf("The heron stands.", "The kingfisher dives.", "The end."),
            "letter.docx": docx((1, "Contract"), (0, "Hello."), (2, "Termination"), (0, "A quetzal may be returned.")),
            "book.xlsx": xlsx(Stock=[["a", "b"], [1, 2]], Prices=prices),
            "table.csv": "name;town\nAna;Toledo\nBen;Ghent\nZoltan;Szeged\n",
        },
    )
    async with knowledge(tmp_path, folder) as ground:
        await ground.ready()
        in_place(
            (await ground.found("oranges"))[0],
            head="Article 7. Marmalade",
            first=5,
            last=6,
            place="lines 5–6, Article 7. Marmalade",
        )
        in_place((await ground.found("prune"))[0], head="Garden › Roses", first=5, last=7)
        in_place((await ground.found("ossau"))[0], head="Cheese › Goat", title="Cheese", page=None)
        in_place((await ground.found("kingfisher"))[0], page=2, place="page 2")
        in_place((await ground.found("quetzal"))[0], head="Contract › Termination")
        ring = (await ground.found("zirconium"))[0]
        in_place(ring, sheet="Prices", last=200, head="Article | Price")
        assert ring["first"] > 100
        assert ring["place"] == f"sheet Prices, rows {ring['first']}–200"
        in_place((await ground.found("szeged"))[0], sheet="table", first=1, last=4)


@pytest.mark.parametrize(
    ("query", "file", "head"),
    [
        ("plazo de preaviso", "bicicletas.txt", "Artículo 4"),
        ("¿Cuántos días de preaviso hacen falta para dar de baja la bicicleta?", "bicicletas.txt", "Artículo 4"),
        ("SANCIÓN", "bicicletas.txt", "Artículo 5"),
        ("sanciones multas", "bicicletas.txt", "Artículo 5"),
        ("when may engines run at night", "harbour.md", "Noise"),
        ("berth fee", "harbour.md", "Fees"),
        ('"nothing is returned"', "harbour.md", "Fees"),
        ("滞纳金", "图书馆规定.txt", "第三条"),
        ("赔偿", "图书馆规定.txt", "第四条"),
        ("借书最多可以借几本？", "图书馆规定.txt", "第三条"),
        ("晚", "图书馆规定.txt", "第二条"),
        ("許可", "公園条例.txt", "第三条"),
        ("犬を連れて公園に入れますか", "公園条例.txt", "第四条"),
        ("過料", "公園条例.txt", "第四条"),
        ("開園", "公園条例.txt", "第二条"),
    ],
)
async def test_questions_in_four_languages_find_the_right_article(ground: Ground, query: str, file: str, head: str) -> None:
    hit = (await ground.found(query))[0]
    assert hit["path"].endswith(file)
    assert head in hit["head"]


async def test_what_is_not_there_is_not_found(ground: Ground) -> None:
    for query in ("zeppelin", "飛行船", '"fee for a boat"', "?!", "( * ^ NEAR/"):
        assert await ground.found(query) == []
    assert "Nothing was found" in await ground.ok("search_knowledge", query="zeppelin")


async def test_numbers_past_every_passage_and_file_are_told_as_such(ground: Ground) -> None:
    assert "This passage is not in th" in await ground.refused("read_passage", id=10**9)
    for number in (2**63, 10**30):
        assert "must be at most 9007199254740991" in await ground.refused("read_passage", id=number)
        assert "must be at most" in await ground.refused("list_sources", folder=None, start=number)


async def test_a_common_word_alone_is_found_too(tmp_path: Path) -> None:
    folder = files(tmp_path / "many", {f"{number}.txt": f"the thing number{number}" for number in range(300)})
    async with knowledge(tmp_path, folder) as ground:
        await ground.ready()
        assert len(await ground.found("the", limit=20)) == 20
        assert (await ground.found("the number77"))[0]["path"].endswith("77.txt")


async def test_a_folder_can_be_asked_alone(tmp_path: Path) -> None:
    one = files(tmp_path / "one", {"a.txt": "the same words"})
    two = files(tmp_path / "two", {"b.txt": "the same words"})
    async with knowledge(tmp_path, one, two) as ground:
        await ground.ready()
        assert len(await ground.found("same words")) == 2
        assert [hit["path"] for hit in await ground.found("same words", folder="two")] == [str(two / "b.txt")]
        assert [hit["path"] for hit in await ground.found("same words", folder=str(one))] == [str(one / "a.txt")]
        refusal = await ground.refused("search_knowledge", query="same", folder="three")
        assert str(one) in refusal


async def test_a_passage_is_read_with_what_follows(ground: Ground) -> None:
    hit = (await ground.found("preaviso"))[0]
    told = await ground.data("read_passage", id=hit["id"], length=200)
    assert told["text"].startswith("Artículo 4.")
    assert "Artículo 5" in told["text"]
    rest = await ground.data("read_passage", path=hit["path"], start=told["next_start"])
    assert rest["text"].endswith("gravedad.")
    assert rest["next_start"] is None
    whole = await ground.data("read_passage", path="bicicletas.txt", length=50_000)
    assert whole["text"].startswith("LEY DE BICICLETAS")
    assert whole["text"].split() == (LAWS / "bicicletas.txt").read_text("utf-8").split()
    assert "list_sources" in await ground.refused("read_passage", path="nothing.txt")
    assert "Search again" in await ground.refused("read_passage", id=999_999)
    assert "either" in await ground.refused("read_passage")


async def test_sources_are_a_card_whose_buttons_show_the_passage(ground: Ground) -> None:
    from app.core.recognise import recognise
    from app.mcp_host.content import output_of

    found = recognise(output_of(await ground.result("search_knowledge", query="multa bicicletas")))
    card = found.cards[0]
    assert card.kind == "list"
    assert len(card.actions) == len([block for block in card.body if block.type == "divider"]) + 1
    press: Any = card.actions[0].action
    assert (press.tool, press.arguments["show"]) == ("read_passage", True)
    shown = recognise(output_of(await ground.result(press.tool, **press.arguments))).cards[0]
    assert shown.title == "bicicletas.txt"
    assert "multa" in json.dumps([block.model_dump() for block in shown.body])
    opens: Any = shown.actions[0].action
    assert opens.command == "open_file"
    assert opens.payload["path"].endswith("bicicletas.txt")


async def test_sources_and_status_tell_what_there_is(ground: Ground) -> None:
    told = await ground.data("list_sources")
    assert sorted(file["path"] for file in told["files"]) == sorted(
        OWN_NAMES.get(path.name, path.name) for path in LAWS.iterdir()
    )
    assert told["folders"][0]["passages"] >= 20
    part = await ground.data("list_sources", limit=3)
    assert (len(part["files"]), part["next_start"]) == (3, 3)


async def test_without_a_folder_it_says_what_to_do(tmp_path: Path) -> None:
    async with knowledge(tmp_path) as ground:
        assert "add_folder" in await ground.refused("search_knowledge", query="x")
        assert "add_folder" in await ground.ok("index_status")


async def test_a_very_long_question_is_searched_by_what_tells_most(ground: Ground) -> None:
    words = " ".join(f"word{number}" for number in range(90))
    assert (await ground.found(f"preaviso {words}"[:1000]))[0]["head"].endswith("Plazo de preaviso")
    assert (await ground.found("每位读者一次最多可以借五本图书" * 60))[0]["path"].endswith("图书馆规定.txt")
