"""Third-party servers through the settings page: added, tried, used by the model, removed; what does not start."""

import os
import shutil
import socket
import subprocess
from collections.abc import Generator

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Opener
from tests.page.served import ROOT
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(300)
PACKAGE = ROOT / ".cache" / "mcp-everything" / "node_modules" / "@modelcontextprotocol" / "server-everything"
NOT_THERE = "the reference server is not installed: python3 build test installs it"
LONG = "trigger-long-running-operation"


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None or not PACKAGE.is_dir():
        pytest.skip(NOT_THERE)
    return found


@pytest.fixture
def url(node: str) -> Generator[str]:
    """The reference server over streamable HTTP."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [node, str(PACKAGE / "dist" / "index.js"), "streamableHttp"]
    with subprocess.Popen(
        command, env={**os.environ, "PORT": str(port)}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as server:
        assert server.stderr is not None
        assert any(b"listening" in line for line in server.stderr)
        yield f"http://127.0.0.1:{port}/mcp"
        server.terminate()


@pytest.fixture
def talk(opened: Opener) -> Talk:
    talk = opened()
    talk.page.get_by_test_id("open-servers").click()
    expect(talk.server("filesystem")).to_be_visible()
    talk.page.get_by_test_id("server-add").click()
    return talk


def fill(talk: Talk, **fields: str) -> None:
    for name, text in fields.items():
        talk.page.get_by_test_id(f"server-{name}").fill(text)


def tried(talk: Talk, ok: str, *shown: str) -> str:
    """What the Test button finds; for a local program after exactly that was `shown` and accepted."""
    talk.page.get_by_test_id("server-test").click()
    consent = talk.page.get_by_test_id("server-consent")
    for text in shown:
        expect(consent).to_contain_text(text)
    if shown:
        expect(talk.page.get_by_test_id("server-report")).to_have_count(0)
        consent.get_by_test_id("server-accept").click()
        expect(consent).to_have_count(0)
    report = talk.page.get_by_test_id("server-report")
    expect(report).to_have_attribute("data-ok", ok, timeout=60_000)
    return report.inner_text()


def saved(talk: Talk, name: str, *shown: str) -> None:
    """Saved and accepted, after exactly that was shown."""
    talk.page.get_by_test_id("server-save").click()
    consent = talk.page.get_by_test_id("server-consent")
    for text in shown:
        expect(consent).to_contain_text(text)
    expect(talk.server(name)).not_to_have_attribute("data-status", "ready")
    talk.page.get_by_test_id("server-accept").click()
    expect(talk.server(name)).to_have_attribute("data-status", "ready", timeout=60_000)


def used(talk: Talk, name: str) -> None:
    """The model calls its tools, after asking."""
    talk.page.get_by_test_id("close-settings").click()
    talk.say(f'[{name}__echo message="hi there"]')
    talk.page.get_by_test_id("approval").get_by_test_id("approve").click()
    row = talk.call("echo")
    expect(row).to_have_attribute("data-state", "done")
    row.locator("summary").first.click()
    expect(row).to_contain_text("Echo: hi there")
    talk.rest()
    talk.say(f"[{name}__{LONG} duration=3 steps=6]")
    talk.page.get_by_test_id("approval").get_by_test_id("approve").click()
    working = talk.call(LONG)
    expect(working.get_by_role("progressbar")).to_be_visible()
    expect(working).to_have_attribute("data-state", "done")
    talk.rest()
    talk.say(f"[{name}__get-sum a=2 b=40]")
    talk.page.get_by_test_id("approve-always").click()
    expect(talk.call("get-sum")).to_have_attribute("data-state", "done")
    talk.rest()
    talk.say(f"[{name}__get-sum a=1 b=1]")
    expect(talk.page.locator(f'[data-tool="{name}__get-sum"][data-state="done"]')).to_have_count(2)
    talk.rest()


def removed(talk: Talk, name: str) -> None:
    talk.page.get_by_test_id("open-servers").click()
    talk.server(name).locator("button.pick").click()
    talk.page.get_by_test_id("server-remove").click()
    talk.confirm("confirm-cancel")
    expect(talk.server(name)).to_be_visible()
    talk.page.get_by_test_id("server-remove").click()
    talk.confirm()
    expect(talk.server(name)).to_have_count(0)
    talk.page.reload()
    talk.page.get_by_test_id("open-servers").or_(talk.page.get_by_test_id("settings-servers")).first.click()
    expect(talk.server("filesystem")).to_be_visible()
    expect(talk.server(name)).to_have_count(0)


def test_the_reference_server_is_added_by_form_used_and_removed(talk: Talk, node: str) -> None:
    program = str(PACKAGE / "dist" / "index.js")
    fill(talk, name="reference", command=node, args=f"{program} stdio")
    assert "echo" in tried(talk, "true", node, program, "stdio")
    saved(talk, "reference", node, program, "stdio")
    used(talk, "reference")
    removed(talk, "reference")


def test_the_reference_server_is_added_by_address_used_and_removed(talk: Talk, url: str) -> None:
    fill(talk, name="distant", url=url)
    assert "echo" in tried(talk, "true")
    saved(talk, "distant", url)
    used(talk, "distant")
    removed(talk, "distant")


def test_the_usual_json_can_be_pasted(talk: Talk, node: str) -> None:
    program = str(PACKAGE / "dist" / "index.js").replace("\\", "\\\\")
    fill(talk, json=f'{{"mcpServers": {{"pasted": {{"command": "{node}", "args": ["{program}", "stdio"]}}}}}}')
    saved(talk, "pasted", node, "stdio")
    talk.page.get_by_test_id("close-settings").click()
    removed(talk, "pasted")


def test_what_was_not_accepted_does_not_start(talk: Talk, node: str) -> None:
    fill(talk, name="declined", command=node, args="-e 0")
    talk.page.get_by_test_id("server-save").click()
    talk.page.get_by_test_id("server-decline").click()
    expect(talk.server("declined")).to_have_attribute("data-status", "stopped")
    expect(talk.page.get_by_test_id("server-review")).to_be_visible()


def test_a_command_that_is_not_there_names_what_was_looked_for(talk: Talk) -> None:
    fill(talk, name="missing", command="no-such-program-here", args="--stdio")
    said = tried(talk, "false", "no-such-program-here", "--stdio")
    assert "no-such-program-here" in said
    assert "PATH" in said
    talk.page.get_by_test_id("server-save").click()
    talk.page.get_by_test_id("server-accept").click()
    expect(talk.server("missing")).to_have_attribute("data-status", "error")
    expect(talk.server("missing")).to_contain_text("no-such-program-here")


def test_a_program_that_ends_shows_its_code_and_its_last_words(talk: Talk, node: str) -> None:
    fill(talk, name="dying", command=node, args="-e \"console.error('no licence found'); process.exit(3)\"")
    said = tried(talk, "false", node, "process.exit(3)")
    assert "no licence found" in said
    assert "3" in said


def test_an_address_where_nobody_answers_says_so(talk: Talk) -> None:
    fill(talk, name="nobody", url="http://127.0.0.1:1/mcp")
    assert "127.0.0.1" in tried(talk, "false")


def test_an_address_that_is_no_server_tells_the_status(talk: Talk) -> None:
    fill(talk, name="wrong", url=f"{talk.leo.origin}/mcp")
    assert any(code in tried(talk, "false") for code in ("401", "403", "404", "405", "421"))


def test_tools_can_be_switched_off(talk: Talk) -> None:
    talk.server("leochat").locator("button.pick").click()
    switch = talk.page.get_by_role("switch", name="test_tool_call").or_(talk.page.get_by_label("test_tool_call")).first
    switch.click()
    talk.page.get_by_test_id("close-settings").click()
    talk.say("[leochat__test_tool_call]")
    talk.rest()
    expect(talk.page.locator('[data-tool$="test_tool_call"][data-state="done"]')).to_have_count(0)


def test_the_whole_walk_goes_by_keys_alone(opened: Opener, node: str) -> None:
    """A server is added, tried, accepted, looked at tab by tab, a tool of its switched off, and the server removed."""
    talk = opened()
    page, keys = talk.page, talk.page.keyboard

    def reach(test_id: str, back: bool = False) -> None:
        """By Tab alone, as somebody without a mouse gets there."""
        wanted = page.get_by_test_id(test_id)
        expect(wanted.first).to_be_visible()
        for _ in range(120):
            if page.evaluate("document.activeElement?.dataset.testid") == test_id:
                return
            keys.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"{test_id} is not reached by Tab")

    reach("open-servers")
    keys.press("Enter")
    reach("server-add")
    keys.press("Enter")
    expect(page.get_by_test_id("server-name")).to_be_focused()
    keys.type("keys")
    keys.press("Tab")
    keys.type(f"{node} {PACKAGE / 'dist' / 'index.js'} stdio")
    reach("server-test")
    keys.press("Enter")
    expect(page.get_by_test_id("server-decline")).to_be_focused()
    reach("server-accept")
    keys.press("Enter")
    expect(page.get_by_test_id("server-report")).to_have_attribute("data-ok", "true", timeout=60_000)
    reach("server-save")
    keys.press("Enter")
    expect(page.get_by_test_id("server-decline")).to_be_focused()
    reach("server-accept")
    keys.press("Enter")
    expect(talk.server("keys")).to_have_attribute("data-status", "ready", timeout=60_000)
    reach("server-tab-tools")
    for tab in ("prompts", "resources", "log", "tools"):
        keys.press("ArrowRight")
        expect(page.get_by_test_id(f"server-tab-{tab}")).to_be_focused()
        expect(page.get_by_test_id(f"server-tab-{tab}")).to_have_attribute("aria-selected", "true")
    keys.press("Tab")
    keys.press("Tab")
    switch = page.locator(".tools input[role=switch]").first
    expect(switch).to_be_focused()
    keys.press("Space")
    expect(switch).not_to_be_checked()
    reach("server-remove", back=True)
    keys.press("Enter")
    expect(page.get_by_test_id("confirm-dialog")).to_be_visible()
    reach("confirm-ok")
    keys.press("Enter")
    expect(talk.server("keys")).to_have_count(0)
    assert page.evaluate("document.activeElement !== document.body"), "the focus is lost with the server"
