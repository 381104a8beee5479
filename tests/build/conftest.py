"""A house of the same shape with stand-in uv, node and npm: set-up runs whole, in a fraction of a second."""

import compileall
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Each program writes down how it was called, makes what the real one would make, and fails when told to.
PROGRAM = """#!/bin/sh
name=${0##*/}
echo "$name${*:+ $*}" >> "$HOUSE/calls"
case "$name $*" in
  *"${FAIL:-nothing fails}"*) echo "${SAYS:-it did not work}" >&2; exit 1 ;;
esac
"""
UV = """
put() { echo "$2" > "$HOUSE/.venv/bin/$1"; /bin/chmod 755 "$HOUSE/.venv/bin/$1"; }
case " $* " in
  " venv "*) /bin/mkdir -p "$HOUSE/.venv/bin"; put python "$PYTHON_STAND_IN" ;;
  *" --editable "*) put leochat "$LEOCHAT_STAND_IN" ;;
esac
"""
PYTHON = f"""
case "$*" in
  "-m pytest"*)
    code=none
    if [ -n "$LEOCHAT_PAGE_TESTS" ]; then
      until [ -f "$LEOCHAT_PAGE_TESTS" ]; do :; done
      read -r code < "$LEOCHAT_PAGE_TESTS" || :
    fi
    echo "1 passed in 0.01s; page $code" ;;
  "-c "*) echo {sys.implementation.cache_tag} ;;
esac
"""
LEOCHAT = """
echo "leochat${*:+ $*}"
exit "${LEOCHAT_EXIT:-0}"
"""
NPM = """
case "$*" in
  "ci "*) /bin/mkdir -p node_modules; echo > node_modules/.package-lock.json ;;
  "run build") /bin/mkdir -p "$HOUSE/app/web/static"; echo > "$HOUSE/app/web/static/index.html" ;;
esac
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
            [sys.executable, "-S", *python, *args],  # without site-packages: the standard library only
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
        path.write_text(PROGRAM + does)
        path.chmod(0o755)

    def start_beside(self) -> "subprocess.Popen[bytes]":
        """A start that runs while the test goes on."""
        return subprocess.Popen([sys.executable, "-S", "build", "start"], cwd=self.root, env=self._env({}))

    def _env(self, more: dict[str, str]) -> dict[str, str]:
        return {
            "PATH": str(self.programs),
            "HOUSE": str(self.root),
            "HOME": str(self.root),
            "PYTHON_STAND_IN": PROGRAM + PYTHON,
            "LEOCHAT_STAND_IN": PROGRAM + LEOCHAT,
            **({"SYSTEMROOT": os.environ["SYSTEMROOT"]} if "SYSTEMROOT" in os.environ else {}),
            **more,
        }

    def _calls(self) -> list[str]:
        log = self.root / "calls"
        return log.read_text().replace(str(self.root), "~").splitlines() if log.exists() else []


@pytest.fixture(scope="session")
def build_tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiled copy of `build/`, so that not every run compiles it."""
    copy = tmp_path_factory.mktemp("tool") / "build"
    shutil.copytree(ROOT / "build", copy, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(copy, quiet=1)
    return copy


@pytest.fixture
def house(tmp_path: Path, build_tool: Path) -> House:
    if sys.platform == "win32":
        pytest.skip("the stand-in programs are POSIX scripts")
    house = House(tmp_path / "house", tmp_path / "programs")
    house.programs.mkdir()
    shutil.copytree(build_tool, house.root / "build")
    for name in ("pyproject.toml", "requirements.lock", "tests/requirements.lock", "tests/realmodel.lock"):
        house.put(name, f"# {name}\n")
    for name in ("server.lock", "office.lock"):
        house.put(f"tests/reference/{name}", f"{name}\n")
    for name in ("package.json", "package-lock.json", ".npmrc", "index.html", "src/main.tsx"):
        house.put(f"frontend/{name}", f"{name}\n")
        house.put(f"tests/reference/{name}", f"{name}\n")
    for name in ("app", "mcp_servers", "demos"):
        house.put(f"{name}/__init__.py", "")
    house.put_program("uv", UV)
    house.put_program("npm", NPM)
    house.put_program("node", "echo v20.20.2")
    return house
