"""COUNT SEED: kills a task with tools that many times, at random moments, and at every point of the store it passes.

Two at a time; every third time what resumes it is killed too. Prints what went wrong as JSON, progress on stderr.
"""

import json
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.store import FAILPOINTS
from tests.kill.asking import PATIENCE
from tests.kill.case import Case, whole
from tests.kill.strict_model import StrictModel

AT_ONCE = 2
PASSED = ("store.append", "store.before", "store.after", "store.partial", "store.task", "store.checkpoint", "store.blob")
"""The points a task comes by; those of migrations, backups and restoring have tests of their own."""
HITS = (1, 2, 3, 5, 8)


def uncut(model: StrictModel) -> float:
    """Seconds of a run that nobody kills."""

    def run(folder: Path) -> float:
        case = Case(folder, model.url)
        began = time.monotonic()
        done = case.ask()
        took = time.monotonic() - began
        whole(case, done)
        return took

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as first, tempfile.TemporaryDirectory() as second:
        run(Path(first))  # starts what the others are forked from
        return run(Path(second))


@dataclass
class Kill:
    """`within` seconds or at the point of the store; the run that resumes it `again` seconds after its start."""

    name: str
    within: float = PATIENCE
    point: str = ""
    again: float | None = None

    def fault(self, model: StrictModel) -> str | None:
        """What is wrong afterwards, or None."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            case = Case(Path(folder), model.url)
            try:
                killed = case.ask(within=self.within, LEOCHAT_FAILPOINT=self.point)
                conversation, _, interrupted = case.kept()
                if self.again is not None and conversation is not None and interrupted:
                    killed.frames += case.resume(conversation, within=self.again).frames
                whole(case, killed)
            except AssertionError as wrong:
                return f"{self.name}: {wrong or 'a check failed'}"
        return None


def plan(count: int, seed: int, longest: float) -> list[Kill]:
    dice = random.Random(seed)  # noqa: S311  moments, no secrets
    kills: list[Kill] = []
    for number in range(count):
        moment = dice.uniform(0, 1.3 * longest)
        again = dice.uniform(0, longest) if number % 3 == 0 else None
        kills.append(Kill(f"after {moment:.3f} s", within=moment, again=again))
    points = [f"{name}:{hit}" for name in FAILPOINTS if name.startswith(PASSED) for hit in HITS]
    return [*kills, *(Kill(point, point=point) for point in points)]


def main(count: int, seed: int) -> None:
    with StrictModel() as model:
        kills = plan(count, seed, uncut(model))
        wrong: list[str] = []

        def tried(kill: Kill) -> str | None:
            return kill.fault(model)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for number, fault in enumerate(pool.map(tried, kills), 1):
                wrong += [fault] if fault else []
                if number % 50 == 0:
                    print(f"{number} of {len(kills)} kills, {len(wrong)} wrong", file=sys.stderr, flush=True)
        print(json.dumps({"kills": len(kills), "wrong": wrong, "refused": model.refused}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
