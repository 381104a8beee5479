"""The `leochat` server: one UI command a call, cards, pictures, progress and a guide."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import pytest
from mcp_types import TextContent

from mcp_servers.leochat import create
from tests.mcp_servers.calls import Tools, text_of, tools_of, tools_over_stdio

COMMANDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("update_theme", {"theme": "deep green"}, {"themeId": "dark-green"}),
    ("update_theme", {"theme": "morado", "mode": "dark"}, {"themeId": "dark-purple"}),
    ("update_theme", {"mode": "dark"}, {"mode": "dark"}),
    ("update_theme", {"theme": "my own"}, {"themeId": "my own"}),
    ("resize_window", {"preset": "small"}, {"preset": "small"}),
    ("resize_window", {"width": 900}, {"width": 900}),
    ("resize_window", {"width": 900, "height": 700}, {"width": 900, "height": 700}),
    ("show_notification", {"message": "Hola"}, {"message": "Hola"}),
    (
        "show_notification",
        {"message": "Hola", "type": "success", "duration": 1000},
        {"message": "Hola", "type": "success", "duration": 1000},
    ),
    (
        "show_confirm",
        {"title": "Sure?", "message": "Really", "confirmText": "Yes", "cancelText": "No"},
        {"title": "Sure?", "message": "Really", "confirmText": "Yes", "cancelText": "No"},
    ),
    ("open_panel", {"panel": "settings", "tab": "limits"}, {"panel": "settings", "tab": "limits"}),
    ("close_panel", {"panel": "all"}, {"panel": "all"}),
    ("set_input", {"text": "Hi", "append": True}, {"text": "Hi", "append": True}),
    ("scroll_to_message", {"position": "top"}, {"position": "top"}),
    ("scroll_to_message", {"messageId": "m1"}, {"messageId": "m1"}),
    ("copy_to_clipboard", {"text": "ñ 你好"}, {"text": "ñ 你好"}),
    ("open_url", {"url": " https://example.org/a?b=1 "}, {"url": "https://example.org/a?b=1"}),
    ("open_url", {"url": "mailto:a@example.org"}, {"url": "mailto:a@example.org"}),
]


@pytest.fixture
def tools() -> Tools:
    return Tools(server=create({"language": "en"}))


@pytest.mark.parametrize(("tool", "arguments", "payload"), COMMANDS)
async def test_a_command_tool_answers_with_its_command_and_nothing_else(
    tools: Tools, tool: str, arguments: dict[str, Any], payload: dict[str, Any]
) -> None:
    result = await tools.result(tool, **arguments)
    assert not result.is_error
    assert result.structured_content is None
    assert len(result.content) == 1
    assert isinstance(result.content[0], TextContent)
    command = json.loads(result.content[0].text)
    assert command == {"__ui_command__": True, "command": tool, "payload": payload}


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("update_theme", {}, "dark-purple"),
        ("resize_window", {}, "preset"),
        ("scroll_to_message", {}, "position"),
        ("open_url", {"url": "javascript:alert(1)"}, "https"),
        ("open_url", {"url": "file:///etc/passwd"}, "https"),
        ("open_url", {"url": "https://a\n.example"}, "https"),
        ("open_url", {"url": "example.org"}, "https"),
        ("resize_window", {"preset": "huge"}, "preset"),
        ("open_panel", {"panel": "secrets"}, "panel"),
        ("show_card", {"card": {}}, "title"),
        ("show_card", {"card": {"id": " ", "title": "x"}}, "card.id"),
        ("show_card", {"card": {"kind": 3, "title": "x"}}, "card.kind"),
        ("show_card", {"card": {"title": "x", "body": "text"}}, "card.body"),
    ],
)
async def test_a_call_that_makes_no_sense_is_answered_with_what_to_give(
    tools: Tools, tool: str, arguments: dict[str, Any], named: str
) -> None:
    assert named in await tools.refused(tool, **arguments)


async def test_a_card_comes_back_in_an_envelope_with_what_it_lacked(tools: Tools) -> None:
    card = {"title": "Pick", "body": [{"type": "text", "text": "one"}], "extra": {"kept": 1}}
    envelope = json.loads(await tools.ok("show_card", card=card))
    assert envelope["type"] == "leochat-card"
    assert envelope["llmInstruction"]
    assert envelope["card"]["kind"] == "summary"
    assert envelope["card"]["id"]
    assert {**envelope["card"], **card} == envelope["card"]


async def test_a_cards_own_id_and_kind_are_kept(tools: Tools) -> None:
    card = {"id": "c1", "kind": "galaxy", "title": "Pick"}
    assert json.loads(await tools.ok("show_card", card=card))["card"] == card


async def test_the_test_tool_reports_progress_and_answers() -> None:
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    async with tools_of(create({})) as tools:
        result = await tools.client.call_tool("test_tool_call", {"duration": 0.3, "message": "done"}, progress_callback=note)
    assert text_of(result) == "done"
    assert [progress for progress, _ in seen] == sorted({progress for progress, _ in seen})
    assert seen[-1][0] == pytest.approx(0.3)
    assert seen[-1][1] == 0.3


async def test_the_test_tool_fails_when_asked_to(tools: Tools) -> None:
    assert "boom" in await tools.refused("test_tool_call", duration=0, shouldFail=True, message="boom")


async def test_the_test_tool_stops_at_once_when_cancelled(tools: Tools) -> None:
    with anyio.fail_after(10), anyio.move_on_after(0.05) as scope:
        await tools.result("test_tool_call", duration=300)
    assert scope.cancelled_caught
    assert await tools.ok("test_tool_call", duration=0) == "The test tool works."


async def test_the_guide_speaks_the_apps_language() -> None:
    for language, word in (("en", "You can act"), ("es", "Puedes actuar"), ("xx", "You can act")):
        async with tools_of(create({"language": language})) as tools:
            prompts = (await tools.client.list_prompts()).prompts
            assert [prompt.name for prompt in prompts] == ["leochat_tool_guide"]
            guide = await tools.client.get_prompt("leochat_tool_guide")
            assert isinstance(guide.messages[0].content, TextContent)
            assert word in guide.messages[0].content.text


class Pictures(BaseHTTPRequestHandler):
    """A stand-in for the picture service."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        status, body = self.answer(self.path)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def answer(self, path: str) -> tuple[int, bytes]:
        if path.endswith("/dance"):
            return 503, b"busy"
        if path.endswith("/pat"):
            return 200, b"<html>"
        if path.endswith("/wave"):
            return 200, b'{"files": ["http://plain.example/a.jpg", 3]}'
        files = [f"https://pictures.example/{path.rsplit('/', 1)[1]}/{n}.jpg" for n in range(30)]
        return 200, json.dumps({"files": files}).encode()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has
        """Say nothing."""


@pytest.fixture
def service() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.mark.parametrize("count", [1, 3, 5])
async def test_pictures_come_as_a_media_card(service: str, count: int) -> None:
    async with tools_of(create({"waifu_url": service, "language": "es"})) as tools:
        answer = json.loads(await tools.ok("generate_waifu", category="neko", count=count))
    card = answer["card"]
    assert (card["kind"], card["title"]) == ("media", "Imágenes al azar")
    block = card["body"][0]
    images = [block["image"]] if count == 1 else block["images"]
    assert [image["url"] for image in images] == [f"https://pictures.example/neko/{n}.jpg" for n in range(count)]
    assert card["actions"][0]["action"]["payload"]["text"] == f'[generate_waifu category="neko" count={count}]'


@pytest.mark.parametrize(("category", "said"), [("dance", "503"), ("pat", "not JSON"), ("wave", "no pictures")])
async def test_a_picture_service_in_trouble_is_named(service: str, category: str, said: str) -> None:
    async with tools_of(create({"waifu_url": service})) as tools:
        assert said in await tools.refused("generate_waifu", category=category)


async def test_without_a_network_the_pictures_say_so() -> None:
    async with tools_of(create({"offline": True})) as tools:
        assert "offline" in await tools.refused("generate_waifu")
    async with tools_of(create({"waifu_url": "http://127.0.0.1:9"})) as tools:
        assert "cannot be reached" in await tools.refused("generate_waifu")


async def test_it_runs_alone_over_stdio() -> None:
    async with tools_over_stdio("mcp_servers.leochat", LEOCHAT_LANGUAGE="es") as tools:
        assert '"dark-green"' in await tools.ok("update_theme", theme="verde oscuro")
        guide = await tools.client.get_prompt("leochat_tool_guide")
        assert isinstance(guide.messages[0].content, TextContent)
        assert "Puedes actuar" in guide.messages[0].content.text
