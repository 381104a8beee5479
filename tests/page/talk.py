"""A person at the page: what they write, click and read."""

import re

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from tests.page.served import Served

PATIENCE_MS = 30_000
OWN_SCHEMES = ("data:", "blob:", "about:")


class Talk:
    """`complaints` are script errors, violations of the page's policy, and requests that left our own origin."""

    def __init__(self, page: Page, leo: Served) -> None:
        self.page = page
        self.leo = leo
        self.complaints: list[str] = []
        self._origins = {leo.origin}
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("console", self._on_console)
        page.on("request", self._on_request)
        self.composer = page.get_by_test_id("composer")
        self.messages = page.get_by_test_id("message")
        self.cards = page.get_by_test_id("card")
        self.toast = page.get_by_test_id("toast")

    def _on_console(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.complaints.append(message.text)

    def _on_request(self, request: Request) -> None:
        if not self.owns(request.url):
            self.complaints.append(f"a request to {request.url}")

    def owns(self, url: str) -> bool:
        """Whether an address is of our own origin, now or before a restart, or of none."""
        self._origins.add(self.leo.origin)
        return url.startswith((*(f"{origin}/" for origin in self._origins), *OWN_SCHEMES))

    def open(self) -> None:
        self.page.goto("about:blank")  # the fragment alone would not load it again
        self.page.goto(self.leo.address)
        expect(self.composer).to_be_visible()

    def ready(self, *names: str) -> None:
        """Until these servers are ready (their tools are offered)."""
        self.page.get_by_test_id("open-servers").click()
        for name in names:
            expect(self.server(name)).to_have_attribute("data-status", "ready", timeout=60_000)
        self.page.get_by_test_id("close-settings").click()

    def server(self, name: str) -> Locator:
        return self.page.locator(f'[data-testid="server-row"][data-server="{name}"]')

    def new(self) -> None:
        self.page.get_by_test_id("new-conversation").click()
        expect(self.messages).to_have_count(0)

    def say(self, text: str) -> None:
        """Until it stands there as said; not so with a slash command, or while a task runs, when it is queued."""
        stands = not text.startswith("/") and self.page.get_by_test_id("stop").count() == 0
        before = self.said.last.get_attribute("data-message-id") if stands and self.said.count() else ""
        self.send(text)
        if stands:
            expect(self.said.last).not_to_have_attribute("data-message-id", before or "")

    def send(self, text: str) -> None:
        self.composer.fill(text)
        self.page.get_by_test_id("send").click()

    def rest(self) -> None:
        """Until what was said last has an answer and no task runs."""
        expect(self.answers).not_to_have_count(0)
        expect(self.messages.last).not_to_have_attribute("data-role", "user")
        expect(self.page.get_by_test_id("stop")).to_have_count(0)

    def hear(self, text: str | re.Pattern[str]) -> Locator:
        """Until an answer says that."""
        heard = self.answers.filter(has_text=text).last
        expect(heard).to_be_visible()
        return heard

    @property
    def answers(self) -> Locator:
        return self.page.locator('[data-testid="message"][data-role="assistant"]')

    @property
    def said(self) -> Locator:
        return self.page.locator('[data-testid="message"][data-role="user"]')

    def card(self, start: str) -> Locator:
        """The newest card whose id begins like that."""
        return self.page.locator(f'[data-testid="card"][data-card-id^="{start}"]').last

    def press(self, card: Locator, action: str) -> None:
        button_of(card, action).click()

    def call(self, tool: str) -> Locator:
        """The newest row of a tool, by the end of its name."""
        return self.page.locator(f'[data-testid="tool-call"][data-tool$="{tool}"]').last

    def confirm(self, testid: str = "confirm-ok") -> Locator:
        dialog = self.page.get_by_test_id("confirm-dialog")
        expect(dialog).to_be_visible()
        dialog.get_by_test_id(testid).click()
        expect(dialog).to_have_count(0)
        return dialog


def button_of(card: Locator, action: str) -> Locator:
    return card.locator(f'[data-testid="card-action"][data-action-id="{action}"]')
