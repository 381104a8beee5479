"""A house of the same shape with stand-in uv, node and npm: set-up runs whole, in a fraction of a second."""

import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = f"#!{sys.executable}\n"

# Each program writes down how it was called, makes what the real one would make, and fails when told to.
PROGRAM = """
import os, pathlib, sys
name, args, root = pathlib.Path(sys.argv[0]).name, sys.argv[1:], pathlib.Path(os.environ["HOUSE"])
with (root / "calls").open("a") as calls:
    print(name, *(a.replace(str(root), "~") for a in args), file=calls)
if os.environ.get("FAIL", "nothing") in " ".join([name, *args]):
    sys.exit(os.environ.get("SAYS", "it did not work"))
"""
UV = """
if args[0] == "venv":
    bin = root / ".venv" / "bin"
    bin.mkdir(parents=True, exist_ok=True)
    (bin / "python").write_text(os.environ["PYTHON_STAND_IN"])
    (bin / "python").chmod(0o755)
if "--editable" in args:
    leochat = root / ".venv" / "bin" / "leochat"
    leochat.write_text(os.environ["LEOCHAT_STAND_IN"])
    leochat.chmod(0o755)
"""
PYTHON = """
if args[:2] == ["-m", "pytest"]:
    print(f"1 passed in 0.01s; page {os.environ['LEOCHAT_PAGE_TESTS'] or 'passed'}")
"""
LEOCHAT = """
print("leochat", *args)
sys.exit(int(os.environ.get("LEOCHAT_EXIT", "0")))
"""
NPM = """
if args[0] == "ci":
    pathlib.Path("node_modules").mkdir(exist_ok=True)
    pathlib.Path("node_modules", ".package-lock.json").touch()
if args[:2] == ["run", "build"]:
    page = root / "app" / "web" / "static" / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.touch()
"""


@dataclass(frozen=True)
class Done:
    """How one run of the build tool ended."""

    code: int
    out: str
    said: str
    calls: list[str]


@dataclass(frozen=True)
class House:
    """A small project with the real `build/`, and a PATH on which only stand-ins are."""

    root: Path
    programs: Path

    def build(self, *args: str, python: tuple[str, ...] = ("build",), **env: str) -> Done:
        """Run the build tool; what it called is told apart from earlier runs."""
        before = self._calls()
        done = subprocess.run(
            [sys.executable, *python, *args],
            cwd=self.root,
            env=self._env(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
        )
        return Done(done.returncode, done.stdout, done.stderr, self._calls()[len(before) :])

    def put(self, name: str, text: str) -> Path:
        """Write a file of the house."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def put_program(self, name: str, does: str) -> None:
        """Put a stand-in on the PATH."""
        path = self.programs / name
        path.write_text(HEAD + PROGRAM + does)
        path.chmod(0o755)

    def start_beside(self) -> "subprocess.Popen[bytes]":
        """A start that runs while the test goes on."""
        return subprocess.Popen([sys.executable, "build", "start"], cwd=self.root, env=self._env({}))

    def _env(self, more: dict[str, str]) -> dict[str, str]:
        return {
            "PATH": str(self.programs),
            "HOUSE": str(self.root),
            "HOME": str(self.root),
            "PYTHON_STAND_IN": HEAD + PROGRAM + PYTHON + TAG,
            "LEOCHAT_STAND_IN": HEAD + PROGRAM + LEOCHAT,
            **({"SYSTEMROOT": os.environ["SYSTEMROOT"]} if "SYSTEMROOT" in os.environ else {}),
            **more,
        }

    def _calls(self) -> list[str]:
        log = self.root / "calls"
        return log.read_text().splitlines() if log.exists() else []


TAG = """
if args[:1] == ["-c"]:
    print(sys.implementation.cache_tag)
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    if sys.platform == "win32":
        pytest.skip("the stand-in programs are POSIX scripts")
    house = House(tmp_path / "house", tmp_path / "programs")
    house.programs.mkdir()
    shutil.copytree(ROOT / "build", house.root / "build", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "requirements.lock", "tests/requirements.lock"):
        house.put(name, f"# {name}\n")
    for name in ("package.json", "package-lock.json", ".npmrc", "index.html", "src/main.tsx"):
        house.put(f"frontend/{name}", f"{name}\n")
    for name in ("app", "mcp_servers", "demos"):
        house.put(f"{name}/__init__.py", "")
    house.put_program("uv", UV)
    house.put_program("npm", NPM)
    house.put_program("node", textwrap.dedent('print("v20.20.2")'))
    return house
