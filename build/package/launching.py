"""A desktop's menu entry, read as a desktop reads it: what would run when a person presses it.

Format: Desktop Entry Specification 1.5, "The Exec key".
"""

import re
from pathlib import Path

WORD = re.compile(r'"((?:\\.|[^"\\])*)"|(\S+)')
NO_FILES = ("%f", "%F", "%u", "%U", "%i", "%c")
"""Codes that stand for nothing where nothing was dropped on the entry."""


def command_of(entry: Path) -> list[str]:
    """Program and arguments of the entry in this file. Raises ValueError where it starts nothing."""
    line = re.search(r"^Exec=(.*)$", entry.read_text(encoding="utf-8"), re.MULTILINE)
    if line is None:
        raise ValueError(f"{entry} starts nothing")
    text = line[1].replace("\\\\", "\\")  # first a string's own escapes, then the quotes of words
    words = [re.sub(r"\\(.)", r"\1", quoted) if quoted else bare for quoted, bare in WORD.findall(text)]
    return [word.replace("%k", str(entry)).replace("%%", "%") for word in words if word not in NO_FILES]
