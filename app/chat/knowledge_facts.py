"""Answers to a window's questions about the folders that are indexed."""

from typing import Literal

from app.core.frozen import Frozen

FolderState = Literal["scanning", "reading", "ready", "missing"]
Protocol = Literal["openai", "ollama"]


class KnowledgeFile(Frozen):
    """A file that could not be read, or not whole. `kind` says why in one word, `problem` in a sentence.

    Kinds: name, large, unreadable, locked, scan, binary, damaged, slow, cut, empty, other.
    """

    path: str
    kind: str
    problem: str


class KnowledgeFolder(Frozen):
    """A folder with its counts. `others` are files of kinds that are not read; times are ms since 1970.

    `problems` are the first of its files that could not be read; `failed` counts them all.
    """

    id: int
    path: str
    state: FolderState
    problem: str
    files: int
    indexed: int
    waiting: int
    failed: int
    passages: int
    others: int
    scanned_ms: int | None
    indexed_ms: int | None
    problems: tuple[KnowledgeFile, ...] = ()


class KnowledgeModel(Frozen):
    """The embedding model that the person added ("" : none). `has_key`: one is saved for its host.

    `vectors` of `passages` are compared with it; `problem` is why not more are.
    """

    protocol: Protocol
    address: str
    model: str
    has_key: bool
    vectors: int
    passages: int
    problem: str


class KnowledgeView(Frozen):
    """All of the page. `on`: the server runs; `picks`: there is a dialog to choose a folder; `trouble`: what holds it up."""

    on: bool
    folders: tuple[KnowledgeFolder, ...]
    model: KnowledgeModel
    picks: bool
    trouble: str


class KnowledgeTrial(Frozen):
    """What a test of an embedding model found: the length of its vectors, or why there are none."""

    ok: bool
    dimensions: int | None = None
    message: str = ""
    duration_ms: int = 0
