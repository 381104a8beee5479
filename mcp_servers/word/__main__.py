"""Runs the `word` server on standard input and output; folders to allow may be arguments."""

import sys
from collections.abc import Sequence

from mcp_servers.environment import config_from_environment
from mcp_servers.word import create


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input closes."""
    config = config_from_environment(list(sys.argv[1:] if arguments is None else arguments))
    create({**config, "protected": [config["data_dir"]]}).run("stdio")


if __name__ == "__main__":
    main()
