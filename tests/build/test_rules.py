"""The rules of the house that a program can hold: floors, sizes, names, locks, and what is not to be said."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from .conftest import ROOT

TOP = {
    *(".ci", ".gitattributes", ".github", ".gitignore", ".pre-commit-config.yaml", ".editorconfig"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "requirements.lock"),
    *("app", "mcp_servers", "demos", "frontend", "tests", "build", "docs"),
}
ROOMS = {
    *("__init__.py", "__main__.py", "cli", "cli.py", "desktop", "web", "chat"),
    *("providers", "mcp_host", "store", "settings", "core"),
}
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "service", "base"}
OURS = ("app", "mcp_servers", "demos")
# Modules of packages that only one platform has, and of the system's own GTK binding.
ELSEWHERE = (
    "pywintypes",
    "win32api",
    "win32con",
    "win32job",
    "win32gui",
    "gi",
    "objc",
    "AppKit",
    "Foundation",
    "WebKit",
    "clr",
)
GENERATED = {"frontend/src/wire.ts"}
SOURCES = (".py", ".ts", ".tsx", ".css", ".mjs", ".js")
LOCKS = (
    "requirements.lock",
    "tests/requirements.lock",
    "build/qt.lock",
    "frontend/package-lock.json",
    "tests/reference/package-lock.json",
    "tests/reference/server.lock",
    "tests/reference/office.lock",
)
# Put together here, so that this file does not say them either.
UNSAID = re.compile(
    "|".join(
        [
            *(rf"\b{host}\.org\b" for host in ("py" + "pi", "registry.npm" + "js", "files.python" + "hosted")),
            *(rf"(?<![\w.])/{folder}/" for folder in ("wo" + "rk/main", "wo" + "rk/shared", "root/" + r"\.")),
            r"\bsk-(ant|proj|or)-[A-Za-z0-9]{32,}",
        ]
    )
)


def tracked(*patterns: str) -> list[Path]:
    """The project's own files, as paths relative to its root."""
    command = ["git", "ls-files", "-z", *patterns]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        pytest.skip("no git here to tell the project's files from others")
    if done.returncode != 0:
        pytest.skip("not a git checkout: nothing tells the project's files from others")
    return [Path(name) for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def test_the_top_level_holds_what_the_plan_shows() -> None:
    assert {path.parts[0] for path in tracked()} <= TOP
    assert {path.parts[1] for path in tracked("app")} <= ROOMS


def test_no_file_is_longer_than_400_lines() -> None:
    long = {
        path.as_posix(): lines
        for path in tracked()
        if path.suffix in SOURCES and path.as_posix() not in GENERATED and (lines := len(text_of(path).splitlines())) > 400
    }
    assert long == {}


def test_no_file_or_class_has_a_vague_name() -> None:
    vague = [path.as_posix() for path in tracked() if path.suffix in SOURCES and path.stem.lower() in VAGUE]
    for path in tracked():
        if path.suffix in SOURCES:
            for name in re.findall(r"^\s*(?:export )?(?:abstract )?class (\w+)", text_of(path), re.MULTILINE):
                words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", name)]
                vague += [f"{path.as_posix()}: {name}"] * bool(words and VAGUE & {words[0], words[-1]})
    assert vague == []


def test_floors_hold() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=50)

    assert done.returncode == 0, done.stdout


def test_core_imports_pydantic_and_the_standard_library_only() -> None:
    allowed = {*sys.stdlib_module_names, "pydantic", "pydantic_core", "annotated_types", "typing_extensions", "app"}
    strangers = [
        f"{path.as_posix()}: {name}"
        for path in tracked("app/core/*.py")
        for name in imported(path)
        if name.split(".")[0] not in allowed or (name.startswith("app.") and not name.startswith("app.core"))
    ]
    assert strangers == []


def test_every_foreign_import_is_a_declared_dependency() -> None:
    """What is only there because something else brought it can go away with the next lock."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    declared = {normal(Requirement(text).name) for text in [*project["dependencies"], *project["optional-dependencies"]["qt"]]}
    owners = packages_distributions()
    undeclared = {
        f"{path.as_posix()}: {name}"
        for path in tracked("app/*.py", "mcp_servers/*.py", "demos/*.py")
        for name in {name.split(".")[0] for name in imported(path)} - {*sys.stdlib_module_names, *OURS, *ELSEWHERE}
        if declared.isdisjoint(map(normal, owners.get(name, [])))
    }
    assert undeclared == set()


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module or "")
    return names


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_hold_no_addresses(name: str) -> None:
    text = text_of(Path(name))
    addresses = re.findall(r'"resolved"|--(?:extra-)?index-url|--find-links|^[^#"]*https?://\S+', text, re.MULTILINE)

    assert addresses == []


@pytest.mark.parametrize("name", [lock for lock in LOCKS if lock.endswith(".lock")])
def test_every_locked_python_package_has_hashes(name: str) -> None:
    entries = re.split(r"\n(?=\w)", re.sub(r"(?m)^\s*#.*\n", "", text_of(Path(name))).strip())

    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry or "==" not in entry] == []


def test_the_locks_fit_what_the_project_asks_for() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    asked = {
        "requirements.lock": project["project"]["dependencies"] + project["dependency-groups"]["setup"],
        "tests/requirements.lock": project["dependency-groups"]["dev"],
        "build/qt.lock": project["project"]["optional-dependencies"]["qt"],
    }
    missing: list[str] = []
    for lock, wanted in asked.items():
        pinned: dict[str, str] = dict(re.findall(r"^([a-z0-9.-]+)==([^ ;\\]+)", text_of(Path(lock)), re.MULTILINE))
        for requirement in map(Requirement, wanted):
            version = pinned.get(requirement.name.lower().replace("_", "-"))
            if version is None or version not in requirement.specifier:
                missing.append(f"{lock}: {requirement}: run python3 build lock")
    assert missing == []


def test_the_project_speaks_of_itself_alone() -> None:
    said = [
        f"{path.as_posix()}:{number}: {line.strip()[:80]}"
        for path in tracked()
        if path.suffix not in {".png", ".webp", ".ico", ".woff2", ".docx", ".xlsx"}
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if UNSAID.search(line)
    ]
    assert said == []


def test_every_setting_is_read_by_something():
    """A switch that nothing looks at is a promise that is not kept."""
    read = "\n".join(
        path.read_text(encoding="utf-8")
        for room in ("app", "frontend/src", "mcp_servers")
        for path in (ROOT / room).rglob("*")
        if path.suffix in (".py", ".ts", ".tsx") and path.parts[-2] != "settings" and path.name != "wire.ts"
    )
    words = set(re.findall(r"[A-Za-z_]+", read))
    fields = {
        (section.name, field)
        for section in (ROOT / "app" / "settings").glob("*.py")
        for field in re.findall(r"^    (\w+): .*= Field\(", section.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert fields
    assert not [f"{file}: {field}" for file, field in sorted(fields) if field not in words]
