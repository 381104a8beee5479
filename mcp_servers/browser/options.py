"""The browser server's options on a command line; those that Playwright MCP has are called as they are there."""

import argparse


def add_options(options: argparse.ArgumentParser, belongs: str = "") -> None:
    """Add them to a parser; `belongs` stands before each explanation, where the parser has options of others too."""

    def add(*names: str, text: str, **how: object) -> None:
        options.add_argument(*names, help=f"{belongs}{text}", **how)  # pyright: ignore[reportArgumentType]

    add(
        "--browser",
        "--executable-path",
        metavar="PROGRAM",
        text="the browser to use: chrome, msedge, chromium, or a program's path (default: the one that is found)",
    )
    add("--headed", text="show the browser's window", action="store_true")
    add("--headless", text="show no window", action="store_true")
    add("--isolated", text="keep no profile: cookies and logins are gone at the end", action="store_true")
    add("--no-sandbox", text="run pages without the browser's sandbox", action="store_true")


def chosen(options: argparse.Namespace) -> dict[str, object]:
    """What was said on the command line, as parts of the server's config; what was not is left to the rest of it."""
    said: dict[str, object] = {}
    if options.browser:
        said["program"] = options.browser
    if options.headed or options.headless:
        said["headless"] = not options.headed
    if options.isolated:
        said["isolated"] = True
    if options.no_sandbox:
        said["sandbox"] = False
    return said
