"""What is said where a file is asked for that is not there: no dead end, but the names that are."""

from __future__ import annotations

import difflib
from pathlib import Path

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.roots import Place, Roots

MOST = 20
"""Names that are told."""


def missing(roots: Roots, place: Place, endings: tuple[str, ...]) -> FilesError:
    """The refusal, with the names of the folder's files of these kinds, or of the one that was asked for."""
    suffix = Path(place.asked).suffix.lower()
    wanted = (suffix,) if suffix and suffix not in endings else endings
    try:
        with roots.parent(place) as (folder, name):
            entries = [entry.name for entry in folder.entries() if entry.is_file(follow_symlinks=False)]
            there = [one for one in entries if one.lower().endswith(wanted) and not one.startswith((".", "~$"))]
            where = folder.path
    except (FilesError, OSError):
        return FilesError(f"{place.asked} does not exist, nor does its folder.")
    if not there:
        return FilesError(f"{place.asked} does not exist, and {where} holds no file of this kind. Ask the user where it is.")
    near = difflib.get_close_matches(name, there, MOST, 0.5)
    names = [*near, *sorted(set(there) - set(near), key=str.casefold)]
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return FilesError(f"{place.asked} does not exist. In {where} there are: {', '.join(names[:MOST])}{more}.")
