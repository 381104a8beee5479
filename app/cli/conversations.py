"""`leochat conversations`: list, show, export, import, delete, search and restore them without a window."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from app.chat.leochat import LeoChat, Run
from app.chat.refused import Refused
from app.cli.options import read_options
from app.settings import home_folder
from app.store import Store, StoreError, made_at

Deed = Callable[[LeoChat, argparse.Namespace], Awaitable[int]]


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat conversations", description="The conversations that are kept.")
    verbs = made.add_subparsers(dest="verb", required=True)

    def verb(name: str, text: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, help=text, parents=[common])

    verb("list", "every conversation, newest first")
    verb("show", "one as Markdown").add_argument("id")
    export = verb("export", "one or all, as a file")
    export.add_argument("id", nargs="?", help="without: all of them")
    export.add_argument("--format", choices=("json", "markdown"), default="json")
    export.add_argument("--output", "-o", type=Path, metavar="FILE", help="default: stdout")
    verb("import", "our own JSON, or an export of another program").add_argument("file", type=Path)
    verb("delete", "out of the list; gone after 30 days").add_argument("id")
    verb("search", "titles and texts").add_argument("text")
    verb("backups", "the verified copies of everything, newest first")
    restore = verb("restore", "put a backup in the place of what is kept now")
    restore.add_argument("backup", nargs="?", help="a name that `backups` lists, or a file; without: the newest")
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    options = read_options(parser(common), arguments)
    try:
        apart = APART.get(options.verb)
        return apart(options) if apart else asyncio.run(_do(options))
    except BrokenPipeError:
        raise  # who read it went away: `main` ends in silence
    except StoreError as error:
        print(f"leochat conversations: {error.message}", file=sys.stderr)
    except (Refused, OSError) as error:
        print(f"leochat conversations: {error}", file=sys.stderr)
    return 1


async def _do(options: argparse.Namespace) -> int:
    leo = LeoChat(home_folder(options.home), Run(quiet=True))
    try:
        return await DEEDS[options.verb](leo, options)
    finally:
        await leo.close()


async def _list(leo: LeoChat, options: argparse.Namespace) -> int:
    del options
    for info in (await leo.library.listed()).conversations:
        when = datetime.fromtimestamp(info.updated_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
        mark = f"  ({info.interrupted})" if info.interrupted else ""
        print(f"{info.id}  {when}  {info.title}{mark}")
    return 0


async def _show(leo: LeoChat, options: argparse.Namespace) -> int:
    print((await leo.library.export(options.id, "markdown")).text, end="")
    return 0


async def _export(leo: LeoChat, options: argparse.Namespace) -> int:
    ids = [options.id] if options.id else None
    if options.format == "json":
        text = await leo.store.archive.json_text(ids)
    else:
        chosen = ids or [c.id for c in (await leo.library.listed()).conversations]
        text = "\n\n---\n\n".join([(await leo.library.export(i, "markdown")).text for i in chosen])
    if options.output:
        await asyncio.to_thread(options.output.write_text, text, "utf-8")
    else:
        print(text)
    return 0


async def _import(leo: LeoChat, options: argparse.Namespace) -> int:
    report = await leo.store.archive.import_file(options.file)
    already = f", {report.already} were there already" if report.already else ""
    print(f"{len(report.conversations)} conversations with {report.messages} messages from {report.program}{already}")
    for note in report.notes:
        print(f"  {note}", file=sys.stderr)
    return 0


async def _delete(leo: LeoChat, options: argparse.Namespace) -> int:
    await leo.library.delete(options.id)
    return 0


async def _search(leo: LeoChat, options: argparse.Namespace) -> int:
    for hit in await leo.library.search(options.text):
        snippet = hit.snippet.replace("\x02", "").replace("\x03", "").replace("\n", " ")
        print(f"{hit.conversation_id}  {hit.title}\n    {snippet}")
    return 0


def _backups(options: argparse.Namespace) -> int:
    for backup in Store.backups(home_folder(options.home)):
        print(f"{backup.name}  {made_at(backup):%Y-%m-%d %H:%M}  {backup.stat().st_size / 1e6:.1f} MB")
    return 0


def _restore(options: argparse.Namespace) -> int:
    home = home_folder(options.home)
    backup = _chosen(home, options.backup)
    aside = Store.restore(home, backup)
    print(f"Everything is again as it was on {made_at(backup):%Y-%m-%d at %H:%M}.")
    if aside.exists():
        print(f"What was there before is kept as {aside}")
    return 0


def _chosen(home: Path, name: str | None) -> Path:
    backups = Store.backups(home)
    if name is None and backups:
        return backups[0]
    known = next((b for b in backups if b.name == name), None)
    if known is None and name and Path(name).is_file():
        return Path(name)
    if known is None:
        raise Refused("not_found", f"There is no backup {name} here." if name else f"There is no backup in {home / 'backups'}.")
    return known


APART: dict[str, Callable[[argparse.Namespace], int]] = {"backups": _backups, "restore": _restore}
"""What is done while the store is closed, since it may be damaged."""

DEEDS: dict[str, Deed] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "import": _import,
    "delete": _delete,
    "search": _search,
}
