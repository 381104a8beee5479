"""The memory's page: read, searched, changed and brought back, beside a server that writes, as a file, and in a message."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from mcp_servers.memory import FILE, Graph
from tests.page.conftest import Opener
from tests.page.served import Served
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def graph(leo: Served) -> Graph:
    """The memory as another process has it: the server of another client, say."""
    return Graph(leo.home / FILE)


@pytest.fixture
def talk(opened: Opener) -> Talk:
    talk = opened()
    open_memory(talk.page)
    return talk


def open_memory(page: Page) -> None:
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("settings-memory").click()
    expect(page.get_by_test_id("memory")).to_be_visible()


def test_the_first_time_something_is_remembered_the_person_is_told_once_what_it_could_do(opened: Opener) -> None:
    talk = opened()
    talk.ready("memory")
    offer = talk.toast.filter(has_text="Remembered on this computer")
    talk.say("remember that the tea is green")
    talk.page.get_by_test_id("approve").click()
    offer.get_by_role("button", name="Show me").click()
    expect(talk.page.get_by_test_id("memory-row")).to_have_count(1)
    talk.page.get_by_test_id("close-settings").click()
    talk.say("remember that the coffee is black")
    talk.page.get_by_test_id("approve").click()
    talk.rest()
    expect(offer).to_have_count(0)


def test_what_is_remembered_is_added_changed_and_brought_back(talk: Talk, graph: Graph) -> None:
    page = talk.page
    row, facts = page.get_by_test_id("memory-row"), page.get_by_test_id("memory-fact")
    page.get_by_test_id("memory-add").click()
    page.get_by_test_id("memory-name").fill("Ana")
    page.get_by_test_id("memory-kind").fill("person")
    page.keyboard.press("Enter")
    expect(row.filter(has_text="Ana")).to_have_text("Anaperson · 0 facts")
    page.get_by_test_id("fact-new").fill("Lives in Madrid")
    page.keyboard.press("Enter")
    expect(facts).to_have_text(["Lives in Madrid"])
    graph.add_observations([{"entityName": "Ana", "contents": ["Plays chess"]}])
    graph.create_entities([{"name": "Acme", "entityType": "company", "observations": []}])
    expect(facts).to_have_text(["Lives in Madrid", "Plays chess"])
    page.get_by_test_id("relation-kind").fill("works at")
    page.get_by_test_id("relation-to").fill("Acme")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("memory-relation")).to_have_text("Ana works at Acme")
    facts.first.get_by_test_id("fact-edit").click()
    page.get_by_test_id("fact-text").fill("Lives in Bilbao")
    page.keyboard.press("Escape")
    expect(facts).to_have_count(2)
    facts.first.get_by_test_id("fact-edit").click()
    page.get_by_test_id("fact-text").fill("Lives in Bilbao")
    page.keyboard.press("Enter")
    expect(facts.first).to_have_text("Lives in Bilbao")
    page.get_by_test_id("memory-forget").click()
    expect(row.filter(has_text="Ana")).to_have_count(0)
    talk.toast.filter(has_text="Forgotten").get_by_role("button", name="Undo").click()
    expect(facts).to_have_text(["Lives in Bilbao", "Plays chess"])
    page.get_by_test_id("memory-search").fill("bilbao")
    expect(row).to_have_text(["Anaperson · 2 facts"])
    assert graph.open_nodes(["Ana"])["relations"] == [{"from": "Ana", "to": "Acme", "relationType": "works at"}]


def test_a_file_goes_out_and_comes_in_and_all_is_forgotten_only_when_sure(talk: Talk, graph: Graph, tmp_path: Path) -> None:
    page, row = talk.page, talk.page.get_by_test_id("memory-row")
    names = {entity["name"] for entity in graph.read_graph()["entities"]}
    file = tmp_path / "other.jsonl"
    file.write_text('{"type":"entity","name":"Zoë","entityType":"person","observations":["Runs"]}\n', encoding="utf-8")
    page.get_by_test_id("memory-file").set_input_files(file)
    expect(talk.toast.filter(has_text="New things: 1 · facts: 1 · relations: 0")).to_be_visible()
    expect(row).to_have_count(len(names) + 1)
    with page.expect_download() as download:
        page.get_by_test_id("memory-export").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["name"] for line in lines if '"entity"' in line} == names | {"Zoë"}
    page.get_by_test_id("memory-clear").click()
    talk.confirm("confirm-cancel")
    expect(row).to_have_count(len(names) + 1)
    page.get_by_test_id("memory-clear").click()
    talk.confirm()
    expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    talk.toast.filter(has_text="forgotten").get_by_role("button", name="Undo").click()
    expect(row).to_have_count(len(names) + 1)


def test_what_went_along_with_a_message_is_shown_under_it(talk: Talk, graph: Graph) -> None:
    graph.create_entities([{"name": "Nora", "entityType": "person", "observations": ["Has a boat"]}])
    page = talk.page
    page.get_by_role("switch", name="Use what is remembered").click()
    expect(page.get_by_test_id("memory-overview")).to_contain_text("Goes along with messages")
    page.get_by_test_id("close-settings").click()
    talk.say("What does Nora have?")
    talk.rest()
    recalled = talk.said.last.get_by_test_id("recalled")
    recalled.locator("summary").click()
    expect(recalled).to_contain_text("Nora (person): Has a boat")


def test_in_a_small_spanish_window_the_list_and_one_thing_take_turns(opened: Opener, graph: Graph) -> None:
    graph.create_entities([{"name": "Nora", "entityType": "person", "observations": ["Has a boat"]}])
    page = opened(800, 600, locale="es-ES").page
    open_memory(page)
    page.get_by_role("button", name="Nora").click()
    expect(page.get_by_role("heading", name="Nora")).to_be_visible()
    expect(page.get_by_test_id("memory-search")).to_be_hidden()
    page.get_by_role("button", name="Volver a la lista").click()
    expect(page.get_by_test_id("memory-search")).to_be_visible()
