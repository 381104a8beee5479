"""`leochat chat`: a conversation in the terminal."""

import argparse
import asyncio
import io
import sys
from typing import TextIO

from app.chat import slash
from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.chat.session import Session
from app.cli.ask import wait_for_tools
from app.cli.options import UsageError, add_model_options, read_options, run_of
from app.cli.terminal import Terminal, answering
from app.settings import home_folder
from app.store import StoreError

HELP = "Write and press Enter. /new begins anew, /resume goes on after a stop, /quit or Ctrl+D ends; Ctrl+C stops a task."


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat chat", description="Talk in the terminal.", parents=[common])
    made.add_argument("--conversation", metavar="ID", help="go on in this conversation")
    add_model_options(made)
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    options = read_options(parser(common), arguments)
    try:
        home = home_folder(options.home)
        leo = LeoChat(home, run_of(options, home))
    except UsageError as error:
        print(f"leochat chat: {error}", file=sys.stderr)
        return 2
    except StoreError as error:
        print(f"leochat chat: {error.message}", file=sys.stderr)
        return 1
    keyboard: TextIO = sys.stdin
    if isinstance(keyboard, io.TextIOWrapper):
        keyboard.reconfigure(errors="replace")
    return asyncio.run(_chat(leo, options.conversation))


async def _chat(leo: LeoChat, conversation_id: str | None) -> int:
    leo.start()
    try:
        session = await leo.library.session(conversation_id or (await leo.library.new()).id)
        await wait_for_tools(leo)
        choice = session.info()
        who = choice.model if choice.model == choice.provider else f"{choice.provider} {choice.model}"
        print(f"{who}. {HELP}", file=sys.stderr)
        await _talk(leo, session)
    except Refused as refused:
        print(f"leochat chat: {refused.message}", file=sys.stderr)
        return 1
    finally:
        await leo.close()
    return 0


async def _talk(leo: LeoChat, session: Session) -> None:
    window = Terminal(answering(session), leo.questions, leo.sampling)
    leo.windows.add(window)
    window.watch(session, session.seq)
    while (line := await asyncio.to_thread(_read)) is not None:
        if line == "/quit":
            return
        if line == "/new":
            window.leave()
            session = await leo.library.session((await leo.library.new()).id)
            leo.windows.remove(window)
            window = Terminal(answering(session), leo.questions, leo.sampling)
            leo.windows.add(window)
            window.watch(session, session.seq)
        elif line == "/help":
            print(_help(), file=sys.stderr)
        elif line:
            await _turn(session, line)


def _help() -> str:
    """What the terminal itself understands, then what every window does."""
    lines = (f"  {f'/{c.name} {c.hint}'.rstrip():16} {c.titles['en']}" for c in slash.COMMANDS.values())
    return "\n".join([HELP, *lines])


async def _turn(session: Session, line: str) -> None:
    """One message and its task; Ctrl+C stops the task and keeps what was said."""
    try:
        if line == "/resume":
            await session.resume()
        else:
            await session.send(line)
        await session.tasks.wait()
    except Refused as refused:
        print(refused.message, file=sys.stderr)
    except asyncio.CancelledError:
        current = asyncio.current_task()
        if current:
            current.uncancel()
        await session.stop()


def _read() -> str | None:
    print("> ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None
