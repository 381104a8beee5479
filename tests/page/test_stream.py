"""A reply on its way: reloaded, stopped, followed by what was queued, cut off by a crash, and never in the way of the page."""

import re
from collections.abc import Callable, Generator

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Opener
from tests.page.scripts import calling, saying, streaming
from tests.page.served import Served
from tests.page.talk import Talk
from tests.page.tasks import watched

pytestmark = pytest.mark.timeout(300)
Script = Callable[..., str]
WORDS = tuple(f"w{number} " for number in range(240))
ROUNDS = 6
DEAR = [{**calling("nowhere__look"), "usage": {"input_tokens": 9, "output_tokens": 9, "cost": 2.0}}]
LIMITS = {
    "had all its rounds": [calling("nowhere__look", at=f"place {n}") for n in range(ROUNDS)],
    "went in circles": [calling("nowhere__look", at="here")] * 5,
    "reached its limit of time or cost": DEAR,
}


def words_of(talk: Talk) -> list[str]:
    return talk.answers.last.locator("p").first.inner_text().split()


def test_a_reload_in_mid_stream_shows_every_character_once(talk: Talk, script: Script) -> None:
    talk.say(script(streaming(*WORDS, delay_ms=25)))
    for seen in ("w20 ", "w80 "):
        talk.hear(seen)
        talk.page.reload()
    talk.hear("w239")
    talk.rest()
    assert words_of(talk) == [word.strip() for word in WORDS]
    talk.page.reload()
    talk.hear("w239")
    assert words_of(talk) == [word.strip() for word in WORDS]


def test_two_windows_see_the_same_reply(opened: Opener, script: Script) -> None:
    one, other = opened(), opened()
    one.say(script(streaming(*WORDS[:80], delay_ms=25)))
    one.hear("w5 ")
    other.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    for talk in (one, other):
        talk.hear("w79")
        talk.rest()
        assert words_of(talk) == [word.strip() for word in WORDS[:80]]


def test_stop_keeps_what_was_said_and_resume_goes_on(talk: Talk, script: Script) -> None:
    talk.say(script(streaming(*WORDS, delay_ms=50), saying("the rest of it")))
    talk.hear("w10 ")
    talk.page.get_by_test_id("stop").click()
    talk.rest()
    said = words_of(talk)
    assert said == [word.strip() for word in WORDS[: len(said)]]
    assert 10 < len(said) < len(WORDS)
    expect(talk.page.get_by_role("status").filter(has_text="You stopped this task")).to_be_visible()
    talk.page.get_by_test_id("resume").click()
    talk.hear("the rest of it")
    talk.rest()
    expect(talk.page.get_by_test_id("resume")).to_have_count(0)


def test_what_is_written_while_a_task_runs_waits_its_turn(talk: Talk, script: Script) -> None:
    talk.say(script(streaming(*WORDS[:100], delay_ms=40)))
    talk.hear("w5 ")
    talk.say("hello from the queue")
    queued = talk.page.get_by_test_id("queued")
    expect(queued).to_contain_text("hello from the queue")
    talk.say("never sent")
    expect(queued).to_have_count(2)
    queued.last.get_by_role("button", name="Remove from the queue").click()
    expect(queued).to_have_count(1)
    talk.page.reload()
    expect(queued).to_contain_text("hello from the queue")
    expect(talk.said.last).to_contain_text("hello from the queue")
    expect(queued).to_have_count(0)
    talk.rest()
    expect(talk.said).to_have_count(2)


def test_escape_stops(talk: Talk, script: Script) -> None:
    talk.say(script(streaming(*WORDS, delay_ms=50)))
    talk.hear("w3 ")
    talk.page.keyboard.press("Escape")
    talk.rest()
    assert len(words_of(talk)) < len(WORDS)


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp("leo"))
    served.configure(model__max_rounds=ROUNDS, limits__task_cost=1.0)
    served.start()
    yield served
    served.stop()


def test_every_limit_has_its_words_and_a_button_that_goes_on(talk: Talk, script: Script) -> None:
    for words, replies in LIMITS.items():
        talk.new()
        talk.say(script(*replies, saying(f"closing: {words}"), saying(f"went on: {words}")))
        talk.hear(f"closing: {words}")
        talk.rest()
        note = talk.page.get_by_role("status").filter(has_text=words)
        expect(note).to_be_visible()
        if replies is DEAR:
            talk.page.reload()
        note.get_by_test_id("resume").click()
        talk.hear(f"went on: {words}")
        talk.rest()
        expect(talk.page.get_by_test_id("resume")).to_have_count(0)


def test_an_error_says_its_cause_and_can_be_tried_again(talk: Talk, script: Script) -> None:
    broken = {"error": {"kind": "auth", "message": "The key is not valid.", "detail": "401"}}
    talk.say(script(broken, saying("now it works")))
    told = talk.page.get_by_test_id("task-error")
    expect(told).to_contain_text("The key is not valid.")
    told.get_by_test_id("resume").click()
    talk.hear("now it works")
    expect(told).to_have_count(0)


def test_a_long_reason_of_a_failed_call_stays_inside_its_row(talk: Talk) -> None:
    talk.ready("filesystem")
    talk.say(f'[filesystem__list_directory path="{"no such place " * 16}"]')
    talk.rest()
    row = talk.page.locator(".steps .step").first
    expect(row.locator(".meta").last).to_be_in_viewport(ratio=1)
    assert row.evaluate("e => e.getBoundingClientRect().right <= e.closest('.steps').getBoundingClientRect().right + 1")


def test_a_refusal_shows_its_reason_with_ways_on(talk: Talk, script: Script) -> None:
    talk.say(script(saying("No.", stop_reason="refusal", stop_detail="not this")))
    talk.hear("No.")
    note = talk.page.get_by_role("status").filter(has_text="declined")
    expect(note).to_contain_text("not this")
    note.get_by_role("button", name="Edit").click()
    expect(talk.page.get_by_role("textbox", name="Edit")).to_have_value(re.compile("^!script "))


def test_an_answer_that_reached_its_length_can_be_continued(talk: Talk, script: Script) -> None:
    talk.say(script(saying("half a", stop_reason="length"), saying("sentence")))
    talk.hear("half a")
    talk.page.get_by_test_id("resume").click()
    talk.hear("sentence")


def test_thinking_is_folded_with_its_duration(talk: Talk, script: Script) -> None:
    talk.say(script({"blocks": [{"type": "thinking", "text": "deep thoughts"}, {"type": "text", "text": "clear words"}]}))
    talk.hear("clear words")
    thinking = talk.page.get_by_test_id("thinking").last
    expect(thinking.get_by_text("deep thoughts")).to_be_hidden()
    thinking.locator("summary").click()
    expect(thinking.get_by_text("deep thoughts")).to_be_visible()


def test_two_thousand_deltas_leave_the_page_free(opened: Opener, script: Script) -> None:
    """A stall is what one task of the page takes of the processor: by the clock a busy machine would be measured."""
    talk = opened()
    browser = talk.page.context.browser
    assert browser
    with watched(browser, talk.page) as tasks:
        talk.say(script(streaming(*(f"word {n}{'.  ' if n % 9 else '.' + chr(10) * 2}" for n in range(2000)), delay_ms=1)))
        expect(talk.answers.last).to_contain_text("word 1999.", timeout=100_000)
        talk.rest()
    longest = tasks.longest()["longest task, ms"]
    print(f"longest task in the page while 2,000 deltas stream: {longest:.0f} ms")
    assert 0 < longest < 150


def test_after_a_crash_the_task_is_shown_as_cut_off_and_resumes(talk: Talk, script: Script) -> None:
    talk.say(script(streaming(*WORDS, delay_ms=60), saying("all is well")))
    talk.hear("w10 ")
    talk.leo.kill()
    talk.leo.start()
    talk.open()
    row = talk.page.get_by_test_id("conversation-row").first
    expect(row.get_by_role("img", name="Interrupted")).to_be_visible()
    row.locator("button.row").click()
    expect(talk.page.get_by_role("status").filter(has_text="cut off")).to_be_visible()
    talk.page.get_by_test_id("resume").click()
    expect(row.get_by_role("img", name="Interrupted")).to_have_count(0)
    expect(talk.page.get_by_role("status").filter(has_text="cut off")).to_have_count(0)
    talk.rest()
    expect(talk.answers.last).to_contain_text(re.compile("all is well|w239"))  # what was kept of the first reply decides
