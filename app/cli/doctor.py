"""`leochat doctor`: why something does not work, and how to mend it."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from app.cli import checkup
from app.cli.finding import Finding, note, ok, show, trouble
from app.mcp_host.config import ServerConfig, command_line
from app.mcp_host.host import McpHost
from app.mcp_host.remedies import applied, remedies_for
from app.mcp_host.servers import NoSuchServerError
from app.mcp_host.status import Remedy, TestReport
from app.mcp_host.tokens import Signing, SignInNeededError
from app.settings import Secrets, SettingsFile, home_folder

STEPS = {
    "resolve": "finding the program",
    "start": "starting it",
    "handshake": "shaking hands",
    "tools": "listing its tools",
}
OFFERS = {
    "program": "use {}",
    "address": "use {}",
    "argument": "add {}",
    "handshake": "begin with {}, as older servers want it",
    "longer": "wait up to {} s for its start",
}
STATELESS = "2026-07-28"


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        "leochat doctor",
        description="Why something does not work, and how to mend it. Ends with 0 where all is well.",
        parents=[common],
    )
    made.add_argument("server", nargs="?", metavar="SERVER", help="start this server for a trial and tell each step")
    made.add_argument("--mend", action="store_true", help="of what LeoChat itself can do about its trouble, do the first")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    options = parser(common).parse_args(arguments)
    try:
        home = home_folder(options.home)
    except OSError as error:
        print(f"leochat doctor: the home folder cannot be used: {error}", file=sys.stderr)
        return 1
    if options.server:
        return asyncio.run(_try_server(home, options.server, mend=options.mend))
    if options.mend:
        print("leochat doctor: name the server to mend.", file=sys.stderr)
        return 2
    return asyncio.run(_look_at_all(home))


async def _look_at_all(home: Path) -> int:
    from app.chat.models import Models

    settings, secrets, environ = SettingsFile(home), Secrets(home), os.environ
    models = Models(settings, secrets)
    well = [
        show("Home", checkup.look_at_home(home), sys.stdout),
        show("Store", await checkup.look_at_store(home), sys.stdout),
        show("Settings and keys", await asyncio.to_thread(checkup.look_at_settings, settings, secrets), sys.stdout),
        show("Providers", await checkup.look_at_providers(models, environ), sys.stdout),
        show("Window", checkup.look_at_window(environ), sys.stdout),
        show("Programs", await checkup.look_at_programs(environ), sys.stdout),
        show("Servers", await checkup.look_at_servers(home, environ), sys.stdout),
    ]
    return 0 if all(well) else 1


async def _try_server(home: Path, name: str, *, mend: bool = False) -> int:
    from app.chat.leochat import app_version
    from app.chat.ring_tokens import RingTokens

    try:
        configs = McpHost.load(home / "servers.json")
    except ValueError as error:
        print(f"leochat doctor: {error}", file=sys.stderr)
        return 1
    signing = Signing(RingTokens(Secrets(home)), _no_browser)
    host = McpHost(configs, data_dir=home, file=home / "servers.json", version=app_version(), signing=signing)
    try:
        config = host.config(name)
        report = await host.test(config)
        remedies = remedies_for(config, report.problem)
        if mend:
            return await _mend(host, config, remedies)
    except NoSuchServerError:
        known = ", ".join(c.name for c in host.configs())
        print(f"leochat doctor: there is no server {name!r}; there are {known}.", file=sys.stderr)
        return 2
    finally:
        await host.stop()
    found = [*told(config, report), *_offers(config, remedies)]
    return 0 if show(f"{name}: {command_line(config)}", found, sys.stdout) else 1


async def _no_browser(url: str) -> None:
    """A doctor asks nobody to sign in: that is `leochat servers sign-in`."""
    await asyncio.sleep(0)
    raise SignInNeededError(url)


async def _mend(host: McpHost, config: ServerConfig, remedies: tuple[Remedy, ...]) -> int:
    """Change the configuration by the first remedy; a changed launch has to be accepted before it starts."""
    for remedy in remedies:
        if (changed := applied(config, remedy)) is None:
            continue
        await host.update(config.name, changed.model_copy(update={"enabled": False}))
        done = OFFERS[remedy.kind].format(remedy.value)
        print(f"{config.name}: {done}. It is switched off: leochat servers enable {config.name}")
        return 0
    print(f"leochat doctor: there is nothing that LeoChat could mend by itself for {config.name}.", file=sys.stderr)
    return 1


def _offers(config: ServerConfig, remedies: tuple[Remedy, ...]) -> list[Finding]:
    """What LeoChat can do, and what a person can type."""
    offers = [OFFERS[r.kind].format(r.value) for r in remedies if r.kind != "install"]
    typed = [note(f"In a terminal: {r.value}") for r in remedies if r.kind == "install"]
    first = [note(f"LeoChat can change this: {offers[0]}", f"leochat doctor {config.name} --mend")] if offers else []
    return [*first, *(note(f"Or: {offer}") for offer in offers[1:]), *typed]


def told(config: ServerConfig, report: TestReport) -> list[Finding]:
    """A trial in words: each step with its time, what it is, or cause and cure; then what it wrote."""
    found = [] if config.enabled else [note("It is switched off.")]
    found += [_step(s.name, s.ok, s.ms) for s in report.steps]
    if report.protocol_version:
        era = "stateless" if report.protocol_version >= STATELESS else "with a handshake"
        found.append(ok(f"Protocol {report.protocol_version} ({era}), version {report.server_version or 'not told'}"))
    if report.ok:
        found.append(ok(f"{len(report.tools)} tools: {', '.join(report.tools)}" if report.tools else "It has no tools."))
    elif problem := report.problem:
        kept = problem.detail if not report.log else ""
        enable = f" (leochat servers enable {config.name})" if problem.kind == "not_accepted" else ""
        found.append(trouble(problem.cause, problem.cure + enable, kept))
    if any(s.name == "handshake" for s in report.steps):
        unclean = sum(" stdout: " in line for line in report.log)
        found.append(
            note(f"{unclean} lines of its output were no clean UTF-8 messages; they were mended or left out.")
            if unclean
            else ok("Its output is clean UTF-8.")
        )
    if report.log:
        found.append(Finding("note", "What it wrote, and what was seen:", detail="\n".join(report.log)))
    return found


def _step(name: str, well: bool, ms: int) -> Finding:
    text = f"{STEPS.get(name, name)}: {ms} ms"
    return ok(text) if well else trouble(text)
