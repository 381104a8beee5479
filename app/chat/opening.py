"""Files opened by a person's click: only documents, only inside allowed folders, with the system's own program for them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from app.chat.refused import Refused
from mcp_servers.openable import is_document

PROGRAMS = (
    b"\x7fELF",
    b"MZ",
    b"#!",
    b"\xfe\xed\xfa",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"[Desktop Entry]",
)
"""How programs begin, whatever they are called."""

LINUX_SECONDS = 3.0
"""How long the opener is watched for a failure; it may stay for as long as the program runs."""


class Places(Protocol):
    """Allowed folders, and what stays closed inside them."""

    @property
    def roots(self) -> Sequence[str]: ...

    @property
    def closed(self) -> Sequence[str]: ...


def checked_file(path: str, places: Places) -> str:
    """The real path of a file inside the allowed folders; Refused for all else."""
    from mcp_servers.filesystem.errors import FilesError
    from mcp_servers.filesystem.roots import Roots

    try:
        real = Roots(places.roots, places.closed).resolve(path).path
    except FilesError:
        raise Refused("denied", f"{path} is outside the allowed folders now. Allow its folder in the settings first.") from None
    if not Path(real).is_file():
        raise Refused("not_found", f"{path} is not there any more.")
    return real


def check_kind(path: str) -> None:
    """Refused for what may be run, or run something."""
    kind = Path(path).suffix.lower()
    if not is_document(path):
        raise Refused(
            "denied", f"Files of the kind {kind or 'without an ending'} are not opened from here: show it in its folder."
        )
    try:
        with Path(path).open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise Refused("unavailable", f"{path} cannot be read: {error.strerror or error}.") from error
    if head.startswith(PROGRAMS):
        raise Refused("denied", f"{Path(path).name} is a program under another name; it is not opened.")


def open_with_system(path: str, *, reveal: bool) -> None:
    """Hand a checked file to its own program, or show its folder; Refused where the system has nothing for it."""
    if sys.platform == "win32":
        _on_windows(path, reveal=reveal)
    elif sys.platform == "darwin":
        _run(["open", "-R", path] if reveal else ["open", path], path)
    else:
        _on_linux(path, reveal=reveal)


def _on_windows(path: str, *, reveal: bool) -> None:
    try:
        if reveal:
            subprocess.Popen(f'explorer /select,"{path}"')  # its own way of quoting; the path holds no quotation mark there
        else:
            startfile = getattr(os, "startfile")  # noqa: B009 - only Windows has it
            startfile(path)
    except OSError as error:
        raise Refused("unavailable", f"Windows did not open {path}: {error.strerror or error}.") from error


def _on_linux(path: str, *, reveal: bool) -> None:
    opener = shutil.which("xdg-open")
    if opener is None or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Refused("unavailable", f"There is no desktop here to open it on. The file is {path}.")
    if reveal and _shown_by_file_manager(path):
        return
    _run([opener, str(Path(path).parent) if reveal else path], path)


def _shown_by_file_manager(path: str) -> bool:
    """Whether the desktop's file manager showed the file itself, as most can be asked to."""
    asker = shutil.which("dbus-send")
    if asker is None or not os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return False
    there = "org.freedesktop.FileManager1"
    command = [asker, "--session", "--print-reply", "--reply-timeout=2000", f"--dest={there}", "/org/freedesktop/FileManager1",
               f"{there}.ShowItems", f"array:string:{Path(path).as_uri().replace(',', '%2C')}", "string:"]  # fmt: skip
    try:
        return subprocess.run(command, capture_output=True, timeout=LINUX_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _run(command: list[str], path: str) -> None:
    nothing = subprocess.DEVNULL
    try:
        opener = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
        code = opener.wait(LINUX_SECONDS)
    except subprocess.TimeoutExpired:
        return  # it is the program itself, at work
    except OSError as error:
        raise Refused("unavailable", f"{path} could not be opened: {error.strerror or error}.") from error
    if code != 0:
        raise Refused("unavailable", f"No program on this computer opens {Path(path).name}. It is in {Path(path).parent}.")
