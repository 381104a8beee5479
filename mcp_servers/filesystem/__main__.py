"""Runs the `filesystem` server on standard input and output; folders to allow may be arguments."""

import sys
from collections.abc import Sequence

from mcp_servers.environment import config_from_environment
from mcp_servers.filesystem import create


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input closes; `--grep-worker` is the packaged app's search process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--grep-worker"]:
        from mcp_servers.filesystem import grep_worker

        grep_worker.main()
        return
    config = config_from_environment(given)
    create({**config, "protected": [config["data_dir"]]}).run("stdio")


if __name__ == "__main__":
    main()
