"""Runs the `browser` server on standard input and output, for any MCP client."""

import argparse
import sys
from collections.abc import Sequence

from mcp_servers.browser import create
from mcp_servers.browser.options import add_options, chosen
from mcp_servers.environment import config_from_environment


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input closes; `--browser-worker` is the packaged app's browser process."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--browser-worker"]:
        from mcp_servers.browser import worker

        worker.main()
        return
    options = _options(given)
    config = config_from_environment(options.roots)
    settings = {"open_hosts": options.open_host, "protected": [config["data_dir"]]}
    create({**config, **settings, **chosen(options)}).run("stdio")


def _options(given: Sequence[str]) -> argparse.Namespace:
    options = argparse.ArgumentParser("browser", description="A browser that a model reads and uses.")
    options.add_argument("roots", nargs="*", help="folders for downloads, uploads and saved files")
    add_options(options)
    options.add_argument(
        "--open-host", action="append", default=[], help="a host that may be reached although it is not public"
    )
    return options.parse_args(given)


if __name__ == "__main__":
    main()
