"""`.gitignore` rules as git and ripgrep read them (git's documentation, "gitignore")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mcp_servers.filesystem.glob import Glob

FILES = (".gitignore", ".ignore", ".rgignore")
"""The files of rules, the weakest first."""


@dataclass(frozen=True)
class Rule:
    """One line: what it fits, whether it brings back instead of hiding, and folders only."""

    glob: Glob
    keeps: bool
    folders_only: bool
    way: tuple[str, ...] = ()
    """The names from the rule's folder to the start of the walk, where the rule stands above it."""

    def below(self, way: tuple[str, ...]) -> Rule:
        """The rule as seen from a walk that starts at `way` below the rule's folder."""
        return replace(self, way=way)


@dataclass(frozen=True)
class Ignores:
    """The rules that hold in a folder: those of the folders above it come first."""

    rules: tuple[tuple[int, Rule], ...] = ()
    """Each with the depth of the folder whose file it stands in."""

    def extended(self, text: str, depth: int) -> Ignores:
        """These rules and those of one more file, `depth` folders below the start."""
        return Ignores(self.rules + tuple((depth, rule) for rule in parse(text)))

    def hide(self, parts: Sequence[str], *, folder: bool) -> bool:
        """Whether the path is ignored: the last rule that fits it decides."""
        for depth, rule in reversed(self.rules):
            if rule.folders_only and not folder:
                continue
            if rule.glob.fits((*rule.way, *parts[depth:])):
                return not rule.keeps
        return False


def parse(text: str) -> list[Rule]:
    """The rules of one file; comments and blank lines are left out."""
    rules: list[Rule] = []
    for raw in text.splitlines():
        line = raw if raw.endswith("\\ ") else raw.rstrip()
        if not line or line.startswith("#"):
            continue
        keeps = line.startswith("!")
        pattern = line[1:] if keeps else line
        folders_only = pattern.endswith("/")
        body = pattern.strip("/")
        if body:
            anchored = "/" in pattern.rstrip("/")
            rules.append(Rule(Glob(body if anchored else f"**/{body}"), keeps, folders_only))
    return rules
