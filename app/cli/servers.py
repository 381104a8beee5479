"""`leochat servers`: list, add and change MCP servers without a window."""

import argparse
import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

from app.chat.leochat import LeoChat, Run
from app.chat.refused import Refused
from app.mcp_host.config import ServerConfig, accept_launch, command_line
from app.mcp_host.pasted import parse_pasted
from app.settings import home_folder
from app.store import StoreError

Deed = Callable[[LeoChat, argparse.Namespace], Awaitable[int]]


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat servers", description="MCP servers: what is configured, and changes to it.")
    verbs = made.add_subparsers(dest="verb", required=True)

    def verb(name: str, text: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=text, parents=[common])

    verb("list", "every server with its state")
    add = verb("add", "add a server: NAME -- COMMAND …, or NAME --url URL")
    add.add_argument("name")
    add.add_argument("--url")
    add.add_argument("--header", action="append", default=[], metavar="NAME=VALUE")
    add.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    add.add_argument("--yes", action="store_true", help="accept the command shown; else it is saved disabled")
    for name, text in (("remove", "forget a server"), ("enable", "switch on"), ("disable", "switch off"), ("test", "try it")):
        verb(name, text).add_argument("name")
    take = verb("import", "add the servers of an mcpServers file, disabled")
    take.add_argument("file", type=Path)
    take.add_argument("--yes", action="store_true", help="accept the commands shown")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    given, command = _parted(arguments)
    options = parser(common).parse_args(given)
    if command and options.verb != "add":
        print("leochat servers: only add takes a command after --.", file=sys.stderr)
        return 2
    options.command = command
    try:
        return asyncio.run(_do(options))
    except StoreError as error:
        print(f"leochat servers: {error.message}", file=sys.stderr)
    except (Refused, ValueError, LookupError, OSError) as error:
        print(f"leochat servers: {error}", file=sys.stderr)
    return 1


def _parted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Our own words, and the server's command after the first `--`, word for word."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


async def _do(options: argparse.Namespace) -> int:
    leo = LeoChat(home_folder(options.home), Run(quiet=True))
    try:
        return await DEEDS[options.verb](leo, options)
    finally:
        await leo.close()


async def _list(leo: LeoChat, options: argparse.Namespace) -> int:
    del options
    for config in leo.host.configs():
        state = "on " if config.enabled else "off"
        print(f"{state}  {config.name:20} {command_line(config) or config.url or config.kind}")
    return 0


async def _add(leo: LeoChat, options: argparse.Namespace) -> int:
    if bool(options.url) == bool(options.command):
        print("leochat servers: give a command after --, or --url, and not both.", file=sys.stderr)
        return 2
    if options.url and (fault := _url_fault(options.url)):
        print(f"leochat servers: {fault}", file=sys.stderr)
        return 2
    command, *args = options.command or [""]
    config = ServerConfig(
        name=options.name,
        transport="http" if options.url else "stdio",
        command=command,
        args=tuple(args),
        env=_pairs(options.env),
        url=options.url,
        headers=_pairs(options.header),
    )
    return await _keep(leo, [config], accepted=options.yes)


async def _keep(leo: LeoChat, configs: list[ServerConfig], *, accepted: bool) -> int:
    for config in configs:
        shown = config.url or shlex.join([config.command, *config.args])
        ready = accept_launch(config) if accepted else config
        name = await leo.host.add(ready.model_copy(update={"enabled": accepted}))
        print(
            f"{name}: {shown}"
            + ("" if accepted else "\n  saved disabled: look at the command, then `leochat servers enable` it")
        )
    return 0


async def _import(leo: LeoChat, options: argparse.Namespace) -> int:
    pasted = parse_pasted(options.file.read_text("utf-8-sig"))
    for note in pasted.notes:
        print(note, file=sys.stderr)
    return await _keep(leo, pasted.servers, accepted=options.yes)


async def _remove(leo: LeoChat, options: argparse.Namespace) -> int:
    await leo.host.remove(options.name)
    return 0


async def _enable(leo: LeoChat, options: argparse.Namespace) -> int:
    """Enabling by name on the command line, with the command printed, is accepting it."""
    config = leo.host.config(options.name)
    if not config.bundled:
        print(f"accepted: {config.url or command_line(config)}")
        await leo.host.update(options.name, accept_launch(config).model_copy(update={"enabled": True}))
    await leo.host.enable(options.name, True)
    status = leo.host.status(options.name)
    if status.question and status.question.kind == "launch":
        await leo.host.accept(options.name, status.question.hash)
    return 0


async def _disable(leo: LeoChat, options: argparse.Namespace) -> int:
    await leo.host.enable(options.name, False)
    return 0


async def _test(leo: LeoChat, options: argparse.Namespace) -> int:
    report = await leo.servers.test(options.name, None)
    print(f"{'ok' if report.ok else 'failed'}: {report.message} ({report.duration_ms} ms)")
    for tool in report.tools:
        print(f"  {tool}")
    if report.detail:
        print(report.detail, file=sys.stderr)
    return 0 if report.ok else 1


def _url_fault(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https", "tcp") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    return None if good else f"{url} is not an address of a server (http:// or https://)."


def _pairs(given: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise ValueError(f"{pair!r} is not NAME=VALUE.")
        pairs[name] = value
    return pairs


DEEDS: dict[str, Deed] = {
    "list": _list,
    "add": _add,
    "remove": _remove,
    "enable": _enable,
    "disable": _disable,
    "test": _test,
    "import": _import,
}
