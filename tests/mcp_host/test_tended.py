"""What a person sees of a server beside its state, and does to it beside switching it."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.config import ServerConfig, accept_launch, is_accepted, launch_hash
from app.mcp_host.remedies import applied, remedies_for
from app.mcp_host.status import Problem, Remedy
from app.mcp_host.tokens import Signing, TokensInMemory
from tests.mcp_host.desk import OpenDesk, eventually, fake


async def test_uses_and_failures_are_counted_over_restarts(desk: OpenDesk, tmp_path: Path) -> None:
    async with desk(fake("tool_error")) as d:
        await d.call("good")
        await d.call("bad")
        status = d.host.status("fake")
        assert (status.calls, status.last_error) == (2, "it went wrong")
        assert status.used_ms
        assert (status.era, status.signed_in) == ("legacy", False)
    async with desk(fake("tool_error")) as d:
        status = d.host.status("fake")
        assert (status.calls, status.last_error) == (2, "it went wrong")
        await d.host.remove("fake")
    assert "fake" not in (tmp_path / "data" / "mcp-use.json").read_text()


async def test_a_failed_start_is_the_last_error(desk: OpenDesk) -> None:
    async with desk(fake("x", file="dying.py")) as d:
        assert "exit code 4" in (d.host.status("fake").last_error or "")


async def test_the_memory_of_a_server_counts_what_it_started(desk: OpenDesk) -> None:
    async with desk(fake("grandchildren", name="many"), fake("good", name="one")) as d:
        await d.call("bad")
        memory = await d.host.memory()
        assert memory["one"] > 2 * 1024 * 1024
        assert memory["many"] > 1.5 * memory["one"], "three processes"


async def test_a_copy_starts_only_after_it_was_accepted(desk: OpenDesk) -> None:
    async with desk(fake("good", env={"KEY": "v"}, trusted=True, tools_off=("bad",))) as d:
        name = await d.host.copy("fake")
        copy = d.host.config(name)
        assert (name, copy.enabled, is_accepted(copy), copy.trusted) == ("fake-2", False, False, False)
        assert (copy.env, copy.args, copy.tools_off) == ({"KEY": "v"}, d.host.config("fake").args, ("bad",))


async def test_a_declined_launch_is_said_until_it_changes(desk: OpenDesk) -> None:
    async with desk(ServerConfig(name="sly", command=sys.executable, args=("-c", "0"))) as d:
        config = d.host.config("sly")
        d.host.decline("sly", "another hash")
        assert not d.host.status("sly").declined
        d.host.decline("sly", launch_hash(config))
        assert (d.host.status("sly").state, d.host.status("sly").declined) == ("waiting", True)
        await d.host.update("sly", config.model_copy(update={"args": ("-c", "1")}))
        assert not d.host.status("sly").declined


async def test_removing_a_server_forgets_its_tokens(desk: OpenDesk) -> None:
    tokens = TokensInMemory()
    await tokens.write("http://127.0.0.1:1/mcp", "{}")

    async def nowhere(url: str) -> None:
        raise AssertionError(url)

    far = ServerConfig(name="far", transport="http", url="http://127.0.0.1:1/mcp")
    async with desk(far, far.model_copy(update={"name": "twin"}), signing=Signing(tokens, nowhere)) as d:
        await d.host.remove("far")
        assert await tokens.read("http://127.0.0.1:1/mcp") == "{}", "its twin still needs them"
        await d.host.remove("twin")
        assert await tokens.read("http://127.0.0.1:1/mcp") is None


def trouble(kind: Any) -> Problem:
    return Problem(kind=kind, cause="It went wrong.")


@pytest.mark.parametrize(
    ("config", "kind", "remedy", "changes"),
    [
        ({"command": "npx", "args": ("pkg",)}, "timeout", ("argument", "-y"), {"args": ("-y", "pkg")}),
        ({"command": "docker", "args": ("run", "x")}, "closed", ("argument", "-i"), {"args": ("run", "-i", "x")}),
        ({"command": "uvx", "args": ("x",)}, "timeout", ("longer", "300"), {"start_timeout": 300.0}),
        ({"command": "x"}, "timeout", ("handshake", "initialize"), {"era": "legacy"}),
        ({"transport": "http", "url": "https://a.example"}, "http", ("address", "https://a.example/mcp"), {"url": "https://a.example/mcp"}),
        ({"transport": "http", "url": "https://localhost:8/mcp"}, "unreachable", ("address", "http://localhost:8/mcp"), {"url": "http://localhost:8/mcp"}),
    ],
)  # fmt: skip
def test_a_remedy_is_a_changed_configuration(
    config: dict[str, Any], kind: str, remedy: tuple[Any, str], changes: dict[str, Any]
) -> None:
    before = ServerConfig(name="s", **config)
    wanted = Remedy(kind=remedy[0], value=remedy[1])
    assert wanted in remedies_for(before, trouble(kind))
    assert applied(before, wanted) == before.model_copy(update=changes)


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"command": "npx", "args": ("-y", "pkg"), "start_timeout": 300, "era": "legacy"}, "timeout"),
        ({"command": "docker", "args": ("run", "-it", "x")}, "exited"),
        ({"transport": "http", "url": "https://a.example/mcp"}, "http"),
        ({"command": "x"}, "variable"),
    ],
)
def test_where_nothing_of_ours_helps_nothing_is_offered(config: dict[str, Any], kind: str) -> None:
    assert remedies_for(ServerConfig(name="s", **config), trouble(kind)) == ()


def test_a_program_that_is_elsewhere_or_has_a_stand_in_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    place = home / ".nvm" / "versions" / "node" / "v22.1.0" / "bin"
    place.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(tmp_path))
    (place / "npx").write_text("#!/bin/sh\n")
    (place / "npx").chmod(0o755)
    lost = ServerConfig(name="s", command="npx", args=("-y", "pkg"))
    found = remedies_for(lost, trouble("command_not_found"))
    assert found[0] == Remedy(kind="program", value=str(place / "npx"))
    assert all(r.kind != "install" for r in found)
    (place / "npx").unlink()
    (tmp_path / "uv").write_text("#!/bin/sh\n")
    (tmp_path / "uv").chmod(0o755)
    fetch = ServerConfig(name="s", command="uvx", args=("mcp-server-fetch",))
    [stand_in, *_] = remedies_for(fetch, trouble("command_not_found"))
    changed = applied(fetch, stand_in)
    assert changed is not None
    assert (changed.command, changed.args) == (str(tmp_path / "uv"), ("tool", "run", "mcp-server-fetch"))
    windows = ServerConfig(name="s", command="cmd", args=("/c", "uv", "run", "x"))
    [unwrapped, *_] = remedies_for(windows, trouble("command_not_found"))
    changed = applied(windows, unwrapped)
    assert changed is not None
    assert (changed.command, changed.args) == (str(tmp_path / "uv"), ("run", "x"))


async def test_a_remedy_is_carried_out_and_asks_again_where_the_launch_changed(desk: OpenDesk, tmp_path: Path) -> None:
    sleeps = ("-c", "import time; time.sleep(60)")
    start = accept_launch(ServerConfig(name="slow", command=sys.executable, args=sleeps, start_timeout=1))
    async with desk(start) as d:
        await d.until("slow", "error")
        remedies = d.host.status("slow").remedies
        assert [r.kind for r in remedies] == ["longer", "handshake"]
        await d.host.remedy("slow", remedies[0])
        assert d.host.config("slow").start_timeout == 300
        assert is_accepted(d.host.config("slow")), "more time is no other launch"
        with pytest.raises(ValueError, match="another trouble"):
            await d.host.remedy("slow", remedies[1])
        await asyncio.wait_for(d.host.enable("slow", False), 12)
    gone = accept_launch(ServerConfig(name="gone", command="cmd", args=("/c", sys.executable, "-c", "0")))
    async with desk(gone) as d:
        await eventually(lambda: d.host.status("gone").state == "error")
        await d.host.remedy("gone", d.host.status("gone").remedies[0])
        status = d.host.status("gone")
        assert status.state == "waiting"
        assert status.question is not None
        assert f"+ command: {sys.executable}" in status.question.difference
    assert json.loads((tmp_path / "data" / "mcp-use.json").read_text())["gone"]["error"]
