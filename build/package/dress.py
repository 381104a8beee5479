"""Puts beside the frozen program what is not code: its edition, the parts with their licences, the SBOM, words to read."""

import json
import shutil
from pathlib import Path

from package import sbom
from package.edition import Edition
from package.recipe import SOURCES, TOOLS
from places import FRONTEND, ROOT, script
from programs import run

INNER = "_internal"
PARTS = "parts.json"
SBOM = "sbom.cdx.json"
# Chromium's folder of languages: its web engine looks for them elsewhere, but makes it all the same.
MADE_BY_RUNNING = ("PySide6/Qt/resources/locales",)
README = """{name} {version}

Start it: run {program} in this folder{or_click}.
On a terminal: {program} --help

Your settings, conversations and logs are in {home}
(another place: {program} --home FOLDER, or the variable LEOCHAT_HOME). Removing the program leaves them there;
delete that folder if you do not want them any more. The keys of providers are in your system's key ring, under LeoChat.

What this is made of, with all licences: Settings, About. The same as a list for scanners: {sbom}.
"""
HOMES = {
    "linux": "~/.local/share/{folder}",
    "darwin": "~/Library/Application Support/{folder}",
    "win32": "%LOCALAPPDATA%\\{folder}",
}


def dress(folder: Path, edition: Edition, platform: str) -> None:
    """Fill the folder that PyInstaller made (on macOS the app's Resources)."""
    inner = folder / INNER if (folder / INNER).is_dir() else folder
    make_room(inner)
    parts = inner / PARTS
    listing = [ROOT / "build" / "package" / "parts.py", SOURCES, FRONTEND / "package-lock.json", TOOLS, parts]
    run([script("python"), *listing], what="Listing the parts and their licences")
    sbom.write(folder / SBOM, edition, json.loads(parts.read_text(encoding="utf-8")))
    if edition.file:
        put_edition(inner / "edition", edition, edition.file)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE.txt")
    (folder / "README.txt").write_text(readme(edition, platform), encoding="utf-8")


def make_room(inner: Path) -> None:
    """Folders that running it makes where it may: here from the start, so that who removes the program removes them too."""
    for name in MADE_BY_RUNNING:
        if (inner / name).parent.is_dir():
            (inner / name).mkdir(exist_ok=True)


def put_edition(place: Path, edition: Edition, file: Path) -> None:
    """The TOML file, its icon and its folders; nothing else that lies beside them."""
    place.mkdir(parents=True)
    shutil.copyfile(file, place / "edition.toml")
    if edition.icon.is_relative_to(file.parent):
        target = place / edition.icon.relative_to(file.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(edition.icon, target)
    for name in edition.folders:
        shutil.copytree(file.parent / name, place / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))


def readme(edition: Edition, platform: str) -> str:
    """What a person reads who opens the folder."""
    program = {"win32": f"{edition.id}.exe", "darwin": f"{edition.name}.app"}.get(platform, f"./{edition.id}")
    return README.format(
        name=edition.name,
        version=edition.shown_version,
        program=program,
        or_click="" if platform == "linux" else " with a double click",
        home=HOMES[platform].format(folder=edition.name),
        sbom=SBOM,
    )
