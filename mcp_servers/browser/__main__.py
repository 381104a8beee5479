"""Runs the `browser` server on standard input and output, for any MCP client."""

import argparse
import sys
from collections.abc import Sequence

from mcp_servers.browser import create
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
    settings = {
        "program": options.browser,
        "headless": not options.headed,
        "sandbox": not options.no_sandbox,
        "isolated": options.isolated,
        "open_hosts": options.open_host,
        "protected": [config["data_dir"]],
    }
    create({**config, **settings}).run("stdio")


def _options(given: Sequence[str]) -> argparse.Namespace:
    options = argparse.ArgumentParser("browser", description="A browser that a model reads and uses.")
    options.add_argument("roots", nargs="*", help="folders for downloads, uploads and saved files")
    options.add_argument("--browser", help="the program to use, where it is not found by itself")
    options.add_argument("--headed", action="store_true", help="show the browser's window")
    options.add_argument("--isolated", action="store_true", help="keep no profile")
    options.add_argument("--no-sandbox", action="store_true", help="run pages without the browser's sandbox")
    options.add_argument(
        "--open-host", action="append", default=[], help="a host that may be reached although it is not public"
    )
    return options.parse_args(given)


if __name__ == "__main__":
    main()
