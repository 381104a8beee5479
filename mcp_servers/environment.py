"""The plain values a bundled server that runs alone is created with, from its environment."""

import locale
import os
import sys
from collections.abc import Sequence
from pathlib import Path


def config_from_environment(roots: Sequence[str] = ()) -> dict[str, object]:
    """The `create(config)` mapping of a server that was started by itself.

    `LEOCHAT_DATA_DIR` (a folder), `LEOCHAT_LANGUAGE` ("en", "es") and `LEOCHAT_ROOTS` (folders
    joined by `os.pathsep`) win over the platform's defaults; `roots` from the command line win
    over `LEOCHAT_ROOTS`.
    """
    return {
        "data_dir": os.environ.get("LEOCHAT_DATA_DIR") or default_data_dir(),
        "language": os.environ.get("LEOCHAT_LANGUAGE") or system_language(),
        "roots": list(roots) or roots_from_environment() or [default_root()],
        "offline": os.environ.get("LEOCHAT_OFFLINE", "") not in ("", "0"),
    }


def default_data_dir() -> str:
    """The platform's folder for LeoChat's own data."""
    import platformdirs

    return platformdirs.user_data_dir("LeoChat", appauthor=False)


def default_root() -> str:
    """The `LeoChat` folder in the person's documents, made if it is not there."""
    import platformdirs

    root = Path(platformdirs.user_documents_dir()) / "LeoChat"
    root.mkdir(parents=True, exist_ok=True)
    return str(root)


def roots_from_environment() -> list[str]:
    """The folders of `LEOCHAT_ROOTS`, empty parts left out."""
    return [part for part in os.environ.get("LEOCHAT_ROOTS", "").split(os.pathsep) if part.strip()]


def system_language() -> str:
    """ "es" where the system speaks Spanish, else "en"."""
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    if not spoken and sys.platform in ("win32", "darwin"):
        spoken = locale.getlocale()[0]
    return "es" if (spoken or "").lower().startswith(("es", "spanish")) else "en"


def text_of(config: object, default: str = "") -> str:
    """A configuration value that must be text, or the default where it is missing."""
    return config if isinstance(config, str) and config else default
