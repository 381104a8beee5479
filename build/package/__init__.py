"""`build package`: the program to double-click, for the platform this runs on, under `dist/`."""

import argparse
import platform
import shutil
import sys
from pathlib import Path

from node_side import set_up_page
from package import appimage, check, debian_package, macos, menu, windows
from package.archive import tar_gz, tar_name
from package.dress import dress
from package.edition import Edition, read
from package.recipe import MADE, PLACE, freeze, tools
from places import LINUX, ROOT, WINDOWS
from python_side import set_up_python
from say import say, timed

DIST = ROOT / "dist"
WINDOW = ("qt",) if LINUX else ()
"""The lock of the window's toolkit; other systems bring their own."""


def main(args: list[str]) -> int:
    """Make everything, or only look at what is there with `--check`; 0 where all went well."""
    options = _parser().parse_args(args)
    set_up_python(*WINDOW)
    edition = read(options.edition.resolve() if options.edition else None)
    if options.check:
        return check.main(DIST / edition.id, edition)
    set_up_page()
    tools()
    made = make(edition, folder_only=options.folder)
    for path in made:
        say(f"  {path.relative_to(ROOT)}  {size_of(path) / 1e6:.0f} MB")
    return 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser("build package", description=__doc__)
    made.add_argument("--edition", type=Path, metavar="FILE", help="an edition.toml: name, icon, servers, prompts, knowledge")
    made.add_argument("--folder", action="store_true", help="only the folder, no archives or installers")
    made.add_argument("--check", action="store_true", help="start what is in dist/ and see whether it works")
    return made


def make(edition: Edition, *, folder_only: bool = False) -> list[Path]:
    """The folder (on macOS the .app) and what is made of it for handing on."""
    PLACE.mkdir(parents=True, exist_ok=True)
    DIST.mkdir(exist_ok=True)
    with timed(f"Making {edition.name} {edition.shown_version}, which takes some minutes"):
        folder = _folder(edition)
    if folder_only:
        return [folder]
    with timed("Packing it"):
        return [folder, *_outputs(folder, edition)]


def _folder(edition: Edition) -> Path:
    version_file = None
    if WINDOWS:
        version_file = PLACE / "version.txt"
        version_file.write_text(windows.version_info(edition), encoding="utf-8")
    made = freeze(edition, edition.icon, version_file)
    if sys.platform == "darwin":
        made = MADE / f"{edition.name}.app"
        dress(made / "Contents" / "Resources", edition, sys.platform)
    else:
        dress(made, edition, sys.platform)
    if LINUX:
        (made / f"{edition.name}.desktop").write_text(menu.movable_entry(edition), encoding="utf-8")
        (made / f"{edition.name}.desktop").chmod(0o755)
    target = DIST / made.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.move(made, target)
    return target


def _outputs(folder: Path, edition: Edition) -> list[Path]:
    if WINDOWS:
        return windows.outputs(folder, edition, DIST)
    if sys.platform == "darwin":
        return macos.outputs(folder, edition, DIST)
    archive = DIST / tar_name(edition)
    tar_gz(folder, archive, edition.id)
    package = DIST / debian_package.file_name(edition)
    debian_package.write(folder, edition, package)
    return [archive, package, *appimage.outputs(folder, edition, DIST, platform.machine())]


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file() and not each.is_symlink())
