"""What a bench found: figures in their unit, ratios with their goals, as a table and as JSON."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Goal:
    """`ratio` compared with `bound`: at most that, or with `least` at least that."""

    what: str
    ratio: float
    bound: float
    least: bool = False

    @property
    def met(self) -> bool:
        return self.ratio >= self.bound if self.least else self.ratio <= self.bound

    def line(self) -> str:
        word = "at least" if self.least else "at most"
        return f"  {self.what:<52} {self.ratio:7.2f}   {word} {self.bound:<5g} {'met' if self.met else 'MISSED'}"


@dataclass
class Report:
    """`medians` and `samples` by the name of what was measured."""

    name: str
    unit: str
    samples: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    medians: dict[str, float] = field(default_factory=dict[str, float])
    goals: list[Goal] = field(default_factory=list[Goal])

    @property
    def met(self) -> bool:
        return all(goal.met for goal in self.goals)

    def figures(self) -> dict[str, Any]:
        goals = {g.what: {"ratio": round(g.ratio, 3), "bound": g.bound, "met": g.met} for g in self.goals}
        return {"unit": self.unit, "medians": self.medians, "samples": self.samples, "goals": goals}

    def table(self) -> str:
        costs = [f"  {what:<52} {value:7.2f}" for what, value in self.medians.items()]
        return "\n".join([f"\n{self.unit}, median", *costs, "\nratio, and its goal", *(g.line() for g in self.goals), ""])
