"""What the doctor found, as lines of a terminal: a mark, a sentence, and what helps."""

from dataclasses import dataclass
from typing import Literal, TextIO, TypeAlias

Mark: TypeAlias = Literal["ok", "note", "trouble"]
_SIGNS: dict[Mark, str] = {"ok": "✓", "note": "·", "trouble": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """`cure` says in one sentence what helps; `detail` is raw and may have many lines."""

    mark: Mark
    text: str
    cure: str = ""
    detail: str = ""


def ok(text: str) -> Finding:
    return Finding("ok", text)


def note(text: str, cure: str = "") -> Finding:
    """Worth knowing, and no trouble by itself."""
    return Finding("note", text, cure)


def trouble(text: str, cure: str = "", detail: str = "") -> Finding:
    return Finding("trouble", text, cure, detail)


def show(title: str, findings: list[Finding], out: TextIO) -> bool:
    """Print a section; True where nothing in it is trouble."""
    print(title, file=out)
    for found in findings:
        print(f"  {_SIGNS[found.mark]} {found.text}", file=out)
        if found.cure:
            print(f"    → {found.cure}", file=out)
        for line in found.detail.splitlines():
            print(f"    | {line}", file=out)
    out.flush()
    return all(f.mark != "trouble" for f in findings)
