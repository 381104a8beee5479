"""Without a window the page is served, and it is said why."""

import os
import signal
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


INTERRUPTED = """
import os, signal
try:
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000):
        pass
except KeyboardInterrupt:
    pass
raise ImportError("could not import")
"""


def test_ctrl_c_while_the_toolkit_is_loaded_is_the_end_and_no_lack_of_a_toolkit(tmp_path: Path) -> None:
    for name, text in (("PySide6/__init__", ""), ("PySide6/QtWebEngineWidgets", INTERRUPTED), ("qtpy", "")):
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    script = (
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background has it ignored
        "from app.desktop.toolkits.choose import qt_fault\n"
        "print(qt_fault({}))"
    )
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-signal.SIGINT, ""), done.stderr
