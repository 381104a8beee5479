"""`leochat ask` with a path outside the allowed folders: without a terminal nobody can be asked, and it says so."""

import json
import os
import subprocess
import sys
from pathlib import Path


def test_a_file_outside_is_denied_in_words_even_where_every_call_is_allowed(tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    told = tmp_path / "elsewhere" / "t.xlsx"
    wish = f'[excel__write_cells path="{told}" rows=[[1]]]'
    done = subprocess.run(
        [sys.executable, "-m", "app", "ask", wish, "--json", "--no-servers", "--server", "excel", "--approve", "all"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "LEOCHAT_HOME": str(tmp_path / "home"), "LEOCHAT_DOCUMENTS": str(tmp_path / "documents")},
        timeout=90,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = [e for line in done.stdout.splitlines() if (e := json.loads(line)["event"])["type"] == "tool_end"]
    said = results[-1]["result"]["text"]
    assert results[-1]["result"]["is_error"]
    assert "nobody can be asked" in said
    assert str(tmp_path / "documents" / "LeoChat") in said
    assert not told.exists()
