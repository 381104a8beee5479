"""`leochat` without a verb: the window; where none can be shown, the page in the browser."""

import argparse
import asyncio
import sys

from app.cli.logs import keep_log
from app.settings import home_folder

FIRST_ANSWERS_SECONDS = 30.0


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat", description="Open the window.", parents=[common])
    made.add_argument("--debug", action="store_true", help="the web view's inspector in the context menu, and more words")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    from app.desktop import identity
    from app.desktop.instance import ask_first, claim

    options = parser(common).parse_args(arguments)
    try:
        home = home_folder(options.home)
        keep_log(home)
        instance = claim(home)
    except OSError as error:
        _tell(f"The home folder cannot be used: {error}")
        return 1
    if instance is None:
        if ask_first(home, FIRST_ANSWERS_SECONDS):
            print(f"{identity.title()} is open already; its window is in front now.", file=sys.stderr)
            return 0
        _tell(f"{identity.title()} is running with this home, but its window does not answer.")
        return 1
    from app.desktop.toolkits.choose import NoWindowError, choose
    from app.desktop.window import DesktopWindow

    try:
        return DesktopWindow(home, choose(), instance, debug=options.debug).run()
    except NoWindowError as none:
        instance.close()
        print(none, file=sys.stderr, flush=True)
        return _serve(options, open_browser=none.browser)


def _tell(message: str) -> None:
    """On the terminal; where there is none, as for who pressed an icon, also as the system's notification."""
    print(f"leochat: {message}", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        return
    from app.desktop import identity
    from app.desktop.notify import notify

    asyncio.run(notify(identity.title(), message))


def _serve(options: argparse.Namespace, *, open_browser: bool) -> int:
    from app.cli.serve import UnusableError, serve_and_leave

    place = argparse.Namespace(home=options.home, host="127.0.0.1", port=0, open=open_browser)
    try:
        serve_and_leave(place, None)
    except UnusableError as error:
        print(f"leochat: {error}", file=sys.stderr)
        return 1
    return 0
