"""Names as models accept them: `server__tool`, made unique and mapped back."""

import hashlib
import re
from collections.abc import Iterable

LONGEST = 64
_UNFIT = re.compile(r"[^a-zA-Z0-9_-]")


def offered_name(server: str, tool: str) -> str:
    """`server__tool` in `[a-zA-Z0-9_-]`, at most 64 long; what was cut off lives on as a hash."""
    plain = f"{_fit(server) or 'server'}__{_fit(tool) or 'tool'}"
    return plain if len(plain) <= LONGEST else _hashed(plain, server, tool)


def offered_names(tools: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """A unique name for each (server, tool); of two that would be equal the literal one keeps it."""
    wanted = list(dict.fromkeys(tools))
    exact = {f"{s}__{t}" for s, t in wanted}
    names: dict[tuple[str, str], str] = {}
    taken: set[str] = set()
    for server, tool in wanted:
        name = offered_name(server, tool)
        literal = name == f"{server}__{tool}"
        if name in taken or (not literal and name in exact):
            name = _hashed(name, server, tool)
        taken.add(name)
        names[server, tool] = name
    return names


def _fit(text: str) -> str:
    return _UNFIT.sub("_", text)


def _hashed(plain: str, server: str, tool: str) -> str:
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"{plain[: LONGEST - 9]}_{digest}"
