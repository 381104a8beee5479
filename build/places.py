"""Where the build tool finds things and puts things."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
LOGS = CACHE / "logs"
FRONTEND = ROOT / "frontend"
PAGE = ROOT / "app" / "web" / "static" / "index.html"

WINDOWS = os.name == "nt"
LINUX = sys.platform.startswith("linux")

VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if WINDOWS else "bin")


def script(name: str) -> Path:
    """The program `name` of the project's own environment."""
    return SCRIPTS / (f"{name}.exe" if WINDOWS else name)
