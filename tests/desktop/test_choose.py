"""Without a window the page is served, and it is said why."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.desktop.apps import ROOT, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a display")


@pytest.mark.timeout(180)
def test_without_a_display_the_page_is_served_and_its_address_printed(tmp_path: Path) -> None:
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-m", "app", "--home", str(tmp_path / "home")]
    environ = {**kept, "LEOCHAT_DOCUMENTS": str(tmp_path)}
    with (
        (tmp_path / "err").open("wb") as errors,
        subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, stderr=errors, text=True) as app,
    ):
        assert app.stdout is not None
        assert app.stdout.readline().startswith("LeoChat is at http://127.0.0.1:")
        assert "no display" in (tmp_path / "err").read_text("utf-8")
        children = psutil.Process(app.pid).children(recursive=True)
        app.terminate()
        until(lambda: app.poll() is not None, 30)
        _, alive = psutil.wait_procs(children, timeout=5)
        assert not alive


@pytest.mark.timeout(120)
def test_a_display_that_does_not_answer_is_no_display() -> None:
    script = (
        "from app.desktop.toolkits.choose import x_answers\n"
        "print(x_answers(':4747'))"
    )  # fmt: skip
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said == "False\n"
