"""Runs the `everything` server on standard input and output, for any MCP client."""

from mcp_servers.environment import config_from_environment
from mcp_servers.everything import create


def main() -> None:
    """Serve until standard input closes."""
    create(config_from_environment()).run("stdio")


if __name__ == "__main__":
    main()
