"""Folders that are never opened to tools, whoever asks: the system's, keys and settings, LeoChat's own."""

import os
import re
import sys
import unicodedata
from pathlib import Path

SECRETS = frozenset(
    (".ssh", ".gnupg", ".gpg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".pki", ".config", ".local",
     ".mozilla", ".thunderbird", ".netrc", "keychains", "appdata")
)  # fmt: skip
"""Names that mean keys, sessions and settings wherever they are."""

SYSTEM = {
    "linux": (
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/lost+found", "/opt", "/proc", "/root",
        "/run", "/sbin", "/snap", "/sys", "/usr", "/var",
    ),
    "darwin": (
        "/Applications", "/System", "/Library", "/bin", "/cores", "/dev", "/etc", "/opt", "/private/etc", "/sbin", "/usr",
        "/private/var/db", "/private/var/log", "/private/var/root", "/private/var/run",
    ),
}  # fmt: skip
DISKS = ("/run/media", "/run/mount")
"""Where disks that people plug in appear, below a folder of the system."""

NETWORK = re.compile(r"/run/user/[0-9]+/gvfs/.")
"""Where the desktop puts shares of the network."""

OPEN_INSIDE = (*DISKS, "/var/www", "/var/tmp")  # noqa: S108 - named, not used
TOP = ("/", "/home", "/Users", "/mnt", "/media", "/Volumes", "/tmp", "/private", "/private/tmp", *DISKS)  # noqa: S108 - named, not used
"""Too wide themselves; what is in them may be asked for."""


def why_closed(folder: str, app_home: str) -> str | None:
    """Why this folder (a real path) is never opened to tools, as the end of a sentence; None where it may be asked for."""
    path, person = Path(folder), Path(os.path.realpath(Path.home()))
    own = Path(os.path.realpath(app_home))
    if _inside(path, own):
        return "it belongs to LeoChat itself: settings, conversations and keys"
    if _inside(person, path):
        return "it holds the whole home folder, with keys and settings of every program; a folder inside it can be allowed"
    if _inside(own, path):
        return "LeoChat's own files are in it"
    if _inside(path, person):
        first = path.relative_to(person).parts[0] if _loose(path) != _loose(person) else ""
        if first.startswith(".") or (sys.platform == "darwin" and first == "Library"):
            return "hidden folders hold keys and settings of programs"
    elif fault := _systems(path):
        return fault
    if any(part.casefold() in SECRETS for part in path.parts):
        return "such folders hold keys and settings of programs"
    return None


def _systems(path: Path) -> str | None:
    if NETWORK.match(str(path)):
        return None
    if path == Path(path.anchor) or str(path) in TOP:
        return "it is far too wide; a folder inside it can be allowed"
    if sys.platform == "win32":
        named = (os.environ.get(name) for name in ("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramData"))
        closed = [one for one in named if one]
        if len(path.parts) == 2 and path.name.casefold() == "users":
            return "it is far too wide; a folder inside it can be allowed"
    else:
        closed = [
            one for one in SYSTEM.get(sys.platform, SYSTEM["linux"]) if not any(_inside(path, Path(o)) for o in OPEN_INSIDE)
        ]
    if any(_inside(path, Path(one)) for one in closed):
        return "it is a folder of the system"
    return None


def _inside(path: Path, folder: Path) -> bool:
    """Whether `path` is `folder` or below it."""
    outer, inner = _loose(folder), _loose(path)
    return inner[: len(outer)] == outer


def _loose(path: Path) -> tuple[str, ...]:
    if sys.platform not in ("win32", "darwin"):
        return path.parts
    return tuple(unicodedata.normalize("NFC", part).casefold() for part in path.parts)
