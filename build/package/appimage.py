"""The AppImage: one file that runs where it lies. Its runtime comes with `appimagetool`, which no registry has."""

import shutil
from pathlib import Path

from package import menu
from package.archive import time_of_entries
from package.edition import Edition
from programs import run

RUN = """#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/lib/{id}/{id}" "$@"
"""


def lay_out(folder: Path, edition: Edition, tree: Path) -> None:
    """An AppDir: the program, the entry and the icon at its top, and what starts it."""
    shutil.rmtree(tree, ignore_errors=True)
    home = tree / "usr" / "lib" / edition.id
    shutil.copytree(folder, home, symlinks=True)
    (home / f"{edition.name}.desktop").unlink(missing_ok=True)
    menu.icons(edition, tree / "usr" / "share" / "icons")
    (tree / f"{edition.id}.desktop").write_text(menu.entry(edition), encoding="utf-8")
    shutil.copyfile(tree / "usr/share/icons/hicolor/256x256/apps" / f"{edition.id}.png", tree / f"{edition.id}.png")
    start = tree / "AppRun"
    start.write_text(RUN.format(id=edition.id), encoding="utf-8")
    start.chmod(0o755)


def outputs(folder: Path, edition: Edition, out: Path, machine: str) -> list[Path]:
    """The AppImage where `appimagetool` is on the PATH; elsewhere nothing."""
    tool = shutil.which("appimagetool")
    if tool is None:
        return []
    tree = out / "AppDir"
    lay_out(folder, edition, tree)
    image = out / f"{edition.id}-{edition.shown_version}-{machine}.AppImage"
    env = {"ARCH": machine, "SOURCE_DATE_EPOCH": str(time_of_entries()), "APPIMAGE_EXTRACT_AND_RUN": "1"}
    run([tool, tree, image], what="Making the AppImage", more_env=env)
    shutil.rmtree(tree)
    return [image]
