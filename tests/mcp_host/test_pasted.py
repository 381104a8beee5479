"""Configurations of other programs, as people paste them."""

import pytest

from app.mcp_host.config import is_accepted
from app.mcp_host.pasted import Pasted, parse_pasted

NPX = '"command": "npx", "args": ["-y", "pkg"]'


def only(text: str) -> tuple[str, str, str, tuple[str, ...]]:
    [server] = parse_pasted(text).servers
    return server.name, server.transport, server.command or server.url or "", server.args


@pytest.mark.parametrize(
    "text",
    [
        '{"mcpServers": {"s": {%s}}}',
        '{"servers": {"s": {%s}}}',
        '{"mcp": {"servers": {"s": {%s}}}}',
        '{"context_servers": {"s": {"command": {"path": "npx", "args": ["-y", "pkg"]}}}}',
        '{"mcp": {"s": {"type": "local", "command": ["npx", "-y", "pkg"], "enabled": true}}}',
        '{"s": {%s}}',
        '{"name": "s", %s}',
        '[{"name": "s", %s}]',
        '"mcpServers": {"s": {%s}}',
        '"s": {%s}',
        '// mine\n{"mcpServers": {"s": {%s,},},}',
        '{"mcpServers": {"s": {/* a, ] */ %s}}} // "end"',
        'Put this into the file:\n```json\n{"mcpServers": {"s": {%s}}}\n```\nand restart.',
        'Add {"mcpServers": {"s": {%s}}} to it.',
        '\ufeff{"mcpServers": {"s": {%s}}}',
        '{"mcpServers": {"s": {%s}}',
        "{\u201cmcpServers\u201d: {\u201cs\u201d: {\u201ccommand\u201d: \u201cnpx -y pkg\u201d}}}",
        '{"mcpServers": {"s": {"command": "npx -y pkg"}}}',
    ],
)
def test_one_server_is_found_wherever_it_stands(text: str) -> None:
    assert only(text.replace("%s", NPX)) == ("s", "stdio", "npx", ("-y", "pkg"))


@pytest.mark.parametrize(
    ("fields", "transport"),
    [
        ('"url": "https://a.example/mcp"', "http"),
        ('"httpUrl": "https://a.example/mcp"', "http"),
        ('"serverUrl": "https://a.example/mcp"', "http"),
        ('"type": "streamable-http", "url": "https://a.example/mcp"', "http"),
        ('"type": "remote", "url": "https://a.example/mcp"', "http"),
        ('"type": "sse", "url": "https://a.example/mcp"', "sse"),
        ('"transport": {"type": "sse"}, "url": "https://a.example/mcp"', "sse"),
        ('"url": "https://a.example/sse"', "sse"),
    ],
)
def test_remote_servers_are_told_by_url_and_type(fields: str, transport: str) -> None:
    [server] = parse_pasted('{"mcpServers": {"a": {%s}}}'.replace("%s", fields)).servers
    assert server.transport == transport
    assert server.command == ""


def test_a_url_or_a_command_line_alone_is_a_server() -> None:
    assert only("https://mcp.deepthink.example/mcp") == ("deepthink", "http", "https://mcp.deepthink.example/mcp", ())
    assert only("npx -y @scope/server-everything@1.2") == (
        "everything", "stdio", "npx", ("-y", "@scope/server-everything@1.2"),
    )  # fmt: skip
    assert only('uvx mcp-server-git --repository "/my files"')[3][-1] == "/my files"


def test_variables_headers_switches_and_limits_are_taken_over() -> None:
    [server] = parse_pasted(
        """{"mcpServers": {"s": {"command": "x", "env": {"N": 5, "B": true, "K": "$MY_KEY"}, "cwd": "/tmp",
        "disabled": true, "timeout": 30000, "disabledTools": ["rm"], "description": "Does it"}}}"""
    ).servers
    assert server.env == {"N": "5", "B": "true", "K": "${MY_KEY}"}
    assert (server.cwd, server.enabled, server.timeout, server.tools_off) == ("/tmp", False, 30.0, ("rm",))
    [remote] = parse_pasted('{"url": "https://a.example", "headers": {"Authorization": "Bearer $TOKEN"}}').servers
    assert remote.headers == {"Authorization": "Bearer ${TOKEN}"}


def test_what_a_person_has_to_do_is_noted() -> None:
    pasted = parse_pasted(
        """{"inputs": [{"id": "pat", "type": "promptString", "description": "Access token"}],
        "servers": {"gh": {"command": "x", "args": ["${workspaceFolder}"], "env": {"T": "${input:pat}"}, "weird": 1}}}"""
    )
    told = "\n".join(pasted.notes)
    assert "Access token" in told
    assert "workspaceFolder" in told
    assert "weird" in told


def test_a_broken_entry_costs_only_itself() -> None:
    pasted = parse_pasted('{"mcpServers": {"bad": {"url": "ftp://x"}, "good": {"command": "x"}}}')
    assert [s.name for s in pasted.servers] == ["good"]
    assert "bad was left out" in pasted.notes[0]


@pytest.mark.parametrize("text", ["", "hello there", "{}", "[1, 2]", '{"mcpServers": {}}', "{", "[" * 5000, '{"a": ' * 200])
def test_text_without_a_server_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"[A-Z].*\."):
        parse_pasted(text)


def test_nothing_pasted_is_accepted() -> None:
    pasted: Pasted = parse_pasted('{"mcpServers": {"s": {"command": "x", "accepted_hash": "y", "trusted": true}}}')
    assert not is_accepted(pasted.servers[0])
    assert not pasted.servers[0].trusted
