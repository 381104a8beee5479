"""What PyInstaller is told: the programs, the icon, what may get in and what must not."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from package import macos
from package.edition import Edition
from places import CACHE, LINUX, ROOT, WINDOWS, script
from programs import run
from python_side import LOCKS, PACKAGES, TITLES, VENV, installer
from say import SetupError
from stamps import Step

PLACE = CACHE / "package"
TOOLS = PLACE / "tools"
WORK = PLACE / "work"
MADE = PLACE / "made"
SPEC = ROOT / "build" / "package" / "leochat.spec"
SOURCES = PLACE / "sources.json"
"""Where every file of the package came from: its name in the package to its path here."""
ASKED = PLACE / "asked.json"
"""Libraries that the package asks of the system it runs on."""
# Among them `readline`, whose library is under the GPL.
NEVER = (
    "_distutils_hack", "distutils", "gi", "idlelib", "lib2to3", "pkg_resources", "pydoc_data", "readline", "setuptools", "test",
    "tkinter", "turtledemo", "PySide6.QtOpenGL",
)  # fmt: skip
NAMED = re.compile(r"""\bimport_module\(\s*["']([\w.]+)["']""")
# Asked of the project's environment: which modules belong to which package.
ASK = "import importlib.metadata as m, json; print(json.dumps(m.packages_distributions()))"


def tools() -> None:
    """Install PyInstaller beside the environment, not into it: nothing of it may slow down what is measured there."""
    title = TITLES["package"]
    step = Step(title, TOOLS.with_suffix(".stamp"), TOOLS / "PyInstaller", (LOCKS["package"],), str(ROOT))
    command = [*installer(), "--target", TOOLS, "--upgrade", "--require-hashes", "-r", LOCKS["package"]]
    step.redo(lambda: run(command, what=title))


def freeze(edition: Edition, icon: Path, version_file: Path | None) -> Path:
    """Run PyInstaller; the folder it made, which holds the program and `_internal`."""
    recipe = PLACE / "recipe.json"
    recipe.write_text(json.dumps(recipe_for(edition, icon, version_file, modules_of_packages())), encoding="utf-8")
    python = [script("python"), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    where = ["--distpath", MADE, "--workpath", WORK, SPEC]
    env = {"LEOCHAT_RECIPE": str(recipe), "PYTHONPATH": str(TOOLS), "PYTHONDONTWRITEBYTECODE": "1"}
    run([*python, *where], what="Making the program", more_env=env)
    made = MADE / edition.id
    if not made.is_dir():
        raise SetupError(f"PyInstaller ended well, but {made} is not there.")
    return made


def recipe_for(edition: Edition, icon: Path, version_file: Path | None, owners: dict[str, list[str]]) -> dict[str, Any]:
    """The facts that the spec reads."""
    return {
        "root": str(ROOT),
        "metadata": ["leochat"],
        "hidden": [*(["webview.platforms.qt"] if LINUX else []), *named()],
        "excludes": sorted({*NEVER, *strangers(owners, pinned(*(("app", "qt") if LINUX else ("app",))))}),
        "sources": str(SOURCES),
        "asked": str(ASKED),
        "icon": str(icon) if not LINUX else "",
        "sign_as": macos.identity() if sys.platform == "darwin" else "",
        "entitlements": str(macos.ENTITLEMENTS),
        "version_file": str(version_file) if version_file else "",
        "programs": programs(edition),
        "folder": edition.id,
        "title": edition.name,
        "identifier": f"app.{edition.id.replace('-', '.')}",
        "version": edition.shown_version,
        "plist": {
            "CFBundleDisplayName": edition.name,
            "CFBundleLocalizations": ["en", "es"],  # else the system's own dialogs are English everywhere
            "NSHighResolutionCapable": True,
            "LSMinimumSystemVersion": "12.0",
            "NSHumanReadableCopyright": edition.maker or "MIT",
        },
    }


def named() -> list[str]:
    """Modules of others that our code imports by a name in quotes: those PyInstaller does not see. Of other systems too."""
    texts = (file.read_text(encoding="utf-8") for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    found = {name for text in texts for name in NAMED.findall(text)}
    return sorted(name for name in found if name.partition(".")[0] not in (*NEVER, *PACKAGES))


def programs(edition: Edition) -> list[tuple[str, bool]]:
    """Name and whether it has a console. A windowed program of Windows has no streams for a server to speak over."""
    if WINDOWS:
        return [(edition.id, False), (f"{edition.id}-cli", True)]
    return [(edition.id, True)] if LINUX else [(edition.id, False)]


def pinned(*names: str) -> set[str]:
    """The packages that these locks pin, by normal name."""
    found: set[str] = set()
    for name in names:
        found |= set(re.findall(r"^([a-z0-9.-]+)==", LOCKS[name].read_text(encoding="utf-8"), re.MULTILINE))
    return found


def strangers(owners: dict[str, list[str]], ours: Iterable[str]) -> list[str]:
    """Modules of the environment that belong to no package of the app: test tools must not get in by an optional import."""
    known = {*ours, "leochat"}
    return [module for module, names in owners.items() if known.isdisjoint(normal(name) for name in names)]


def normal(name: str) -> str:
    """A package's name as locks write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def modules_of_packages() -> dict[str, list[str]]:
    """Top-level module to the packages it comes from, in the project's environment."""
    done = subprocess.run([script("python"), "-c", ASK], capture_output=True, text=True, check=False, env=dict(os.environ))
    if done.returncode != 0:
        raise SetupError(f"{VENV} does not answer: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout)
