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
from app.chat.shell import NoShell
from app.mcp_host.blanks import Candidate, filled, variable_name
from app.mcp_host.config import ServerConfig, Transport, accept_launch, command_line, is_accepted
from app.mcp_host.importing import read_file
from app.settings import home_folder
from app.store import StoreError

Deed = Callable[[LeoChat, argparse.Namespace], Awaitable[int]]
NAMED = {
    "remove": "forget a server",
    "enable": "switch on",
    "disable": "switch off",
    "test": "try it",
    "copy": "add a second one of the same settings, disabled",
    "export": "print its settings as other programs read them, without secrets",
    "sign-in": "sign in to a remote server in your browser",
    "sign-out": "forget the tokens of a remote server",
}


class Told(NoShell):
    """A browser opens, where there is one; the address is said in any case."""

    async def open_url(self, url: str) -> None:
        print(url, file=sys.stderr, flush=True)
        await super().open_url(url)


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
    for name, text in NAMED.items():
        verb(name, text).add_argument("name")
    take = verb("import", "add the servers of a file, disabled: another program's settings, a server.json, an .mcpb bundle")
    take.add_argument("file", type=Path, help="- reads the standard input")
    take.add_argument("--only", action="append", metavar="NAME", help="of several, add this one")
    take.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="fill in a setting that it asks for")
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
    leo = LeoChat(home_folder(options.home), Run(quiet=True), shell=Told())
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
        transport=_transport(options.url),
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
    data = sys.stdin.buffer.read() if str(options.file) == "-" else options.file.read_bytes()
    reading = read_file(data, leo.home)
    found = [c for c in reading.candidates if not options.only or c.config.name in options.only]
    for text in (*reading.notes, *(f"{c.config.name}: {n}" for c in found for n in c.notes)):
        print(text, file=sys.stderr)
    if not found:
        names = ", ".join(c.config.name for c in reading.candidates)
        print(f"leochat servers: there is none of that name in it; there are {names}.", file=sys.stderr)
        return 1
    given = _pairs(options.set)
    configs = [_filled(candidate, given) for candidate in found]
    reading.unpacked()
    return await _keep(leo, configs, accepted=options.yes)


def _filled(candidate: Candidate, given: dict[str, str]) -> ServerConfig:
    """With the values given; what is missing and needed is named and becomes a variable of the environment."""
    values = {b.key: given[b.key].split("|") if b.multiple else given[b.key] for b in candidate.blanks if b.key in given}
    for one in candidate.blanks:
        if one.required and one.key not in values and not one.default:
            print(f"  {one.title}: give --set {one.key}=…, or set {variable_name(one.key)} before it starts", file=sys.stderr)
    if faults := [v for v in given if all(v != b.key for b in candidate.blanks)]:
        known = ", ".join(b.key for b in candidate.blanks) or "nothing"
        raise ValueError(f"{candidate.config.name} asks for {known}, not for {', '.join(faults)}.")
    return filled(candidate, values, strict=False)


async def _copy(leo: LeoChat, options: argparse.Namespace) -> int:
    print(await leo.servers.copy(options.name))
    return 0


async def _export(leo: LeoChat, options: argparse.Namespace) -> int:
    print(leo.servers.export(options.name), end="")
    return 0


async def _sign_in(leo: LeoChat, options: argparse.Namespace) -> int:
    """In the browser of this computer; the address is printed too, for where none opens by itself."""
    config = leo.host.config(options.name)
    if not config.url or not config.url.startswith(("http://", "https://")):
        print(f"leochat servers: {options.name} is no server on the web: there is nothing to sign in to.", file=sys.stderr)
        return 1
    if not is_accepted(config):
        print(f"leochat servers: {options.name} is not accepted yet: leochat servers enable {options.name}", file=sys.stderr)
        return 1
    print("Waiting for you to sign in, at most five minutes …", file=sys.stderr)
    await leo.servers.sign_in(options.name)
    print(f"{options.name}: signed in")
    return 0


async def _sign_out(leo: LeoChat, options: argparse.Namespace) -> int:
    await leo.servers.sign_out(options.name)
    print(f"{options.name}: signed out")
    return 0


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


def _transport(url: str | None) -> Transport:
    return "stdio" if not url else "tcp" if url.startswith("tcp://") else "http"


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
    "copy": _copy,
    "export": _export,
    "sign-in": _sign_in,
    "sign-out": _sign_out,
}
