"""What a package is made of: every part with its version and licence text. Run in the project's environment.

    python build/package/parts.py SOURCES.json FRONTEND_LOCK TOOLS OUT.json

SOURCES maps each file of the package to where it came from; TOOLS is the folder of what made it, and left a part in it.
Facts and texts are the parts' own: Python packages say them in their metadata, npm's in package.json, a Debian system's
libraries in /usr/share/doc/*/copyright.
"""

import functools
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, TypedDict

NAMES = re.compile(r"(licen[cs]e|copying|notice|copyright|authors)", re.IGNORECASE)
TEXTS = Path(__file__).with_name("licences")
QT_NOTE = (
    "Used under the GNU Lesser General Public License, version 3: as separate shared libraries in the program's folder, "
    "unchanged, which you may replace with your own builds of the same version. Its sources are at its home page."
)
ASK_CHROMIUM = "from PySide6.QtWebEngineCore import qWebEngineChromiumVersion as version; print(version())"
LOADER = {
    "pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception",
    "pyinstaller-hooks-contrib": "Apache-2.0",
}
"""What holds for the parts of them that get into a program, by their own licence files; their metadata tells of the whole."""
MOST_TEXT = 400_000
"""Characters of one part's licences; Chromium's own list inside Qt is longer than anybody reads here."""


class Part(TypedDict):
    """One part. `kind`: python, npm, system or program; `licence` a name or SPDX expression, "" unknown; `text` in full."""

    name: str
    version: str
    kind: str
    licence: str
    home: str
    text: str


def python_parts(sources: Iterable[str]) -> list[Part]:
    """The Python packages that files of the package came from."""
    wanted = {_real(source) for source in sources}
    owners = {path: d for d in distributions() for path in _files(d)}
    used = {owners[path].metadata["Name"]: owners[path] for path in wanted if path in owners}
    return [of_distribution(used[name]) for name in sorted(used, key=str.lower)]


def _files(distribution: Distribution) -> list[str]:
    root = _real_folder(str(distribution.locate_file("")))
    return [os.path.normpath(f"{root}/{file}") for file in distribution.files or ()]


def _real(file: str) -> str:
    """Its path with links followed but the last: asking the disk for each of ten thousand files takes a while."""
    folder, name = os.path.split(file)
    return os.path.normpath(f"{_real_folder(folder)}/{name}")


@functools.cache
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)


def of_distribution(distribution: Distribution) -> Part:
    """A Python package as its own metadata tells it."""
    facts: Any = distribution.metadata
    licence = _licence_of(facts)
    texts = [p for p in distribution.files or () if ".dist-info" in p.parts[0] and NAMES.search(p.name) and p.suffix != ".py"]
    return Part(
        name=facts["Name"],
        version=distribution.version,
        kind="python",
        licence=licence,
        home=_home_of(facts),
        text=_joined(Path(str(distribution.locate_file(path))) for path in texts) or _well_known(licence),
    )


def _well_known(licence: str) -> str:
    """The licence itself where a package names it and brings no text: Qt's, which must go with it."""
    if "LGPL-3.0" not in licence:
        return ""
    return f"{QT_NOTE}\n\n" + _joined(TEXTS / name for name in ("LGPL-3.0.txt", "GPL-3.0.txt"))


def _licence_of(facts: Any) -> str:
    """The expression, else the classifiers, else the free field where it is no whole text."""
    if expression := facts.get("License-Expression"):
        return expression
    classed = [c.rpartition(" :: ")[2] for c in facts.get_all("Classifier", []) if c.startswith("License ::")]
    free = (facts.get("License") or "").strip()
    if free and len(free) < 100 and "\n" not in free:
        return free
    return ", ".join(classed)


def _home_of(facts: Any) -> str:
    for line in facts.get_all("Project-URL", []):
        label, _, address = line.partition(",")
        if label.strip().lower() in ("homepage", "source", "repository", "source code", "github"):
            return address.strip()
    return facts.get("Home-page") or ""


def npm_parts(lock: Path) -> list[Part]:
    """The page's packages: those of the lock that are not for development."""
    entries: dict[str, Any] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    folders = {lock.parent / place: place for place, entry in sorted(entries.items()) if place and not entry.get("dev")}
    return [
        _npm_part(f, place.rpartition("node_modules/")[2]) for f, place in folders.items() if (f / "package.json").is_file()
    ]


def _npm_part(folder: Path, name: str) -> Part:
    facts: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    licence, repository = facts.get("license", ""), facts.get("repository", "")
    return Part(
        name=name,
        version=str(facts.get("version", "")),
        kind="npm",
        licence=licence if isinstance(licence, str) else str(licence.get("type", "")),
        home=str(facts.get("homepage") or (repository if isinstance(repository, str) else repository.get("url", ""))),
        text=_joined(path for path in sorted(folder.iterdir()) if path.is_file() and NAMES.search(path.stem)),
    )


def inner_parts(sources: Mapping[str, str]) -> list[Part]:
    """What Python packages bring inside them: the browser driver's Node and npm package, the browser inside Qt."""
    found: list[Part] = []
    for name in ("node", "node.exe"):
        if source := sources.get(f"playwright/driver/{name}") or sources.get(f"playwright\\driver\\{name}"):
            driver = Path(source).parent
            version = _said(source, "--version").removeprefix("v")
            text = _joined([driver / "LICENSE"])
            found.append(
                Part(name="Node.js", version=version, kind="program", licence="MIT", home="https://nodejs.org", text=text)
            )
            found.append(_npm_part(driver / "package", "playwright-core"))
    if any("Qt6WebEngineCore" in name for name in sources):
        version = _said(sys.executable, "-c", ASK_CHROMIUM)
        home, note = (
            "https://www.chromium.org",
            "Inside Qt's web engine. Its own list of licences is in the engine: chrome://credits.",
        )
        found.append(Part(name="Chromium", version=version, kind="program", licence="BSD-3-Clause", home=home, text=note))
    return [part for part in found if part["version"]]


def _dpkg(*arguments: str) -> str:
    """What it says of those it knows, though it fails over the others."""
    return _said("dpkg-query", *arguments, whatever=True)


def _said(*command: str, whatever: bool = False) -> str:
    """What it says; "" where it is not there or (unless `whatever`) fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if whatever or not done.returncode else ""


def system_parts(sources: Mapping[str, str]) -> list[Part]:
    """Libraries of the system we build on, by the Debian package that they belong to; none elsewhere."""
    files = sorted({source for source in sources.values() if re.match(r"/(usr/)?lib(64)?/", source)})
    # A system with one merged /usr knows a file by only one of its two names.
    others = [f.removeprefix("/usr") if f.startswith("/usr") else f"/usr{f}" for f in files]
    owned = _dpkg("-S", *files, *others) if files else ""
    packages = sorted(set(re.findall(r"^([a-z0-9.+-]+)(?::\w+)?(?:, [^:]+:\w+)*: /", owned, re.MULTILINE)))
    listed = _dpkg("-W", "-f", "${Package}\t${Version}\t${Homepage}\n", *packages) if packages else ""
    found: dict[str, Part] = {}
    for package, version, home in (line.split("\t") for line in listed.splitlines()):
        text = _read(Path("/usr/share/doc") / package / "copyright")
        licences = dict.fromkeys(re.findall(r"^License: (\S.*)$", text, re.MULTILINE))
        found[package] = Part(
            name=package, version=version, kind="system", licence=", ".join([*licences][:6]), home=home, text=text
        )
    return list(found.values())


def loader_parts(tools: Path) -> list[Part]:
    """What the packer itself leaves in every program: the loader that begins it, and its words for single libraries."""
    found = {d.metadata["Name"]: d for d in distributions(path=[str(tools)])}
    return [{**of_distribution(found[name]), "licence": licence} for name, licence in LOADER.items() if name in found]


def python_itself() -> Part:
    """The interpreter inside."""
    import sysconfig

    near = [Path(sysconfig.get_path("stdlib")) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt"]
    text = next((_read(path) for path in near if path.is_file()), "")
    version, home = platform.python_version(), "https://www.python.org"
    return Part(name="Python", version=version, kind="program", licence="PSF-2.0", home=home, text=text)


def _joined(paths: Iterable[Path]) -> str:
    return "\n\n".join(filter(None, map(_read, paths)))[:MOST_TEXT]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def main(arguments: list[str]) -> int:
    """Write OUT."""
    sources: dict[str, str] = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    inner = [python_itself(), *inner_parts(sources), *loader_parts(Path(arguments[2]))]
    parts = [*inner, *python_parts(sources.values()), *npm_parts(Path(arguments[1])), *system_parts(sources)]
    Path(arguments[3]).write_text(json.dumps(parts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
