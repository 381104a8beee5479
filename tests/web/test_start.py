"""A start does first what a person waits for: the page is there at once, and answered before anything heavy is loaded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.timeout(150)
def test_nothing_heavy_is_loaded_before_a_page_has_its_first_answers_and_then_the_servers_start(tmp_path: Path):
    command = [sys.executable, "-m", "tests.web.listening", str(tmp_path / "home")]
    environment = {**os.environ, "LEOCHAT_DOCUMENTS": str(tmp_path / "documents")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["page"] == []
    assert seen["listening"] == seen["answered"] == []
    assert "mcp" in seen["ready"]
