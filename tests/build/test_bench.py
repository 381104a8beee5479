"""The table that `build bench` prints at its end: every goal, met or not, and what could not be measured."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from .conftest import ROOT


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    import importlib

    monkeypatch.setattr(sys, "path", [str(ROOT / "build"), *sys.path])
    before = set(sys.modules)
    yield importlib.import_module("bench")
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(ROOT / "build")):
            del sys.modules[name]


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]


def test_a_bench_that_fails_is_a_row_and_the_others_are_still_measured(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = sys.modules["bench.report"]

    def good(_rounds: int, *, smoke: bool) -> object:
        assert not smoke
        made = report.Report("good", "us")
        made.goals = [
            report.to_floor("ours to the floor", 3.0, 2.0, 2.0, "us"),
            report.cheaper("the SDK to ours", 3.0, 60.0, 25, "us"),
            report.Goal("stall, ms", 30, 20),
        ]
        return made

    def broken(_rounds: int, *, smoke: bool) -> object:
        raise SystemExit(f"Traceback\nno | floor here, {smoke}")

    monkeypatch.setattr(bench, "BENCHES", {"good": "", "broken": ""})
    for name, run in (("good", good), ("broken", broken)):
        module = ModuleType(f"bench.{name}")
        module.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"bench.{name}", module)
    table, figures = tmp_path / "table.md", tmp_path / "figures.json"
    assert bench.main(["--table", str(table), "--json", str(figures)]) == 1
    text = table.read_text("utf-8")
    assert text in capsys.readouterr().out
    head, _, *body = rows(text)
    assert head == ["bench", "what", "ours", "floor", "peer", "ratio", "goal", ""]
    assert body == [
        ["good", "ours to the floor", "3.00 us", "2.00 us", "", "1.50", "at most 2", "met"],
        ["good", "the SDK to ours", "3.00 us", "", "60.0 us", "20.00", "at least 25", "**missed**"],
        ["good", "stall, ms", "30.0", "", "", "", "at most 20", "**missed**"],
        ["broken", "not measured: no / floor here, False", "", "", "", "", "", "**missed**"],
    ]
    assert text.splitlines()[0] == json.loads(figures.read_text("utf-8"))["machine"]
    assert "cores" in text.splitlines()[0]
