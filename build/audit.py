"""`build audit`: known holes in what the locks pin, asked of the registries' own advisories; a report, online."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, cast

from node_side import npm
from places import CACHE, FRONTEND, WINDOWS
from programs import UNREACHABLE, run
from python_side import LOCKS, TITLES
from say import SetupError, say
from stamps import Step

PLACE = CACHE / "audit"
PYTHON = PLACE / ("Scripts/python.exe" if WINDOWS else "bin/python")
ASKED = ("app", "qt", "package")
"""The locks whose packages reach a person's computer, or make what does."""


@dataclass(frozen=True)
class Hole:
    """A known hole: which package, the advisory's name, the version without it."""

    package: str
    version: str
    advisory: str
    mended: str

    @property
    def line(self) -> str:
        return f"  {self.package} {self.version}: {self.advisory}{f', mended in {self.mended}' if self.mended else ''}"


class UnreachableError(Exception):
    """Nobody answered; the text is a sentence."""


def main(args: list[str]) -> int:
    """Print what is known: 0 nothing, 1 holes, 3 where some of it could not be asked."""
    if args:
        say("usage: build audit")
        return 2
    holes, unasked = 0, 0
    for title, ask in (("Python packages", python_holes), ("the page's packages", page_holes)):
        try:
            found = ask()
        except (UnreachableError, SetupError) as error:
            say(f"{title}: not asked, {error}")
            unasked += 1
            continue
        say(f"{title}: {len(found) or 'no'} known hole{'' if len(found) == 1 else 's'}")
        for hole in found:
            say(hole.line)
        holes += len(found)
    return 1 if holes else 3 if unasked else 0


def python_holes() -> list[Hole]:
    """pip-audit's word on the locks."""
    title = TITLES["audit"]
    Step(title, PLACE / "leochat.stamp", PYTHON, (LOCKS["audit"],), str(PLACE)).redo(lambda: _install(title))
    found: list[Hole] = []
    for name in ASKED:
        command = [PYTHON, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off", "-f", "json"]
        done = subprocess.run([*command, "-r", LOCKS[name]], capture_output=True, text=True, check=False)
        found += pip_holes(done.stdout, done.stderr)
    return found


def pip_holes(out: str, errors: str) -> list[Hole]:
    """What pip-audit said as JSON; raises UnreachableError where it said none."""
    try:
        told: dict[str, Any] = json.loads(out)
    except ValueError:
        raise UnreachableError(_reason(errors)) from None
    return [
        Hole(package["name"], package["version"], hole["id"], ", ".join(hole["fix_versions"]))
        for package in told["dependencies"]
        for hole in package.get("vulns", ())
    ]


def page_holes() -> list[Hole]:
    """npm's word on what goes into the page."""
    command = [npm(), "audit", "--omit=dev", "--json", "--package-lock-only"]
    done = subprocess.run(command, cwd=FRONTEND, capture_output=True, text=True, check=False)
    return npm_holes(done.stdout, done.stderr)


def npm_holes(out: str, errors: str) -> list[Hole]:
    """What `npm audit --json` said; raises UnreachableError where that is no report."""
    try:
        told: dict[str, Any] = json.loads(out)
    except ValueError:
        raise UnreachableError(_reason(errors)) from None
    if "vulnerabilities" not in told:
        raise UnreachableError(_reason(str(told.get("message") or told.get("error") or errors)))
    found: list[Hole] = []
    for name, entry in told["vulnerabilities"].items():
        for via in entry.get("via", ()):
            if isinstance(via, dict):
                why = cast("dict[str, Any]", via)
                fix: Any = entry.get("fixAvailable")
                mended = str(cast("Any", fix).get("version", "")) if isinstance(fix, dict) else ""
                found.append(Hole(name, str(entry.get("range", "")), str(why.get("title") or why.get("url") or ""), mended))
    return found


def _reason(errors: str) -> str:
    last = next((line.strip() for line in reversed(errors.splitlines()) if line.strip()), "")
    return f"{UNREACHABLE}{f' ({last[:200]})' if last else ''}."


def _install(title: str) -> None:
    pip = [PYTHON, "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--require-hashes"]
    run([sys.executable, "-m", "venv", "--clear", PLACE], what=title)
    run([*pip, "-r", LOCKS["audit"]], what=title)
