"""What a path may look like before the disk is asked at all."""

import os
import re

from mcp_servers.filesystem.errors import FilesError

_DRIVE = re.compile(r"[A-Za-z]:([\\/]|$)")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
_DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(COM|LPT)[0-9¹²³])\s*(\..*)?$", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]')


def checked(path: str, *, windows: bool = os.name == "nt") -> str:
    """The path without surrounding blanks; FilesError says what is wrong with it."""
    text = path.strip()
    if not text:
        raise FilesError("The path is empty. Give a file or folder inside an allowed folder.")
    if "\0" in text:
        raise FilesError("Access denied: a path cannot hold a NUL character.")
    if _ADDRESS.match(text) and not _DRIVE.match(text):
        raise FilesError(f"{text} is an address. Give a plain path, without file: or http:.")
    _check_windows(text) if windows else _check_posix(text)
    return text


def _check_posix(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FilesError("Access denied: the path is not valid Unicode.") from error
    if _DRIVE.match(text) or text.startswith("\\\\"):
        raise FilesError(f"Access denied: {text} is a Windows path, and this computer has none.")
    if "..\\" in text or "\\.." in text:
        raise FilesError(f"Access denied: {text} uses \\ between folders. Use / instead.")


def _check_windows(text: str) -> None:
    plain = text.replace("/", "\\")
    if plain.startswith("\\\\"):
        raise FilesError(f"Access denied: {text} is a network or device path. Use a drive letter.")
    whole = plain[1:3] == ":\\" and plain[0].isalpha()
    body = plain[2:] if whole else plain
    if not whole and (plain[1:2] == ":" or plain.startswith("\\")):
        raise FilesError(f"Access denied: {text} depends on the current drive. Give a whole path.")
    for part in body.split("\\"):
        _check_windows_part(part, text)


def _check_windows_part(part: str, text: str) -> None:
    if part in ("", ".", ".."):
        return
    if ":" in part:
        raise FilesError(f"Access denied: {text} names a hidden stream of a file (after the colon).")
    if _FORBIDDEN.search(part):
        raise FilesError(f"{text} holds a character that Windows does not allow in a name.")
    if part[-1] in ". ":
        raise FilesError(f"Access denied: {text} has a name that ends in a dot or a blank.")
    if _DEVICES.match(part):
        raise FilesError(f"Access denied: {part} is a device of Windows, not a file.")
