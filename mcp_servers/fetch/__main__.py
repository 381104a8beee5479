"""Runs the `fetch` server on standard input and output, for any MCP client."""

import argparse
from collections.abc import Sequence

from mcp_servers.environment import config_from_environment
from mcp_servers.fetch import create


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input closes; the options are a person's settings."""
    options = argparse.ArgumentParser("fetch", description="Web pages as Markdown, from public addresses only.")
    options.add_argument("--ignore-robots-txt", action="store_true", help="read pages although robots.txt asks not to")
    options.add_argument("--user-agent", help="how the server names itself")
    options.add_argument(
        "--open-host", action="append", default=[], help="a host that may be reached although it is not public"
    )
    given = options.parse_args(arguments)
    settings = {
        "obey_robots": not given.ignore_robots_txt,
        "user_agent": given.user_agent,
        "open_hosts": given.open_host,
    }
    create({**config_from_environment(), **settings}).run("stdio")


if __name__ == "__main__":
    main()
