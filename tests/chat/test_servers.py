"""The servers page's rows: the launch as it is accepted, what changed since, and what was granted."""

import sys
from pathlib import Path
from typing import Any

import pytest

from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.chat.said import ServerInfo
from app.mcp_host.config import ServerConfig, accept_launch
from tests.chat.conftest import Opener
from tests.mcp_host.desk import Desk, eventually, fake, words


def row(leo: LeoChat, name: str) -> ServerInfo:
    return next(s for s in leo.servers.changed().servers if s.name == name)


async def test_nothing_in_a_shown_launch_is_invisible(opened: Opener):
    hidden = ServerConfig(
        name="sly", command="npx", args=("good\u202etxt", "a\u200bb"), env={"NODE_OPTIONS": "--require /x.js", "KEY": "s3cret"}
    )
    far = ServerConfig(name="far", transport="http", url="https://ex\u200dample.com/mcp", headers={"Authorization": "s3cret"})
    leo = await opened(hidden, far)
    shown = row(leo, "sly")
    assert shown.command == ("npx", "good\\u{202e}txt", "a\\u{200b}b")
    assert shown.variables == ("KEY", "NODE_OPTIONS=--require /x.js")
    assert (shown.state, shown.accepted) == ("waiting", False)
    assert row(leo, "far").url == "https://ex\\u{200d}ample.com/mcp"
    assert "s3cret" not in str(leo.servers.changed())


async def test_a_server_that_is_off_and_was_never_accepted_says_so_and_can_be_accepted(opened: Opener):
    config = fake("good").model_copy(update={"enabled": False, "accepted_hash": None, "accepted_launch": ()})
    leo = await opened(config)
    shown = row(leo, "fake")
    assert (shown.state, shown.accepted) == ("disabled", False)
    assert shown.hash
    await leo.servers.accept("fake", shown.hash, None)
    assert (row(leo, "fake").state, row(leo, "fake").accepted) == ("disabled", True)
    await leo.servers.enable("fake", True)
    await eventually(lambda: row(leo, "fake").state == "ready")


async def test_a_changed_launch_is_shown_as_a_difference_and_takes_back_what_was_granted(opened: Opener):
    before = accept_launch(ServerConfig(name="tool", command="old-tool", args=("--fast",), enabled=False))
    leo = await opened(before)
    await leo.servers.grant("tool", ui_commands=True, trusted=True)
    await leo.servers.update("tool", {"name": "tool", "command": "old-tool", "args": ["--slow"]})
    shown = row(leo, "tool")
    assert shown.changes == "- argument: --fast\n+ argument: --slow"
    assert (shown.accepted, shown.ui_commands, shown.trusted) == (False, False, False)


async def test_our_own_server_may_command_the_window_and_other_bundled_ones_may_not(opened: Opener):
    leo = await opened(bundled=("leochat", "shop"))
    assert (row(leo, "leochat").ui_commands, row(leo, "leochat").trusted) == (True, True)
    assert (row(leo, "shop").ui_commands, row(leo, "shop").trusted) == (False, True)


async def test_the_form_changes_what_it_shows_and_keeps_a_secret_to_itself(opened: Opener):
    facts: dict[str, Any] = {
        "client_id": "leo",
        "client_secret": "s3cret",
        "start_timeout": 300.0,
        "era": "legacy",
        "enabled": False,
    }
    far = accept_launch(ServerConfig(name="far", transport="sse", url="https://far.example/sse", **facts))
    leo = await opened(far)
    form = leo.servers.form("far")
    assert (form["client_id"], form["client_secret"], form["has_secret"]) == ("leo", None, True)
    await leo.servers.update("far", form)
    assert leo.host.config("far") == far
    await leo.servers.update("far", {**form, "client_secret": "other", "signs_in": "client"})
    assert (leo.host.config("far").client_secret, leo.host.config("far").signs_in) == ("other", "client")
    await leo.servers.update("far", {**form, "client_id": None})
    assert leo.host.config("far").client_secret is None


async def test_a_trial_starts_no_program_that_was_not_shown_and_accepted(opened: Opener, tmp_path: Path):
    leo = await opened(fake("good"))
    form = leo.servers.form("fake")
    assert leo.servers.launch(form).accepted
    assert (await leo.servers.test(None, form)).ok
    mark = tmp_path / "started"
    for name in ("fake", "new"):
        changed = {**form, "name": name, "args": ["-c", f"open({str(mark)!r}, 'w')"]}
        shown = leo.servers.launch(changed)
        assert not shown.accepted
        assert shown.command == (sys.executable, *changed["args"])
        for wrong in (None, leo.servers.launch(form).hash):
            with pytest.raises(Refused, match="is not what was shown"):
                await leo.servers.test(None, changed, wrong)
        assert not mark.exists()
        assert not (await leo.servers.test(None, changed, shown.hash)).ok
        assert mark.exists()
        mark.unlink()
    for change in ({"cwd": str(tmp_path)}, {"env": {"NODE_OPTIONS": "--require x"}}, {"command": "other"}):
        assert not leo.servers.launch({**form, **change}).accepted
    assert row(leo, "fake").accepted
    assert leo.servers.launch({"name": "far", "url": "https://far.example/mcp"}).accepted


async def test_the_time_for_a_tool_in_the_settings_holds_from_the_next_call_on(opened: Opener):
    leo = await opened(fake("hangs"))
    leo.settings.set("limits.tool_seconds", 2)
    output = await Desk(leo.host, []).call("bad")
    assert "did not answer within 2 s" in words(output)
