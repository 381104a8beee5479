"""What LeoChat is made of, for the page that tells it: as the build wrote it down, else as the environment has it."""

import functools
import json
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, cast

from app.settings.edition import packaged_file

FILE = "parts.json"
SBOM = "sbom.cdx.json"
PAGE_LOCK = Path(__file__).parents[2] / "frontend" / "package-lock.json"
Part = dict[str, str]
"""`name`, `version`, `kind`, `licence`, `home`, `text`; empty where unknown."""
_TEXTS = re.compile(r"(licen[cs]e|copying|notice)", re.IGNORECASE)


@functools.cache
def all_parts() -> tuple[Part, ...]:
    """By kind and name. Reads a file of two megabytes, or the metadata of a hundred packages: call it off the loop."""
    file = packaged_file(FILE)
    if file is None:
        return (*(_of(found) for found in _closure("leochat")), *_of_the_page(PAGE_LOCK))
    return tuple(cast("list[Part]", json.loads(file.read_text("utf-8"))))


def _of_the_page(lock: Path) -> list[Part]:
    """The npm packages that the page is made of, as its lock names them; none where the page's sources are not here."""
    try:
        entries: dict[str, Any] = json.loads(lock.read_text("utf-8"))["packages"]
    except (OSError, ValueError, KeyError):
        return []
    return [
        {
            "name": place.rpartition("node_modules/")[2],
            "version": str(entry.get("version", "")),
            "kind": "npm",
            "licence": str(entry.get("license", "")),
            "home": "",
            "text": _texts_in(lock.parent / place),
        }
        for place, entry in sorted(entries.items())
        if place and not entry.get("dev")
    ]


def _texts_in(folder: Path) -> str:
    found = sorted(file for file in folder.iterdir() if _TEXTS.search(file.stem)) if folder.is_dir() else []
    return "\n\n".join(file.read_text("utf-8", "replace").strip() for file in found if file.is_file())


def sbom_file() -> Path | None:
    """The same as CycloneDX; only a package has it."""
    return packaged_file(SBOM)


def _closure(root: str) -> list[Distribution]:
    """A package's distribution and all that it needs here, by name."""
    found: dict[str, Distribution] = {}
    wanted = [root]
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # for another platform
        wanted += [re.split(r"[ ;<>=!~\[(]", need)[0] for need in found[name].requires or () if "extra ==" not in need]
    return [found[name] for name in sorted(found)]


def _of(found: Distribution) -> Part:
    facts: Any = found.metadata
    classed = [c.rpartition(" :: ")[2] for c in facts.get_all("Classifier", []) if c.startswith("License ::")]
    free = (facts.get("License") or "").strip()
    texts = [p for p in found.files or () if ".dist-info" in p.parts[0] and _TEXTS.search(p.name)]
    return {
        "name": str(facts["Name"]),
        "version": found.version,
        "kind": "python",
        "licence": facts.get("License-Expression") or (free if len(free) < 100 else "") or ", ".join(classed),
        "home": facts.get("Home-page") or "",
        "text": "\n\n".join(Path(str(found.locate_file(p))).read_text("utf-8", "replace").strip() for p in texts),
    }
