"""The build tool's commands: each is one module beside this one with `main(args) -> exit code`."""

import importlib
import sys
from dataclasses import dataclass

from places import ROOT
from say import SetupError, say


@dataclass(frozen=True)
class Command:
    """A command's module, and its line in the help."""

    module: str
    usage: str
    does: str


COMMANDS = {
    "start": Command("start", "start [ARGS]", "set up, then run leochat ARGS (none: the window)"),
    "test": Command("suite", "test [ARGS]", "set up, then vitest and pytest ARGS"),
    "check": Command("checks", "check", "format, lint, types, import contracts, wire, then test"),
    "bench": Command("bench", "bench [NAME]", "how fast it is, beside the floor and its peers"),
    "conformance": Command("conformance", "conformance", "the protocol's own suite, against the host and a bundled server"),
    "package": Command("package", "package [--edition FILE]", "the program to double-click, under dist/"),
    "audit": Command("audit", "audit", "known holes in what the locks pin (online)"),
    "wire": Command("wire_step", "wire", "write the page's types again from the Python ones"),
    "lock": Command("lock", "lock [ARGS]", "write the lock files again (uv pip compile ARGS)"),
}


def main(args: list[str]) -> int:
    """Run one command; 2 for wrong usage, 1 with one sentence where set-up cannot go on."""
    name, rest = (args[0], args[1:]) if args else ("--help", [])
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    command = COMMANDS.get(name)
    if command is None:
        say(f"There is no command {name}.\n\n{usage()}")
        return 2
    try:
        return importlib.import_module(command.module).main(rest)
    except SetupError as error:
        say(str(error))
        return 1
    except OSError as error:
        say(f"Set-up cannot go on: {error}. It needs to write in {ROOT}, and some room on its disk.")
        return 1
    except KeyboardInterrupt:
        return 130


def usage() -> str:
    """The help text."""
    python = "py" if sys.platform == "win32" else "python3"
    lines = [f"  {python} build {c.usage:<24} {c.does}" for c in COMMANDS.values()]
    return "\n".join(["LeoChat's build tool.", "", *lines])
