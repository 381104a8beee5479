"""`leochat mcp NAME`: one bundled or demo server over stdio or HTTP, for any MCP client."""

import argparse
import os
import sys
from pathlib import Path

from app.mcp_host.bundled import Bundled, discover
from app.settings import Secrets, SettingsFile, home_folder
from mcp_servers.browser.options import add_options, chosen


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    names = ", ".join(b.name for b in discover())
    made = argparse.ArgumentParser("leochat mcp", description=f"Serve one of {names}.", parents=[common])
    made.add_argument("name")
    made.add_argument(
        "arguments", nargs="*", help="filesystem, browser, excel, word: the folders they may touch; knowledge: index"
    )
    made.add_argument("--folder", action="append", default=[], metavar="PATH", help="knowledge: a folder to index")
    made.add_argument(
        "--open-host",
        action="append",
        default=[],
        metavar="HOST",
        help="fetch, browser: a host that may be reached although it is not public",
    )
    add_options(made, "browser: ")
    made.add_argument("--http", type=int, metavar="PORT", help="streamable HTTP at http://127.0.0.1:PORT/mcp")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    if arguments[:1] == ["--worker"]:  # how the packaged app starts the children of its servers
        from mcp_servers import worker

        worker.main(arguments[1:])
        return 0
    if arguments[:2] == ["filesystem", "--grep-worker"]:
        from mcp_servers.filesystem import grep_worker

        grep_worker.main()
        return 0
    if arguments[:2] == ["browser", "--browser-worker"]:
        from mcp_servers.browser import worker as browser_worker

        browser_worker.main()
        return 0
    options = parser(common).parse_args(arguments)
    ours = {b.name: b for b in discover()}
    if options.name not in ours:
        print(f"leochat mcp: there is no server {options.name!r}; there are {', '.join(ours)}.", file=sys.stderr)
        return 2
    config = _config(ours[options.name], options)
    server = ours[options.name].create(config)
    if options.http is None:
        server.run("stdio")
    else:
        print(f"{options.name} is at http://127.0.0.1:{options.http}/mcp", file=sys.stderr)
        server.run("streamable-http", host="127.0.0.1", port=options.http)
    return 0


def _config(server: Bundled, options: argparse.Namespace) -> dict[str, object]:
    """Data in the app's home, so that a server knows the same things here as in the window."""
    home = home_folder(options.home)
    roots = list(options.arguments) or os.environ.get("LEOCHAT_ROOTS", "").split(os.pathsep)
    return {
        "data_dir": str(home / server.name if server.kind == "demo" else home),
        "language": os.environ.get("LEOCHAT_LANGUAGE", "en"),
        "roots": [r for r in roots if r] or [_usual_root()],
        "offline": bool(os.environ.get("LEOCHAT_OFFLINE")),
        "protected": [str(home)],
        **(_of_the_web(server.name, home, options) if server.name in ("fetch", "browser") else {}),
        **(_of_knowledge(home, options) if server.name == "knowledge" else {}),
    }


def _usual_root() -> str:
    """Where nobody names a folder: the current one.

    Desktop programs start servers in / or in the person's own folder, which nobody meant to open as a whole: LeoChat's
    folder in the documents then.
    """
    here = Path.cwd()
    if here not in (Path(here.anchor), Path.home()):
        return str(here)
    from app.chat.folders import own_folder

    return own_folder()


def _of_the_web(name: str, home: Path, options: argparse.Namespace) -> dict[str, object]:
    """What the person's settings say of the web, and the options beside them."""
    settings = SettingsFile(home).value
    hosts = [*settings.network.open_hosts, *options.open_host]
    if name == "fetch":
        return {"open_hosts": hosts, "obey_robots": settings.network.obey_robots}
    browser = settings.browser
    return {**browser.model_dump(), "open_hosts": hosts, **chosen(options)}


def _of_knowledge(home: Path, options: argparse.Namespace) -> dict[str, object]:
    """The folders that are named here, and the embedding model of the person's settings with its key."""
    from app.chat.knowledge import KnowledgeDesk

    desk = KnowledgeDesk(home, SettingsFile(home), Secrets(home), lambda: True, lambda: False)
    return {"folders": [*options.arguments, *options.folder], "embedding": desk.embedding}
