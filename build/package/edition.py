"""The edition that a package is made of, as far as the build needs it; the app itself checks the whole file."""

import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from places import ROOT, script
from say import SetupError

ICON = ROOT / "app" / "desktop" / "icons" / "leochat.png"
CHECK = "import sys; from pathlib import Path; from app.settings.edition import load; load(Path(sys.argv[1]))"


@dataclass(frozen=True)
class Edition:
    """`file`: its TOML, None for the plain LeoChat; `version` is LeoChat's, `own_version` the edition's."""

    version: str
    name: str = "LeoChat"
    id: str = "leochat"
    own_version: str = ""
    maker: str = ""
    homepage: str = ""
    icon: Path = ICON
    file: Path | None = None
    folders: tuple[str, ...] = ()
    """Of knowledge, beside the TOML file."""

    @property
    def shown_version(self) -> str:
        return self.own_version or self.version


def project_version() -> str:
    """LeoChat's own, as pyproject.toml has it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def read(file: Path | None) -> Edition:
    """The edition in `file`, which the app found to fit; raises SetupError with the app's words where it does not."""
    if file is None:
        return Edition(project_version())
    done = subprocess.run([script("python"), "-c", CHECK, file], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise SetupError(last[0].partition("EditionError: ")[2] or last[0])
    raw: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    return Edition(
        version=project_version(),
        name=raw.get("name", "LeoChat"),
        id=raw.get("id", "leochat"),
        own_version=raw.get("version", ""),
        maker=raw.get("maker", ""),
        homepage=raw.get("homepage", ""),
        icon=file.parent / raw["icon"] if raw.get("icon") else ICON,
        file=file,
        folders=tuple(entry["folder"] for entry in raw.get("knowledge", ())),
    )
