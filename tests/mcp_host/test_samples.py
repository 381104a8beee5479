"""Configurations that others published, each with what it says: read from the shared cases where they are there."""

from pathlib import Path

import pytest

from app.mcp_host.config import is_accepted
from app.mcp_host.pasted import parse_pasted

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "mcp_configs"
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared sample configurations are not beside this project")

# file: name | transport | command with arguments, or address; one line a server.
EXPECTED: dict[str, tuple[str, ...]] = {
    "doc-001-servers-valid.json": ("memory | stdio | npx -y @modelcontextprotocol/server-memory",),
    "doc-003-servers-valid.json": (
        "filesystem | stdio | npx -y @modelcontextprotocol/server-filesystem /path/to/allowed/files",
        "git | stdio | uvx mcp-server-git --repository path/to/git/repo",
        "github | stdio | npx -y @modelcontextprotocol/server-github",
        "postgres | stdio | npx -y @modelcontextprotocol/server-postgres postgresql://localhost/mydb",
    ),
    "doc-004-servers-valid.json": ("everything | stdio | npx -y @modelcontextprotocol/server-everything",),
    "doc-005-servers-valid.json": ("everything | stdio | cmd /c npx -y @modelcontextprotocol/server-everything",),
    "doc-006-servers-valid.json": ("everything | stdio | npx -y @modelcontextprotocol/server-everything",),
    "doc-008-servers-valid.json": ("fetch | stdio | uvx mcp-server-fetch",),
    "doc-010-servers-valid.json": ("fetch | stdio | python -m mcp_server_fetch",),
    "doc-011-servers-valid.json": ("fetch | stdio | uvx mcp-server-fetch",),
    "doc-012-servers-valid.json": ("fetch | stdio | docker run -i --rm mcp/fetch",),
    "doc-014-servers-valid.json": ("fetch | stdio | python -m mcp_server_fetch",),
    "doc-016-servers-valid.json": (
        (
            "filesystem | stdio | npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop /path/to"
            "/other/allowed/dir"
        ),
    ),
    "doc-017-servers-valid.json": (
        (
            "filesystem | stdio | cmd /c npx -y @modelcontextprotocol/server-filesystem /Users/username/Desktop /"
            "path/to/other/allowed/dir"
        ),
    ),
    "doc-020-servers-valid.json": (
        "filesystem | stdio | cmd /c npx -y @modelcontextprotocol/server-filesystem ${workspaceFolder}",
    ),
    "doc-021-servers-not-strict-json.json": ("git | stdio | uvx mcp-server-git --repository path/to/git/repo",),
    "doc-023-servers-not-strict-json.json": ("git | stdio | python -m mcp_server_git --repository path/to/git/repo",),
    "doc-024-servers-valid.json": ("git | stdio | uvx mcp-server-git",),
    "doc-026-servers-valid.json": (
        (
            "git | stdio | docker run --rm -i --mount type=bind,src=/Users/username/Desktop,dst=/projects/Desktop"
            " --mount type=bind,src=/path/to/other/allowed/dir,dst=/projects/other/allowed/dir,ro --mount type=bi"
            "nd,src=/path/to/file.txt,dst=/projects/path/to/file.txt mcp/git"
        ),
    ),
    "doc-027-servers-valid.json": (
        "git | stdio | uv --directory /<path to mcp-servers>/mcp-servers/src/git run mcp-server-git",
    ),
    "doc-028-servers-valid.json": ("memory | stdio | docker run -i -v claude-memory:/app/dist --rm mcp/memory",),
    "doc-029-servers-valid.json": ("memory | stdio | npx -y @modelcontextprotocol/server-memory",),
    "doc-030-servers-valid.json": ("memory | stdio | cmd /c npx -y @modelcontextprotocol/server-memory",),
    "doc-031-servers-valid.json": ("memory | stdio | npx -y @modelcontextprotocol/server-memory",),
    "doc-032-servers-valid.json": ("memory | stdio | cmd /c npx -y @modelcontextprotocol/server-memory",),
    "doc-034-servers-valid.json": ("sequential-thinking | stdio | npx -y @modelcontextprotocol/server-sequential-thinking",),
    "doc-036-servers-valid.json": ("sequentialthinking | stdio | docker run --rm -i mcp/sequentialthinking",),
    "doc-037-servers-valid.json": ("sequential-thinking | stdio | npx -y @modelcontextprotocol/server-sequential-thinking",),
    "doc-038-servers-valid.json": (
        "sequential-thinking | stdio | cmd /c npx -y @modelcontextprotocol/server-sequential-thinking",
    ),
    "doc-039-servers-valid.json": ("sequential-thinking | stdio | docker run --rm -i mcp/sequentialthinking",),
    "doc-042-servers-valid.json": ("time | stdio | python -m mcp_server_time",),
    "doc-043-servers-valid.json": ("time | stdio | uvx mcp-server-time",),
    "doc-044-servers-valid.json": ("time | stdio | docker run -i --rm mcp/time",),
    "doc-045-pwmcp-valid.json": ("playwright | stdio | npx @playwright/mcp@latest",),
    "doc-046-pwmcp-valid.json": ("playwright | stdio | npx -y @playwright/mcp@latest",),
    "doc-047-pwmcp-valid.json": ("playwright | stdio | npx @playwright/mcp@latest",),
    "doc-048-pwmcp-valid.json": ("Playwright | stdio | npx -y @playwright/mcp@latest",),
    "doc-049-pwmcp-valid.json": ("playwright | stdio | npx @playwright/mcp@latest",),
    "doc-050-pwmcp-valid.json": (
        "playwright | stdio | npx @playwright/mcp@latest --isolated --storage-state={path/to/storage.json}",
    ),
    "doc-052-pwmcp-valid.json": (
        "playwright | stdio | docker run -i --rm --init --pull=always mcr.microsoft.com/playwright/mcp",
    ),
    "doc-053-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-054-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-055-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/insiders",),
    "doc-056-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-058-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-059-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-060-ghmcp-valid.json": ("github | stdio | /path/to/github-mcp-server stdio",),
    "doc-063-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-064-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-065-ghmcp-valid.json": (
        (
            "github | stdio | /usr/local/bin/docker run -i --rm -p 127.0.0.1:8085:8085 -e GITHUB_OAUTH_CALLBACK_P"
            "ORT ghcr.io/github/github-mcp-server"
        ),
    ),
    "doc-066-ghmcp-valid.json": (
        "github | stdio | /usr/local/bin/docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-068-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-071-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-073-ghmcp-not-strict-json.json": (
        (
            "github | stdio | docker run -i --rm -p 127.0.0.1:8085:8085 -e GITHUB_OAUTH_CALLBACK_PORT ghcr.io/git"
            "hub/github-mcp-server"
        ),
    ),
    "doc-074-ghmcp-not-strict-json.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-075-ghmcp-not-strict-json.json": ("github | stdio | /path/to/binary stdio",),
    "doc-076-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-079-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-081-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-082-ghmcp-valid.json": (
        (
            "github | stdio | docker run -i --rm -p 127.0.0.1:8085:8085 -e GITHUB_OAUTH_CALLBACK_PORT ghcr.io/git"
            "hub/github-mcp-server"
        ),
    ),
    "doc-083-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-086-ghmcp-valid.json": (
        "github | stdio | docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server",
    ),
    "doc-087-ghmcp-valid.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "doc-088-ghmcp-valid.json": ("github | stdio | /path/to/github-mcp-server stdio --oauth-client-id <YOUR_CLIENT_ID>",),
    "doc-089-inspector-valid.json": (
        "filesystem-server-default | stdio | npx -y @modelcontextprotocol/server-filesystem /tmp",
        "everything-server-default | stdio | npx -y @modelcontextprotocol/server-everything",
    ),
    "doc-090-inspector-valid.json": ("my-server | stdio | node build/index.js",),
    "doc-092-inspector-valid.json": ("my-modern-server | http | https://api.example.com/mcp",),
    "doc-093-inspector-valid.json": ("my-enterprise-server | http | https://mcp.example.com/mcp",),
    "doc-095-inspector-not-strict-json.json": (
        "filesystem-server-default | stdio | npx -y @modelcontextprotocol/server-filesystem /tmp",
        "everything-server-default | stdio | npx -y @modelcontextprotocol/server-everything",
        "acme-api | http | https://api.acme.example/mcp",
    ),
    "doc-096-inspector-valid.json": ("my-server | http | https://example.com/mcp",),
    "doc-098-mcp-py-valid.json": ("bookshop | stdio | uv run --with mcp[cli] mcp run /absolute/path/to/server.py",),
    "file-ghmcp-gemini-extension.json": ("github | http | https://api.githubcopilot.com/mcp/",),
    "file-inspector-mcp.json": ("mcp-docs | http | https://modelcontextprotocol.io/mcp",),
    "file-req_llm_sgs-mcp.json": ("req_llm | stdio | mcp-proxy http://localhost:10001/tidewave/mcp",),
    "file-servers-mcp.json": ("mcp-docs | http | https://modelcontextprotocol.io/mcp",),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_published_configuration_is_read_as_it_is_meant(name: str) -> None:
    found = parse_pasted((SAMPLES / name).read_text(encoding="utf-8")).servers
    shown = [f"{c.name} | {c.transport} | {' '.join((c.command, *c.args)) if c.transport == 'stdio' else c.url}" for c in found]
    assert shown == list(EXPECTED[name])
    assert not any(is_accepted(c) for c in found)


def test_no_sample_is_left_out() -> None:
    assert {p.name for p in SAMPLES.iterdir()} == set(EXPECTED)
