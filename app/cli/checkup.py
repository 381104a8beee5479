"""What the doctor looks at when no server is named: home, store, keys, providers, window, programs, servers."""

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from app.chat.facts import ProviderInfo
from app.chat.models import Models
from app.cli.finding import Finding, note, ok, trouble
from app.core.provider import ProviderError
from app.mcp_host.bundled import discover
from app.mcp_host.command import CommandFinder, CommandNotFoundError, login_path
from app.mcp_host.config import ServerConfig, command_line, is_accepted, load_servers
from app.mcp_host.environment import UnfilledVariableError, expanded
from app.providers.vendors import VENDORS
from app.settings import Secrets, SettingsFile
from app.store import Store, StoreError
from app.store.backups import problem_of
from app.store.store import FILE_NAME

REACH_SECONDS = 15.0
LITTLE_ROOM = 200 * 1024 * 1024
PROGRAMS = {
    "node": "Servers that are written in JavaScript need Node.js: install it from nodejs.org or with your packages.",
    "npx": "Many servers are started with npx: it comes with Node.js.",
    "uvx": "Many servers are started with uvx: it comes with uv.",
    "docker": "",
}


def look_at_home(home: Path) -> list[Finding]:
    """The folder itself: where, writable, with room."""
    if not os.access(home, os.W_OK):
        return [trouble(f"{home} cannot be written.", "Check who owns the folder, or name another with --home.")]
    free = shutil.disk_usage(home).free
    if free < LITTLE_ROOM:
        return [trouble(f"{home} has {free // 1024**2} MB of room left.", "Free some space on its disk.")]
    return [ok(str(home))]


async def look_at_store(home: Path) -> list[Finding]:
    """SQLite's whole check, whether it opens, and the backups."""
    path = home / FILE_NAME
    if not path.exists():
        return [note("Nothing is kept yet.")]
    found = [await asyncio.to_thread(_store, home, path)]
    backups = Store.backups(home)
    if backups:
        days = (time.time() - backups[0].stat().st_mtime) / 86400
        found.append(ok(f"Verified backups: {len(backups)}; the newest, {_age(days)}: {backups[0]}"))
    else:
        found.append(note("There is no backup yet; the first is made within a minute of LeoChat's start."))
    return found


def _age(days: float) -> str:
    return "of today" if days < 1 else "1 day old" if days < 2 else f"{days:.0f} days old"


def _store(home: Path, path: Path) -> Finding:
    damage = problem_of(path)
    if damage:
        backups = Store.backups(home)
        cure = (
            f"Close LeoChat and put {backups[0]} in its place." if backups else "There is no backup; export what can be read."
        )
        return trouble(f"{path} is damaged.", cure, damage)
    try:
        Store.open(home).close()
    except StoreError as error:
        return trouble(error.message)
    return ok(f"{path} is whole ({path.stat().st_size / 1024**2:.1f} MB).")


def look_at_settings(settings: SettingsFile, secrets: Secrets) -> list[Finding]:
    found = [trouble(text) for text in settings.notices] or [ok(f"{settings.path} can be read.")]
    return [*found, ok(secrets.where())]


async def look_at_providers(models: Models, environ: Mapping[str, str]) -> list[Finding]:
    """The chosen provider, those on this computer, and whatever else has a key or an address of the person's."""
    chosen = models.choice().provider
    rows = [r for r in await models.listed() if r.name == chosen or r.local or r.key_from != "none" or _moved(r)]
    here = {m.provider for m in await models.local_models()}
    return list(await asyncio.gather(*(_provider(models, row, _provider_text(row, environ, chosen), here) for row in rows)))


def _moved(row: ProviderInfo) -> bool:
    return row.base_url != row.default_base_url


async def _provider(models: Models, row: ProviderInfo, text: str, here: set[str]) -> Finding:
    if row.protocol == "demo" or row.name in here:
        return ok(text if row.protocol == "demo" else f"{text}; it answers")
    if row.name != models.choice().provider:
        return note(f"{text}; it does not run or has no model" if row.local else text)
    why = await _unreachable(models, row.name)
    return ok(f"{text}; it answers") if why is None else trouble(text, why.message, why.detail or "")


def _provider_text(row: ProviderInfo, environ: Mapping[str, str], chosen: str) -> str:
    keys = {"none": "no key", "environment": f"key from {row.key_variable}", "stored": "key stored"}
    facts = [row.base_url or "no address"]
    vendor = VENDORS.get(row.name)
    variable = vendor.base_url_variable if vendor else None
    if variable and environ.get(variable) == row.base_url:
        facts[0] += f" (from {variable})"
    elif _moved(row) and row.default_base_url:
        facts[0] += " (from the settings)"
    if row.needs_key or row.key_from != "none":
        facts.append(keys[row.key_from])
    if row.name == chosen:
        facts.append(f"chosen, model {row.model or 'not named'}")
    return f"{row.name}: " + ", ".join(facts if row.protocol != "demo" else facts[1:] or ["always there"])


async def _unreachable(models: Models, name: str) -> ProviderError | None:
    """Why its list of models cannot be had; an address that has no list still is one that answers."""
    try:
        provider = await models.connect(name)
    except ProviderError as error:
        return error
    try:
        async with asyncio.timeout(REACH_SECONDS):
            await provider.models()
    except ProviderError as error:
        return error if error.kind in ("auth", "balance", "network", "timeout", "overloaded") else None
    except TimeoutError:
        return ProviderError("timeout", f"It did not answer within {REACH_SECONDS:g} s.")
    finally:
        await provider.aclose()
    return None


def look_at_window(environ: Mapping[str, str]) -> list[Finding]:
    """The toolkits that are here, and whether one can be used."""
    from app.desktop.toolkits.choose import NoWindowError, choose

    try:
        found = [ok(f"The window opens with {choose(environ).name}.")]
    except NoWindowError as none:
        served = "There is no display (DISPLAY, WAYLAND_DISPLAY), so LeoChat serves its page and prints the address."
        found = [note(str(none) if none.browser else served)]
    if sys.platform.startswith("linux"):
        found += _toolkits(environ)
    return found


def _toolkits(environ: Mapping[str, str]) -> list[Finding]:
    from app.desktop.toolkits.choose import qt_fault
    from app.desktop.toolkits.gtk import is_here

    display = environ.get("WAYLAND_DISPLAY") or environ.get("DISPLAY")
    fault = qt_fault(environ)
    return [
        *([ok(f"Display {display}")] if display else []),
        ok("GTK with WebKit (gi) is here.") if is_here() else note("GTK with WebKit (gi) is not here."),
        ok("Qt (PySide6) is here.") if fault is None else note(fault or "Qt (PySide6) is not here."),
    ]


async def look_at_programs(environ: Mapping[str, str]) -> list[Finding]:
    """What servers are started with, and whether only the login shell knows where it is."""
    finder, found = CommandFinder(environ), list[Finding]()
    for name, cure in PROGRAMS.items():
        try:
            program = await finder.find(name, (), {})
        except CommandNotFoundError:
            found.append(note(f"{name} was not found.", cure))
            continue
        outside = shutil.which(name, path=environ.get("PATH")) is None
        found.append(ok(f"{program.argv[0]}" + (" (not on LeoChat's PATH; the login shell's was used)" if outside else "")))
    return [*found, *await _paths(environ)]


async def _paths(environ: Mapping[str, str]) -> list[Finding]:
    own = environ.get("PATH", "")
    found = [note(f"PATH {own}")]
    if sys.platform == "win32":
        return found
    login = await login_path(environ)
    if login is None:
        return [*found, note("The login shell did not tell its PATH within 4 s.", "Look at what its start files wait for.")]
    more = [p for p in login.split(os.pathsep) if p and p not in own.split(os.pathsep)]
    return [*found, note(f"The login shell adds {os.pathsep.join(more)}" if more else "The login shell adds nothing to it.")]


async def look_at_servers(home: Path, environ: Mapping[str, str]) -> list[Finding]:
    """Each configured server without starting it: switched on, accepted, its program there, its variables set."""
    try:
        configs = load_servers(home / "servers.json")
    except ValueError as error:
        return [trouble(str(error), "Mend the file, or move it away and add the servers again.")]
    known, finder = {c.name: c for c in configs}, CommandFinder(environ)
    ours = [known.pop(b.name, None) or b.as_it_comes for b in discover()]
    off = [c.name for c in ours if not c.enabled]
    text = f"{len(ours) - len(off)} servers that come with LeoChat are on"
    found = [ok(text + (f"; off: {', '.join(off)}" if off else "."))]
    return [*found, *[await _server(c, finder, environ) for c in known.values() if not c.bundled]]


async def _server(config: ServerConfig, finder: CommandFinder, environ: Mapping[str, str]) -> Finding:
    text = f"{config.name}: {command_line(config)}"
    if not config.enabled:
        return note(f"{text} (off)")
    if not is_accepted(config):
        return note(
            f"{text} (not accepted yet, so it is not started)", f"Look at it, then: leochat servers enable {config.name}"
        )
    try:
        filled = expanded(config, environ)
        if filled.transport == "stdio":
            await finder.find(filled.command, filled.args, filled.env)
    except (CommandNotFoundError, UnfilledVariableError) as error:
        return trouble(text, error.problem.sentence, error.problem.detail)
    return ok(f"{text} (on)")
