"""Answers to a window's questions about the program itself."""

from typing import Literal

from app.core.frozen import Frozen


class EditionPromptInfo(Frozen):
    """Something to try that the edition offers."""

    title: str
    text: str


class EditionInfo(Frozen):
    """What this program is called; `version` the edition's own, else LeoChat's."""

    name: str = "LeoChat"
    version: str = ""
    maker: str = ""
    homepage: str = ""
    prompts: tuple[EditionPromptInfo, ...] = ()


class PartInfo(Frozen):
    """A part of the program. `licence` "" is unknown; `has_text`: its licence can be read whole."""

    name: str
    version: str
    kind: Literal["python", "npm", "system", "program"]
    licence: str
    home: str
    has_text: bool


class UpdateInfo(Frozen):
    """The last question for a newer version, None: never asked; `newer` None: there was none."""

    asked_ms: int | None = None
    newer: str | None = None
    url: str = ""
    problem: str | None = None


class AboutData(Frozen):
    """`made_with` is LeoChat's own version; `window`: what shows the page; `sbom` a file, only in a package."""

    name: str
    version: str
    made_with: str
    maker: str
    homepage: str
    packaged: bool
    home: str
    logs: str
    keys_where: str
    window: str
    parts: tuple[PartInfo, ...]
    sbom: str | None
    update: UpdateInfo


class WrittenText(Frozen):
    """A text to read or to copy."""

    text: str
