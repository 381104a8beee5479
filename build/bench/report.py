"""What a bench found: figures in their unit, ratios with their goals, as a table and as JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Goal:
    """`ratio` compared with `bound`: at most that, or with `least` at least that.

    `ours`, `floor` and `peer` are what the ratio was made of, in `unit`; without the last two it is a figure by itself.
    """

    what: str
    ratio: float
    bound: float
    least: bool = False
    ours: float | None = None
    floor: float | None = None
    peer: float | None = None
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.ratio >= self.bound if self.least else self.ratio <= self.bound

    @property
    def wanted(self) -> str:
        return f"at {'least' if self.least else 'most'} {self.bound:g}"

    def line(self) -> str:
        return f"  {self.what:<52} {self.ratio:7.2f}   {self.wanted:<14} {'met' if self.met else 'MISSED'}"

    def cells(self) -> list[str]:
        """Ours, floor, peer, ratio, goal, met or not; "" for what there is not."""
        alone = self.floor is None and self.peer is None
        ours = self.ratio if alone else self.ours
        figures = [_figure(each, self.unit) for each in (ours, self.floor, self.peer)]
        return [*figures, "" if alone else f"{self.ratio:.2f}", self.wanted, "met" if self.met else "**missed**"]


def to_floor(what: str, ours: float, floor: float, bound: float, unit: str = "") -> Goal:
    """Ours may cost so many times the least that could do the work."""
    return Goal(what, ours / floor, bound, ours=ours, floor=floor, unit=unit)


def to_peer(what: str, ours: float, peer: float, bound: float, unit: str = "") -> Goal:
    """Ours may cost so many times what a peer does."""
    return Goal(what, ours / peer, bound, ours=ours, peer=peer, unit=unit)


def cheaper(what: str, ours: float, peer: float, bound: float, unit: str = "") -> Goal:
    """A peer costs at least so many times as much as ours."""
    return Goal(what, peer / ours, bound, least=True, ours=ours, peer=peer, unit=unit)


@dataclass
class Report:
    """`medians` and `samples` by the name of what was measured; `problem` where it could not be."""

    name: str
    unit: str
    samples: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    medians: dict[str, float] = field(default_factory=dict[str, float])
    goals: list[Goal] = field(default_factory=list[Goal])
    problem: str = ""

    @property
    def met(self) -> bool:
        return not self.problem and all(goal.met for goal in self.goals)

    def figures(self) -> dict[str, Any]:
        goals = {g.what: {"ratio": round(g.ratio, 3), "bound": g.bound, "met": g.met} for g in self.goals}
        told = {"unit": self.unit, "medians": self.medians, "samples": self.samples, "goals": goals}
        return {**told, "problem": self.problem} if self.problem else told

    def table(self) -> str:
        costs = [f"  {what:<52} {value:7.2f}" for what, value in self.medians.items()]
        return "\n".join([f"\n{self.unit}, median", *costs, "\nratio, and its goal", *(g.line() for g in self.goals), ""])


HEAD = ("bench", "what", "ours", "floor", "peer", "ratio", "goal", "")


def summary(reports: Iterable[Report]) -> str:
    """All goals of all benches as one Markdown table, which is also read on a terminal."""
    rows: list[Sequence[str]] = [HEAD]
    for report in reports:
        rows += [(report.name, goal.what, *goal.cells()) for goal in report.goals]
        if report.problem:
            rows.append((report.name, f"not measured: {report.problem}", "", "", "", "", "", "**missed**"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {unit}".strip()
