"""A sample of a bench: a process of its own that prints its figures as JSON."""

import json
import subprocess
from pathlib import Path

from places import ROOT, script


def sampled(file: str, *asked: object, seconds: float) -> dict[str, float]:
    """What `file` of this folder prints when it is asked; SystemExit with its last words where it fails."""
    command = [script("python"), Path(__file__).parent / file, *asked]
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=seconds, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"The sample {asked[0]!r} failed:\n{done.stderr.strip()[-3000:]}")
    return json.loads(done.stdout)
