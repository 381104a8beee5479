"""The list of parts as an SBOM: CycloneDX 1.6 in JSON, which scanners read."""

import json
import platform
import re
import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from package.edition import Edition

SPDX = re.compile(r"^[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+()-]+)*$")
# What a plain SPDX id looks like, of those that the parts use; other words go in as a name.
IDS = re.compile(
    r"^(MIT(-0|-CMU)?|ISC|Zlib|PSF-2\.0|MPL-2\.0|Apache-2\.0|BSD-[234]-Clause|0BSD|Unlicense|L?GPL-[23]\.[01]-(only|or-later))$"
)
PURL = {"python": "pypi", "npm": "npm", "program": "generic"}


def sbom(edition: Edition, parts: Iterable[Mapping[str, str]], made: datetime) -> dict[str, Any]:
    """CycloneDX of the whole package; `made` is the time of the build."""
    components = [_component(part) for part in parts]
    root = {"type": "application", "bom-ref": edition.id, "name": edition.name, "version": edition.shown_version}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, f"{edition.id} {edition.shown_version} {made.isoformat()}")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"timestamp": made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "component": root},
        "components": components,
        "dependencies": [{"ref": edition.id, "dependsOn": [c["bom-ref"] for c in components]}],
    }


def _component(part: Mapping[str, str]) -> dict[str, Any]:
    name = part["name"].replace("_", "-").lower() if part["kind"] == "python" else part["name"]
    version = part["version"].replace(":", "%3A").replace("+", "%2B")
    purl = f"pkg:{PURL.get(part['kind']) or f'deb/{distribution()}'}/{name.replace('@', '%40')}@{version}"
    made: dict[str, Any] = {
        "type": "application" if part["kind"] == "program" else "library",
        "bom-ref": purl,
        "name": part["name"],
        "version": part["version"],
        "purl": purl,
    }
    if licences := _licences(part["licence"]):
        made["licenses"] = licences
    if part["home"].startswith(("http://", "https://")):
        made["externalReferences"] = [{"type": "website", "url": part["home"]}]
    return made


def distribution() -> str:
    """Whose packages the system's libraries are, as package URLs name them: debian, ubuntu."""
    try:
        return platform.freedesktop_os_release()["ID"]
    except (OSError, KeyError):
        return "debian"


def _licences(told: str) -> list[dict[str, Any]]:
    if not told:
        return []
    if IDS.match(told):
        return [{"license": {"id": told}}]
    if SPDX.match(told) and " " in told:
        return [{"expression": told}]
    return [{"license": {"name": told}}]


def write(path: Path, edition: Edition, parts: Iterable[Mapping[str, str]]) -> None:
    """The file, stamped now."""
    text = json.dumps(sbom(edition, parts, datetime.now(UTC)), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
