"""A `leochat serve` of one home, started and ended as a person's computer does it."""

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from app.mcp_host.config import ServerConfig, accept_launch, save_servers
from app.settings import SettingsFile

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
NOWHERE = "http://127.0.0.1:1"
"""A proxy that is not there: whatever would leave this computer fails at once."""


def environment(documents: Path) -> dict[str, str]:
    """English, without keys, without a way out of this computer."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LEOCHAT_") and not k.endswith(("_API_KEY", "_BASE_URL"))}
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    return {**kept, **proxies, **local, "LEOCHAT_DOCUMENTS": str(documents), "LANG": "en_US.UTF-8", "PYTHONUTF8": "1"}


class Served:
    """`address` has the token and changes with every start. `environ`: variables on top."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self._environ = environ
        self.folder = folder
        self.home = folder / "home"
        self.documents = folder / "documents"
        self.errors = folder / "serve.err"
        self.address = ""
        self._process: subprocess.Popen[bytes] | None = None
        self.documents.mkdir(parents=True, exist_ok=True)
        self.home.mkdir(exist_ok=True)

    @property
    def origin(self) -> str:
        return self.address.split("/#")[0]

    def configure(self, *servers: ServerConfig, **settings: Any) -> None:
        """Before it starts: servers whose commands were accepted, and settings (`general__language="es"`)."""
        if servers:
            save_servers(self.home / "servers.json", [accept_launch(one) for one in servers])
        file = SettingsFile(self.home)
        for name, value in settings.items():
            file.set(name.replace("__", "."), value)

    def start(self) -> None:
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "app", "serve", "--home", str(self.home)],
                cwd=ROOT,
                env={**environment(self.documents), **self._environ},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self.address = self._first_line(self._process).rpartition(" ")[2]

    def _first_line(self, process: "subprocess.Popen[bytes]") -> str:
        output = process.stdout
        assert output is not None
        lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=lambda: lines.put(output.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_SECONDS).decode("utf-8").strip()
        except queue.Empty:
            line = ""
        assert line.startswith("LeoChat is at "), f"{line!r}: {self.errors.read_text('utf-8')}"
        return line

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        if self._process.stdout:
            self._process.stdout.close()
        self._process = None

    def kill(self) -> None:
        """As when the computer loses its power."""
        assert self._process is not None
        self._process.kill()
        self.stop()

    def again(self) -> None:
        """Ended and started, as from one day to the next."""
        self.stop()
        self.start()
