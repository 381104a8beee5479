"""An edition: LeoChat under another name, with servers, prompts, knowledge and settings of its own, said in one TOML file.

A packaged app holds its edition's folder; from source the variable LEOCHAT_EDITION names an `edition.toml`. Without
either there is the plain LeoChat, which is an edition with nothing of its own.
"""

import functools
import os
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import ConfigDict, Field, JsonValue, ValidationError

from app.core.frozen import Frozen

VARIABLE = "LEOCHAT_EDITION"
FILE = "edition.toml"
FOLDER = "edition"
"""Below a packaged app's own folder."""
WHERE = "{edition}"
"""In a server's command, arguments and folder: the edition's own folder, wherever it is installed."""

PROGRAM = "{program}"

ShortText = Annotated[str, Field(min_length=1, max_length=200)]


class EditionError(ValueError):
    """An edition that cannot be: one clear sentence that names the file and the entry."""


class Strict(Frozen):
    """A word that is not known here is a mistake of the edition's author, who should hear of it at build time."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EditionPrompt(Strict):
    """Something to try, offered on the empty page; `title_es`, `text_es` where it has Spanish words too."""

    title: ShortText
    text: Annotated[str, Field(min_length=1, max_length=4000)]
    title_es: str = ""
    text_es: str = ""


class EditionServer(Strict):
    """An MCP server that comes along: switched off or waiting for its command to be accepted, unless said otherwise.

    `accepted` true: the edition's author answers for it, so that it starts without asking.
    """

    name: ShortText
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    transport: Literal["stdio", "http", "sse"] = "stdio"
    enabled: bool = True
    accepted: bool = False
    description: str | None = None


class EditionKnowledge(Strict):
    """A folder of documents that comes along, by its path beside the TOML file."""

    name: ShortText
    folder: ShortText


class Edition(Strict):
    """`id` names files, folders and the data folder; `icon` is a PNG of at least 256x256 pixels beside the TOML file.

    `updates` is the address asked for a newer version once the person wants that. `settings` are defaults by dotted name.
    """

    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f/\\:*?\"<>|]+$")] = "LeoChat"
    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{1,30}$")] = "leochat"
    version: Annotated[str, Field(pattern=r"^(\d+(\.\d+){0,3})?$")] = ""
    maker: str = ""
    homepage: Annotated[str, Field(pattern=r"^$|^https?://[^\s@]+$")] = ""
    updates: Annotated[str, Field(pattern=r"^$|^https?://[^\s@]+$")] = ""
    icon: str = ""
    settings: dict[str, JsonValue] = {}
    servers: tuple[EditionServer, ...] = ()
    prompts: tuple[EditionPrompt, ...] = ()
    knowledge: tuple[EditionKnowledge, ...] = ()
    place: Path | None = Field(default=None, exclude=True)
    """The folder that the file is in; None for the plain LeoChat."""

    @property
    def plain(self) -> bool:
        return self.place is None

    def here(self, text: str) -> str:
        """`text` with `{edition}` as the folder's path and `{program}` as that of LeoChat itself."""
        made = text.replace(WHERE, str(self.place)) if self.place else text
        return made.replace(PROGRAM, program())


def load(file: Path) -> Edition:
    """The edition in `file`. Raises EditionError for whatever cannot be, files that are not there among it."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise EditionError(f"The edition {file} cannot be read: {error}") from error
    try:
        made = Edition.model_validate({**raw, "place": file.resolve().parent})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EditionError(f"The edition {file} does not fit at {where}: {first['msg']}.") from None
    _check_settings(made, file)
    for what in (made.icon, *(k.folder for k in made.knowledge)):
        if what and not _inside(file.resolve().parent, what).exists():
            raise EditionError(f"The edition {file} names {what}, which is not there beside it.")
    return made


def _inside(folder: Path, name: str) -> Path:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise EditionError(f"The edition's {name} leads out of its folder {folder}.")
    return path


def _check_settings(edition: Edition, file: Path) -> None:
    from app.settings.file import SettingError, check_value

    for name, value in edition.settings.items():
        try:
            check_value(name, value)
        except SettingError as error:
            raise EditionError(f"The edition {file} has a setting that does not fit, {name}: {error}") from None


def program() -> str:
    """What starts LeoChat: the packaged program, else the command beside this Python."""
    if packaged():
        return sys.executable
    return str(Path(sys.executable).with_name("leochat.exe" if sys.platform == "win32" else "leochat"))


def packaged() -> bool:
    """Whether this is the double-click app, which needs no Python."""
    return bool(getattr(sys, "frozen", False))


def packaged_file(name: str) -> Path | None:
    """A file that the build put into the app beside its code; None where it has none, or is no package."""
    if not packaged():
        return None
    inner = Path(cast("Any", sys)._MEIPASS)  # noqa: SLF001 (PyInstaller's name for the app's own folder)
    places = (inner, inner.parent, inner.parent / "Resources")
    return next((place / name for place in places if (place / name).is_file()), None)


def found(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The edition's file of this run, None for the plain LeoChat. A packaged app has its own, whatever a variable says."""
    if packaged():
        return packaged_file(f"{FOLDER}/{FILE}")
    return Path(environ[VARIABLE]) if environ.get(VARIABLE) else None


@functools.cache
def edition() -> Edition:
    """This run's edition; the plain one, and a sentence on stderr, where its file cannot be read."""
    file = found()
    if file is None:
        return Edition()
    try:
        return load(file)
    except EditionError as error:
        print(f"leochat: {error}", file=sys.stderr)
        return Edition()


def under(defaults: dict[str, JsonValue]) -> dict[str, Any]:
    """Dotted defaults as nested sections."""
    nested: dict[str, Any] = {}
    for name, value in defaults.items():
        section, _, field = name.partition(".")
        if field:
            nested.setdefault(section, {})[field] = value
        else:
            nested[section] = value
    return nested
