"""`leochat ask`: one task without a window."""

import argparse
import asyncio
import contextlib
import mimetypes
import signal
import sys
from pathlib import Path

from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.chat.session import Session
from app.cli.options import UsageError, add_model_options, read_options, run_of
from app.cli.terminal import JsonLines, Terminal, answering, interactive
from app.core.events import TaskEnd
from app.core.messages import ErrorInfo
from app.core.tidy import clean
from app.settings import home_folder
from app.store import StoreError

CODES = {"done": 0, "cancelled": 130}
TOOLS_SECONDS = 60.0
"""How long the first prompt waits for servers never seen before: npx may have to download theirs."""


def parser(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("leochat ask", description="One task without a window.", parents=[common])
    made.add_argument("prompt", nargs="?", help="what to do; - or nothing reads stdin")
    made.add_argument("--json", action="store_true", help="one event a line on stdout")
    which = made.add_mutually_exclusive_group()
    which.add_argument("--conversation", metavar="ID", help="go on in this conversation")
    which.add_argument("--resume", metavar="ID", help="go on with this conversation's last task")
    made.add_argument(
        "--attach", action="append", default=[], type=Path, metavar="FILE", help="goes with the prompt; may be repeated"
    )
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="stop after so long")
    add_model_options(made)
    return made


def main(arguments: list[str], common: argparse.ArgumentParser) -> int:
    options = read_options(parser(common), arguments)
    try:
        if options.timeout is not None and not options.timeout > 0:
            raise UsageError("--timeout takes a number of seconds above 0.")
        home = home_folder(options.home)
        run = run_of(options, home)
        prompt = "" if options.resume else _prompt(options.prompt)
        leo = LeoChat(home, run)
    except (UsageError, OSError) as error:
        print(f"leochat ask: {error}", file=sys.stderr)
        return 2
    except StoreError as error:
        print(f"leochat ask: {error.message}", file=sys.stderr)
        return 1
    return asyncio.run(_ask(leo, options, prompt))


def _prompt(given: str | None) -> str:
    if given is not None and given != "-":
        if not given.strip():
            raise UsageError("the prompt is empty.")
        return given
    if sys.stdin.isatty() and given is None:
        raise UsageError("say what to do, or pipe it in.")
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not text.strip():
        raise UsageError("there is no prompt on stdin.")
    return text


async def _ask(leo: LeoChat, options: argparse.Namespace, prompt: str) -> int:
    for notice in leo.notices:
        print(f"leochat: {notice}", file=sys.stderr)
    leo.start()
    try:
        session = await _session(leo, options)
        return await _run(leo, session, options, prompt)
    except (Refused, StoreError) as refused:
        print(f"leochat ask: {refused.message}", file=sys.stderr)
        if options.json:
            JsonLines().tell(None, TaskEnd("error", ErrorInfo(kind="bad_request", message=refused.message)))
        return 1
    finally:
        await leo.close()


async def _session(leo: LeoChat, options: argparse.Namespace) -> Session:
    known = options.conversation or options.resume
    if known:
        return await leo.library.session(known)
    return await leo.library.session((await leo.library.new()).id)


async def _run(leo: LeoChat, session: Session, options: argparse.Namespace, prompt: str) -> int:
    window = (
        JsonLines()
        if options.json
        else Terminal(answering(session), leo.questions, leo.sampling)
        if interactive()
        else Terminal()
    )
    if interactive() and not options.json:
        leo.windows.add(window)
    window.watch(session, session.seq)
    await wait_for_tools(leo)
    refs = [await _attach(leo, path) for path in options.attach]
    stopping = _stop_on_signals(session)
    if options.resume:
        await session.resume()
    else:
        await session.send(prompt, tuple(refs))
    try:
        async with asyncio.timeout(options.timeout):
            end = await session.tasks.wait()
    except TimeoutError:
        await session.stop("limit")
        end = session.tasks.last_end
        words = f"leochat ask: stopped after {options.timeout:g} s, its limit; --resume {session.id} goes on."
        print(words, file=sys.stderr)
    if options.json is False:
        print(f"conversation {session.id}", file=sys.stderr)
    stopping.clear()
    return _code(end)


async def wait_for_tools(leo: LeoChat, seconds: float = TOOLS_SECONDS) -> None:
    """Until every server's tools are known; says on stderr which ones it does without after so long."""
    if late := await leo.tools_known(seconds):
        print(f"leochat: not started after {seconds:g} s, so without their tools: {', '.join(late)}.", file=sys.stderr)


def _code(end: TaskEnd | None) -> int:
    return CODES.get(end.reason, 1) if end else 1


def _stop_on_signals(session: Session) -> "set[asyncio.Task[None]]":
    """Ctrl+C and a polite kill stop the task; what was said is kept."""
    tasks: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        tasks.add(loop.create_task(session.stop()))

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, ValueError):  # Windows has no such handlers; KeyboardInterrupt ends it
            loop.add_signal_handler(number, stop)
    return tasks


async def _attach(leo: LeoChat, path: Path) -> str:
    try:
        data = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        raise Refused("not_found", clean(f"{path}: {error.strerror or error}")) from error
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return await leo.store.blobs.put(data, media_type, clean(path.name))
