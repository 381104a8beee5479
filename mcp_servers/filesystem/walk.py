"""Every file and folder below a place, in order, without following a link and within a time limit."""

import contextlib
import os
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field

from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.ignore import FILES, Ignores, parse
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.roots import Place, Roots

DEEPEST = 100
"""How many folders deep a walk goes."""

GIT = ".git"

RULES = 256 * 1024
"""The largest ignore file that is read, in bytes."""


@dataclass(frozen=True)
class Found:
    """One entry: its names from the start, and the open folder it is in (valid until the next)."""

    parts: tuple[str, ...]
    is_folder: bool
    is_link: bool
    folder: Folder

    @property
    def name(self) -> str:
        """Its own name."""
        return self.parts[-1]


@dataclass(frozen=True)
class Walk:
    """What to walk and what to leave out. `hidden` includes names that begin with a dot."""

    roots: Roots
    patience: Patience
    hidden: bool = True
    ignores: bool = False
    unread: list[str] = field(default_factory=list[str])
    """Folders that could not be opened, filled while walking."""

    def below(self, place: Place) -> Iterator[Found]:
        """All entries below the place; a folder comes before what is in it."""
        with self.roots.folder(place) as folder:
            rules = self._inherited(place) if self.ignores else Ignores()
            yield from self._inside(folder, (), rules)

    def _inside(self, folder: Folder, way: tuple[str, ...], rules: Ignores) -> Iterator[Found]:
        entries = folder.entries()
        if self.ignores:
            rules = _with_files(rules, folder, len(way), {entry.name for entry in entries})
        for entry in entries:
            if self.patience.over():
                return
            parts = (*way, entry.name)
            is_folder = entry.is_dir(follow_symlinks=False) and not _is_junction(entry)
            if self._left_out(parts, rules, is_folder):
                continue
            with self._opened(folder, entry.name, is_folder) as inner:
                if is_folder and inner is None:
                    continue
                yield Found(parts, is_folder, entry.is_symlink() or _is_junction(entry), folder)
                if inner is not None and len(parts) < DEEPEST:
                    yield from self._inside(inner, parts, rules)

    @contextlib.contextmanager
    def _opened(self, folder: Folder, name: str, is_folder: bool) -> Generator[Folder | None]:
        inner = None
        if is_folder:
            try:
                inner = folder.enter(name)
            except (FilesError, OSError):
                self.unread.append(folder.full(name))
        try:
            yield inner
        finally:
            if inner is not None:
                inner.close()

    def _left_out(self, parts: tuple[str, ...], rules: Ignores, is_folder: bool) -> bool:
        name = parts[-1]
        if not self.hidden and name.startswith("."):
            return True
        return self.ignores and (name == GIT or rules.hide(parts, folder=is_folder))

    def _inherited(self, place: Place) -> Ignores:
        """The rules of the folders above the start, up to the root."""
        rules = Ignores()
        above: list[tuple[int, str]] = []
        for depth in range(len(place.parts)):
            upper = Place(place.root, place.parts[:depth], place.asked)
            with self.roots.folder(upper) as folder:
                above += [(depth, text) for text in _rule_files(folder, (GIT, *FILES))]
        for depth, text in above:
            rules = _shifted(rules, text, place.parts[depth:])
        return rules


def _shifted(rules: Ignores, text: str, way: tuple[str, ...]) -> Ignores:
    # A rule of a folder above sees the way down to the start before every path.
    return Ignores(rules.rules + tuple((0, rule.below(way)) for rule in parse(text)))


def _with_files(rules: Ignores, folder: Folder, depth: int, there: Collection[str]) -> Ignores:
    for text in _rule_files(folder, there):
        rules = rules.extended(text, depth)
    return rules


def _rule_files(folder: Folder, there: Collection[str]) -> Iterator[str]:
    """The rules of a folder that holds `there`, the weakest first: what git keeps for one person's copy, then the files."""
    if GIT in there:
        yield from _excluded(folder)
    for name in FILES:
        if name in there:
            yield from _rules(folder, name)


def _excluded(folder: Folder) -> Iterator[str]:
    with contextlib.ExitStack() as held, contextlib.suppress(FilesError, OSError):
        for name in (GIT, "info"):
            folder = folder.enter(name)
            held.callback(folder.close)
        yield from _rules(folder, "exclude")


def _rules(folder: Folder, name: str) -> Iterator[str]:
    with contextlib.suppress(FilesError, OSError), folder.reading(name) as (descriptor, status):
        if status.st_size <= RULES:
            with open(descriptor, encoding="utf-8-sig", errors="replace", closefd=False) as file:
                yield file.read()


def _is_junction(entry: os.DirEntry[str]) -> bool:
    return bool(getattr(entry, "is_junction", bool)())
