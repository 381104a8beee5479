"""The command line: `leochat` opens the window; serve, ask, chat, doctor, mcp, servers and conversations do the rest."""

import argparse
import importlib
import io
import os
import sys
from pathlib import Path

from app.cli.starting import starting

VERBS = {
    "serve": "serve the page and print its address",
    "ask": "one task without a window",
    "chat": "talk in the terminal",
    "doctor": "why something does not work, and how to mend it",
    "mcp": "serve one bundled server over stdio, for any MCP client",
    "servers": "list, add and change MCP servers",
    "conversations": "list, show, export, import, delete, search and restore conversations",
}


def common() -> argparse.ArgumentParser:
    """What every verb takes."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--home", type=Path, metavar="DIR", help="settings, store and logs (default: LEOCHAT_HOME, else your data folder)"
    )
    return parser


def overview() -> str:
    lines = ["usage: leochat [--home DIR] [VERB …]", "", "Without a verb the window opens.", ""]
    lines += [f"  {verb:15} {what}" for verb, what in VERBS.items()]
    return "\n".join([*lines, "", "leochat VERB --help tells more; leochat --version, which one this is."])


def split(arguments: list[str]) -> tuple[str, list[str]]:
    """The verb and its arguments; options before the verb belong to it too."""
    taking = False
    for at, word in enumerate(arguments):
        if taking or word.startswith("-"):
            taking = word == "--home"
            continue
        return word, arguments[:at] + arguments[at + 1 :]
    return "window", arguments


def home_last(arguments: list[str]) -> list[str]:
    """`--home DIR` behind a verb's own verb, where its parser takes it; what follows `--` is not ours."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own, others = arguments[:end], arguments[end:]
    if "--home" in own[:-1]:
        at = own.index("--home")
        own = [*own[:at], *own[at + 2 :], *own[at : at + 2]]
    return [*own, *others]


def main(argv: list[str] | None = None) -> int:
    """Run one command and give its exit code: 0 done, 130 cancelled, 2 wrong usage, 1 all else."""
    arguments = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    verb, rest = split(arguments)
    if verb == "window" and any(a in ("-h", "--help") for a in rest):
        print(overview())
        return 0
    if "--version" in arguments[:1]:
        from importlib.metadata import version

        print(f"LeoChat {version('leochat')}")
        return 0
    if verb not in (*VERBS, "window"):
        print(f"leochat: there is no verb {verb!r}.\n{overview()}", file=sys.stderr)
        return 2
    try:
        with starting():
            command = importlib.import_module(f"app.cli.{verb}")
        return int(command.main(home_last(rest), common()))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output went away (`| head`): nothing more to say, and nothing to say at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


if __name__ == "__main__":
    sys.exit(main())
