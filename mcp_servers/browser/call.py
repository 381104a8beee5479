"""One call inside the browser's process: what is asked, with which limits, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_servers.browser.desk import Desk, Owner
    from mcp_servers.browser.tab import Tab

Tell = Callable[[str], Awaitable[None]]
"""Called with a few words while something takes its time."""

ACTION_SECONDS = 5.0
"""How long an element is waited for."""


class PageError(Exception):
    """What was asked for cannot be done; the text goes to the model. `meta` is a hint for the host."""

    def __init__(self, words: str, meta: Mapping[str, str] | None = None) -> None:
        super().__init__(words)
        self.meta = dict(meta) if meta else None


@dataclass
class Call:
    """`args` are the tool's; `chars`: how long an answer may be; `roots` and `protected`: folders, see Roots."""

    desk: Desk
    owner: Owner
    args: Mapping[str, Any]
    tell: Tell
    chars: int = 20_000
    roots: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()

    async def tab(self) -> Tab:
        """The caller's current tab, opened if there is none."""
        return await self.desk.current(self.owner)


@dataclass
class Reply:
    """`words`: what was done. `tab`: the page whose state is told below it, with a snapshot if `shown`.

    `picture` is base64 with its media type; `data` is for programs.
    """

    words: str = ""
    tab: Tab | None = None
    shown: bool = True
    picture: tuple[str, str] | None = None
    data: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list[str])


def words_of(error: Exception) -> str:
    """A failure of Playwright's in words: its first line, and what kept it from going on."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in str(error).splitlines()]
    lines = [line for line in lines if line and line != "Call log:"]
    first = re.sub(r"^[A-Za-z]+\.[a-z_A-Z]+: ", "", lines[0]) if lines else type(error).__name__
    if "strict mode violation" in first:
        found = [line for line in lines[1:] if re.match(r"\d+\)", line)][:5]
        return "The selector fits more than one element; use a ref of browser_snapshot. " + " ".join(found)
    if first.startswith("Unknown key"):
        return f"{first}. Keys are called as in Enter, ArrowDown, Escape, F5, a, or Control+a."
    if "has been closed" in first:
        return "The tab or the browser was closed meanwhile. browser_navigate opens a page again."
    if "Timeout" in first:
        return f"The element was not ready within {ACTION_SECONDS:g} s{_obstacle(lines)}. Look again with browser_snapshot."
    return first[:600]


def _obstacle(lines: list[str]) -> str:
    for line in reversed(lines):
        plain = line.removeprefix("- ")
        if any(
            sign in plain for sign in ("intercepts", "not visible", "not enabled", "not stable", "outside of", "not editable")
        ):
            return f" ({plain[:200]})"
    return ""
