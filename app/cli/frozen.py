"""What the packaged program puts right before it begins: streams, library path, and who starts its children."""

import io
import os
import sys
from pathlib import Path


def prepare() -> None:
    """Only in a packaged app: elsewhere nothing is wrong."""
    if not getattr(sys, "frozen", False):
        return
    _give_streams()
    _give_back_library_path()
    os.environ.setdefault("PYWEBVIEW_GUI", "qt")
    sys.executable = console_program(sys.executable)


def console_program(program: str) -> str:
    """The program to start our own children with: beside the windowed one on Windows, which has no streams to speak over."""
    console = Path(program).with_name(f"{Path(program).stem}-cli.exe")
    return str(console) if console.exists() else program


def _give_streams() -> None:
    """A windowed program has none, and what is written to nothing must not end it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    if sys.stdin is None:
        sys.stdin = io.StringIO()


def _give_back_library_path() -> None:
    """The loader's path to our libraries is no business of the programs we start, browsers and servers among them."""
    for name in ("LD_LIBRARY_PATH", "LIBPATH", "DYLD_LIBRARY_PATH"):
        if f"{name}_ORIG" in os.environ:
            os.environ[name] = os.environ.pop(f"{name}_ORIG")
        elif sys.platform.startswith("linux") and name == "LD_LIBRARY_PATH":
            os.environ.pop(name, None)
