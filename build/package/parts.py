"""What a package is made of: every part with its version and licence text. Run in the project's environment.

    python build/package/parts.py SOURCES.json FRONTEND_LOCK OUT.json

SOURCES maps each file of the package to where it came from. Facts and texts are the parts' own: Python packages say
them in their metadata, npm's in package.json, a Debian system's libraries in /usr/share/doc/*/copyright.
"""

import json
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
    wanted = {Path(source).resolve() for source in sources}
    owners = {path: d for d in distributions() for path in _files(d)}
    used = {owners[path].metadata["Name"]: owners[path] for path in wanted if path in owners}
    return [of_distribution(used[name]) for name in sorted(used, key=str.lower)]


def _files(distribution: Distribution) -> list[Path]:
    return [Path(str(distribution.locate_file(file))).resolve() for file in distribution.files or ()]


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
    found: list[Part] = []
    for place, entry in sorted(entries.items()):
        folder = lock.parent / place
        if not place or entry.get("dev") or not (folder / "package.json").is_file():
            continue
        facts: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        licence, repository = facts.get("license", ""), facts.get("repository", "")
        found.append(
            Part(
                name=place.rpartition("node_modules/")[2],
                version=str(facts.get("version", "")),
                kind="npm",
                licence=licence if isinstance(licence, str) else str(licence.get("type", "")),
                home=str(facts.get("homepage") or (repository if isinstance(repository, str) else repository.get("url", ""))),
                text=_joined(path for path in sorted(folder.iterdir()) if path.is_file() and NAMES.match(path.stem)),
            )
        )
    return found


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


def _dpkg(*arguments: str) -> str:
    """What it says of those it knows; "" where it is not there."""
    try:
        return subprocess.run(["dpkg-query", *arguments], capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:
        return ""


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
    parts = [python_itself(), *python_parts(sources.values()), *npm_parts(Path(arguments[1])), *system_parts(sources)]
    Path(arguments[2]).write_text(json.dumps(parts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
