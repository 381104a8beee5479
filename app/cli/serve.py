"""`leochat serve`: the page in a browser of this computer."""

import argparse
import asyncio
import ipaddress
import logging
import os
import signal
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.starting import starting

if TYPE_CHECKING:
    from app.chat.leochat import LeoChat
    from app.web.server import Server


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat serve", description="Serve the page and print its address.", parents=[common])
    made.add_argument("--host", default="127.0.0.1", help="another address than this computer's own needs --token-file")
    made.add_argument("--port", type=int, default=0, help="0: any that is free")
    made.add_argument("--open", action="store_true", help="open the page in your browser")
    made.add_argument("--token-file", type=Path, metavar="FILE", help="holds the token to use, at least 20 characters")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    options = parser(common).parse_args(arguments)
    try:
        token = _token(options.token_file)
        _look_at(options.home or os.environ.get("LEOCHAT_HOME"))
        if fault := _fault(options.host, options.port, token):
            print(f"leochat serve: {fault}", file=sys.stderr)
            return 2
        serve_and_leave(options, token)
    except UnusableError as error:
        print(f"leochat serve: {error}", file=sys.stderr)
        return 1
    return 0


class UnusableError(Exception):
    """Nothing can be served, in words."""


def _token(file: Path | None) -> str | None:
    """What the file holds."""
    try:
        return file.read_text("utf-8").strip() if file else None
    except OSError as error:
        raise UnusableError(f"the token file {file} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UnusableError(f"the token file {file} is no text in UTF-8.") from error


def _look_at(given: str | Path | None) -> None:
    """What can be told of a home without loading anything is told before an address is printed."""
    home = Path(given).expanduser().absolute() if given else None
    there = home
    while there is not None and not there.exists() and there != there.parent:
        there = there.parent
    if there is None:
        return
    if not there.is_dir():
        raise UnusableError(f"{home} cannot be LeoChat's folder: {there} is a file.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UnusableError(f"{home} cannot be LeoChat's folder: nothing may be written in {there}.")


def _fault(host: str, port: int, token: str | None) -> str | None:
    if not 0 <= port <= 65535:
        return f"--port {port}: a port is a number from 0 to 65535."
    if token is not None and len(token) < 20:
        return "the token must have at least 20 characters."
    if token is None and not _loopback(host):
        return (
            f"on {host} everyone who reaches this computer and knows the token can run your tools and read your "
            "conversations, over an unencrypted connection. If you want that, give a token of your own with --token-file."
        )
    return None


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _end_on_signals(server: "Server") -> None:
    """Ctrl+C and a polite kill close everything in order."""
    loop = asyncio.get_running_loop()

    def ended(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(server.end)

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, server.end)
        except NotImplementedError:  # Windows: its loop has no such handlers
            signal.signal(number, ended)


def serve_and_leave(options: argparse.Namespace, token: str | None) -> None:
    """Serve to the end, and end the process with 0; returns only by raising UnusableError.

    When `serve` returns all that matters is closed. Threads that still import what nobody needs any more, which the
    interpreter would wait for, are left.
    """
    with asyncio.Runner() as runner:
        runner.run(serve(options, token))
        logging.shutdown()
        sys.stdout.flush()
        os._exit(0)


async def serve(options: argparse.Namespace, token: str | None) -> None:
    """The page first: a browser begins with it while the rest is loaded, which is imported only then."""
    with starting():
        from app.web.server import PAGE_SECONDS, load

        server = await _listening(options, token)
        _end_on_signals(server)
        print(f"LeoChat is at {server.address}", flush=True)
        if options.open:
            webbrowser.open(server.address)
        over = asyncio.ensure_future(server.wait())
        await asyncio.wait({over, asyncio.ensure_future(load())}, return_when=asyncio.FIRST_COMPLETED)
        if over.done():
            return
        try:
            leo = _loaded(options)
        except UnusableError:
            await server.stop()
            raise
    try:
        server.carry(leo)
        leo.start(patience=PAGE_SECONDS)
        await over
    finally:
        await leo.close()


async def _listening(options: argparse.Namespace, token: str | None) -> "Server":
    from app.web.server import Server

    try:
        server = Server(None, options.host, options.port, token)
        await server.start()
    except OSError as error:
        raise UnusableError(f"port {options.port} of {options.host} cannot be used: {error.strerror}") from error
    return server


def _loaded(options: argparse.Namespace) -> "LeoChat":
    from app.chat.leochat import LeoChat
    from app.chat.shell import NoShell
    from app.cli.logs import keep_log
    from app.settings import home_folder
    from app.store import StoreError

    try:
        home = home_folder(options.home)
        keep_log(home)
        return LeoChat(home, shell=NoShell(here=_loopback(options.host)))
    except StoreError as error:
        raise UnusableError(error.message) from error
    except OSError as error:
        raise UnusableError(f"{error.filename or options.home}: {error.strerror}") from error
