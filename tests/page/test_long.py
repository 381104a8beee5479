"""A conversation of two thousand messages: opened at its end, read upwards without a jump, searched, and left again."""

import json
from collections.abc import Callable, Generator

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.page.long import long_conversation
from tests.page.served import Served
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(240)
SIZE = 2_000
STEPS = """async (steps) => {
  const box = document.querySelector('[data-testid=thread]');
  const frames = (n) => new Promise((done) => { const next = () => n-- > 0 ? requestAnimationFrame(next) : done(); next(); });
  const tops = () => new Map([...box.querySelectorAll('[data-message-id]')].map((e) => [e.dataset.messageId, e]));
  let worst = 0, most = 0;
  for (let step = 0; step < steps; step += 1) {
    const seen = [...tops()].find(([, e]) => e.getBoundingClientRect().bottom > 150);
    const before = seen[1].getBoundingClientRect().top;
    box.dispatchEvent(new WheelEvent('wheel', {deltaY: -300})); // it is a hand that moves it
    const up = Math.min(300, box.scrollTop); // less where the top is reached before older messages came
    box.scrollTop -= up;
    await frames(4);
    const there = tops();
    most = Math.max(most, there.size);
    worst = Math.max(worst, Math.abs(there.get(seen[0]).getBoundingClientRect().top - before - up));
  }
  return {worst, most};
}"""

WHEEL = """async () => {
  const box = document.querySelector('[data-testid=thread]');
  box.dispatchEvent(new WheelEvent('wheel', {deltaY: -300}));
  box.scrollTop -= 300;
  await new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 0));
  return box.scrollTop;
}"""
# Something above goes, which moves the view up, and something below comes, before the box has told of the move.
SHRINK_AND_GROW = """async () => {
  const box = document.querySelector('[data-testid=thread]');
  const frames = (n) => new Promise((done) => { const next = () => n-- > 0 ? requestAnimationFrame(next) : done(); next(); });
  const messages = [...box.querySelectorAll('[data-message-id]')], above = messages[0], below = messages.at(-1);
  await frames(2);
  await new Promise((done) => setTimeout(done, 5)); // beside the drawing of a frame
  above.style.display = 'none';
  const height = box.scrollHeight;
  below.style.paddingBottom = '400px';
  await frames(4);
  return {height, left: box.scrollHeight - box.scrollTop - box.clientHeight};
}"""


@pytest.fixture(scope="module")
def leo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp("leo"))
    long_conversation(served.home, "A long one", SIZE)
    served.start()
    yield served
    served.stop()


def test_it_opens_at_its_end_and_is_read_upwards_without_a_jump(talk: Talk) -> None:
    talk.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    expect(talk.messages.last).to_be_in_viewport()
    expect(talk.messages.last).to_contain_text(f"Message {SIZE - 1}.")
    told = talk.page.evaluate(STEPS, 40)
    assert told["worst"] <= 2, told
    assert told["most"] <= 150, "no more is drawn than what is near"
    talk.page.get_by_test_id("to-end").click()
    expect(talk.messages.last).to_contain_text(f"Message {SIZE - 1}.")
    expect(talk.messages.last).to_be_in_viewport()


def test_older_messages_that_come_while_one_reads_leave_the_view_where_it_is(talk: Talk) -> None:
    held: list[Callable[[], None]] = []

    def through(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def come(frame: str | bytes) -> None:
            told = json.loads(frame)
            if "reply_to" in told and "earlier" in (told.get("data") or {}):
                held.append(lambda: page.send(frame))
            else:
                page.send(frame)

        server.on_message(come)

    talk.page.route_web_socket("**/ws*", through)
    talk.open()
    talk.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    expect(talk.messages.last).to_be_in_viewport()
    while not held:
        talk.page.wait_for_timeout(20)
    talk.page.evaluate(WHEEL)
    top = talk.page.evaluate(WHEEL)
    held.pop()()
    while not held:  # the page asks for what stands before these
        talk.page.wait_for_timeout(20)
    assert abs(talk.page.evaluate("document.querySelector('[data-testid=thread]').scrollTop") - top) <= 2


def test_a_message_far_up_is_gone_to_and_what_is_said_then_stands_at_the_end(talk: Talk) -> None:
    talk.page.get_by_test_id("conversation-row").first.locator("button.row").click()
    expect(talk.messages.last).to_contain_text(f"Message {SIZE - 1}.")
    talk.page.get_by_test_id("search").click()
    talk.page.get_by_test_id("search-input").fill("00077")
    talk.page.get_by_test_id("search-hit").first.click()
    expect(talk.messages.filter(has_text="Message 77.")).to_be_in_viewport()
    expect(talk.messages.filter(has_text=f"Message {SIZE - 1}.")).to_have_count(0)
    talk.say("hello from far up")
    expect(talk.said.last).to_contain_text("hello from far up")
    expect(talk.said.last).to_be_in_viewport()
    talk.rest()


def test_the_end_is_left_by_the_persons_hand_alone(talk: Talk) -> None:
    talk.page.get_by_test_id("conversation-row").filter(has_text="A long one").locator("button.row").click()
    expect(talk.messages.last).to_be_in_viewport()
    assert talk.page.evaluate(SHRINK_AND_GROW)["left"] <= 2
    expect(talk.page.get_by_test_id("to-end")).to_have_count(0)
    talk.page.get_by_test_id("thread").hover()
    talk.page.mouse.wheel(0, -300)
    expect(talk.page.get_by_test_id("to-end")).to_be_visible()
