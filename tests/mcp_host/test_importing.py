"""Registry entries, the original LeoChat's own storage, and files of any kind as servers to be added."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.blanks import Candidate, filled
from app.mcp_host.config import command_line, is_accepted
from app.mcp_host.importing import read_file, read_text

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "server_json"
shared = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared registry entries are not beside this project")


def entry(**more: Any) -> str:
    return json.dumps({"name": "io.example/weather-mcp", "description": "Rain", "version": "2.0", **more})


def package(registry: str, **more: Any) -> str:
    known = {"registryType": registry, "identifier": "thing", "version": "1.2", "transport": {"type": "stdio"}}
    return entry(packages=[{**known, **more}])


def lines(text: str, **values: Any) -> list[str]:
    """Name and command or address of each server of a text, its blanks filled in."""
    found = [filled(c, values, strict=False) for c in read_text(text).candidates]
    assert not any(is_accepted(c) or c.enabled for c in found)
    return [f"{c.name}: {command_line(c)}" for c in found]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (package("npm"), "weather: npx -y thing@1.2"),
        (package("npm", runtimeHint="bunx"), "weather: bunx -y thing@1.2"),
        (package("npm", runtimeHint="rm"), "weather: npx -y thing@1.2"),
        (package("pypi", version=""), "weather: uvx thing"),
        (package("oci", identifier="ghcr.io/a/b:3"), "weather: docker run -i --rm ghcr.io/a/b:3"),
        (package("oci", environmentVariables=[{"name": "T", "value": "1"}]), "weather: docker run -i --rm -e T thing:1.2"),
        (package("nuget"), "weather: dnx thing@1.2 --yes"),
        (package("npm", runtimeArguments=[{"type": "named", "name": "--yes"}]), "weather: npx --yes thing@1.2"),
        (package("npm", packageArguments=[{"type": "positional", "value": "serve"}]), "weather: npx -y thing@1.2 serve"),
        (package("npm", packageArguments=[{"name": "--port", "value": "{p}", "variables": {"p": {"default": "80"}}}]),
         "weather: npx -y thing@1.2 --port 80"),
        (package("npm", packageArguments=[{"name": "--dir", "format": "filepath"}]), "weather: npx -y thing@1.2"),
        (entry(remotes=[{"type": "sse", "url": "https://a.example/{t}/sse", "variables": {"t": {"default": "x"}}}]),
         "weather: https://a.example/x/sse"),
    ],
)  # fmt: skip
def test_a_registry_entry_is_started_as_its_registry_says(text: str, line: str) -> None:
    assert lines(text) == [line]


def test_several_ways_to_one_server_are_offered_apart() -> None:
    remote = {"type": "streamable-http", "url": "https://a.example/mcp"}
    one = {"registryType": "npm", "identifier": "thing", "version": "1", "transport": {"type": "stdio"}}
    assert lines(entry(packages=[one], remotes=[remote, remote])) == [
        "weather-npx: npx -y thing@1",
        "weather-remote-1: https://a.example/mcp",
        "weather-remote-2: https://a.example/mcp",
    ]


def test_secrets_choices_and_formats_become_a_form() -> None:
    variables = [
        {"name": "API_KEY", "isSecret": True, "isRequired": True, "description": "From your account"},
        {"name": "UNIT", "choices": ["C", "F"], "default": "C"},
        {"name": "MODE", "value": "fast"},
        {"name": "TOKEN", "value": "Bearer {secret}", "variables": {"secret": {"isSecret": True}}},
    ]
    [candidate] = read_text(package("npm", environmentVariables=variables)).candidates
    shown = {b.key: (b.required, b.secret, b.choices, b.default) for b in candidate.blanks}
    assert shown == {
        "API_KEY": (True, True, (), ()),
        "UNIT": (False, False, ("C", "F"), ("C",)),
        "secret": (False, True, (), ()),
    }
    with pytest.raises(ValueError, match=r"API_KEY is missing\. UNIT is one of C, F\."):
        filled(candidate, {"UNIT": "K"})
    assert filled(candidate, {"API_KEY": "k"}).env == {"API_KEY": "k", "UNIT": "C", "MODE": "fast"}
    assert filled(candidate, {"API_KEY": "k", "secret": "s"}).env["TOKEN"] == "Bearer s"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (package("cargo"), "registry 'cargo'"),
        (package("npm", identifier="--registry=http://evil"), "cannot start"),
        (package("npm", identifier="a; rm -rf /"), "cannot start"),
        (package("npm", transport={"type": "streamable-http", "url": "http://localhost:1/mcp"}), "localhost:1"),
        (entry(packages=[]), "names no package"),
        ('{"manifest_version": "0.3", "name": "x", "server": {"type": "node"}}', "only the manifest"),
    ],
)
def test_what_cannot_be_started_says_why(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_text(text)


def test_a_registrys_answer_with_many_entries_is_read_too() -> None:
    answer = {"servers": [{"server": json.loads(package("npm"))}, {"server": json.loads(package("pypi"))}]}
    assert lines(json.dumps(answer)) == ["weather: npx -y thing@1.2", "weather: uvx thing@1.2"]


GITHUB = (
    "github-docker: docker run -i --rm -p 127.0.0.1:8085:8085 -e GITHUB_OAUTH_CALLBACK_PORT=8085 "
    '"ghcr.io/github/github-mcp-server:${VERSION}"'
)


@shared
@pytest.mark.parametrize(
    ("name", "first", "count"),
    [
        ("ghmcp.server.json", GITHUB, 2),
        ("pwmcp.server.json", "playwright: npx -y @playwright/mcp@0.0.79", 1),
        ("seed-2025-05-16-picked.json", "magic: npx -y @21st-dev/magic@0.0.46", 19),
    ],
)  # fmt: skip
def test_published_entries_are_read_as_they_are_meant(name: str, first: str, count: int) -> None:
    found = lines((SAMPLES / name).read_text(encoding="utf-8"))
    assert found[0] == first
    assert len(found) == count


STATE: dict[str, Any] = {
    "builtinServers": [{"id": "memory", "name": "Memory", "transport": "stdio", "command": "npx", "args": ["-y", "m"]}],
    "customServers": [
        {"id": "u1", "name": "Far", "transport": "streamable-http", "url": "http://localhost:3/sse", "env": {"A": "1"}},
        {"id": "u2", "name": "Near", "transport": "stdio", "command": "node", "args": ["x.js"], "timeout": 5000},
        {"id": "u3", "name": "Broken", "transport": "stdio"},
    ],
    "autoConnectServerIds": ["u1"],
    "disabledToolIds": ["u2:rm", "u1:drop", "memory:forget"],
}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"state": STATE, "version": 0}),
        json.dumps({"leochat-mcp-storage": json.dumps({"state": STATE, "version": 0}), "theme": "dark"}),
        json.dumps(STATE),
    ],
)
def test_what_the_original_leochat_kept_comes_over(text: str) -> None:
    reading = read_text(text)
    by_name: dict[str, Candidate] = {c.config.name: c for c in reading.candidates}
    assert list(by_name) == ["Far", "Near"]
    assert by_name["Far"].config.url == "http://localhost:3/sse"
    assert by_name["Far"].config.transport == "http", "streamable HTTP is tried first, SSE where that is refused"
    assert (by_name["Near"].config.tools_off, by_name["Near"].config.timeout) == (("rm",), 5.0)
    assert not any(c.config.enabled for c in reading.candidates)
    told = " ".join(reading.notes)
    assert "Memory" in told
    assert "Broken" in told


def test_a_file_may_be_of_any_kind(tmp_path: Path) -> None:
    config = '{"mcpServers": {"s": {"command": "x"}}}'
    for data in (config.encode("utf-8-sig"), config.encode("utf-16"), b"npx -y pkg", b"https://a.example/mcp"):
        assert len(read_file(data, tmp_path).candidates) == 1
    with pytest.raises(ValueError, match=r"[A-Z].*\."):
        read_file(b"\x00\x01\x02 no servers here", tmp_path)
