"""Globs, ignore files, and searches that end in time."""

import time
from pathlib import Path
from typing import Any

import anyio
import pytest

from mcp_servers.filesystem.errors import FilesError, OutsideRootsError
from mcp_servers.filesystem.glob import Glob
from mcp_servers.filesystem.grep import grep
from mcp_servers.filesystem.listing import directory_tree, glob_files, search_files
from mcp_servers.filesystem.patience import Patience, in_thread
from mcp_servers.filesystem.roots import Roots

GLOBS = [
    ("*.py", "a.py", True), ("*.py", "d/a.py", False), ("**/*.py", "a.py", True), ("**/*.py", "d/e/a.py", True),
    ("d/**", "d/a", True), ("d/**", "d/e/a", True), ("d/**", "e/a", False), ("d/**", "d", False), ("d/**/a", "d/a", True),
    ("d/**/a", "d/x/y/a", True), ("d/*/a", "d/x/a", True), ("d/*/a", "d/x/y/a", False), ("?.txt", "a.txt", True),
    ("?.txt", "ab.txt", False), ("[ab].txt", "b.txt", True), ("[!ab].txt", "c.txt", True), ("[^ab].txt", "a.txt", False),
    ("*.{js,ts}", "x.ts", True), ("*.{js,ts}", "x.py", False), ("{a,b/**}/c", "b/x/c", True), ("**", "a/b", True),
    (".*", ".env", True), ("*", ".env", True), ("a**b", "axxb", True), ("\\*.txt", "*.txt", True),
    ("\\*.txt", "a.txt", False), ("ñ*", "ñandú", True), ("**/a/**/b", "x/a/y/z/b", True), ("**/a/**/b", "x/b", False),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "path", "fits"), GLOBS)
def test_globs(pattern: str, path: str, fits: bool) -> None:
    assert Glob(pattern).fits(path.split("/")) is fits


def test_a_glob_of_many_stars_does_not_explode() -> None:
    start = time.monotonic()
    assert not Glob("**/" * 30 + "*a" * 30 + "*b").fits(["a" * 255] * 60)
    assert not Glob("*a*" * 50 + "b").fits(["a" * 255])
    assert time.monotonic() - start < 5
    with pytest.raises(FilesError, match="too many"):
        Glob("{a,b}" * 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        ".gitignore": "*.log\nbuild/\n!keep.log\n/top.txt\n# note\n\n",
        "a.py": "import os\nTODO = 1\n",
        "b.txt": "todo later\nTODO now\nend\n",
        "top.txt": "TODO\n",
        "x.log": "TODO\n",
        "keep.log": "TODO\n",
        "build/out.txt": "TODO\n",
        ".hidden/h.txt": "TODO\n",
        ".git/config": "TODO\n",
        "sub/top.txt": "TODO\n",
        "sub/.gitignore": "secret*\n",
        "sub/secret.txt": "TODO\n",
        "sub/ünïcode.txt": "TODO ñ 你好\n",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (tmp_path / "bin.dat").write_bytes(b"TODO\0\0")
    (tmp_path / "old.txt").write_bytes("TODO mañana\n".encode("windows-1252"))
    return tmp_path


@pytest.fixture
def roots(folder: Path) -> Roots:
    return Roots([str(folder)])


def found(text: str, folder: Path) -> set[str]:
    lines = [line for line in text.splitlines() if not line.startswith("[")]
    return {Path(line.split(":")[0]).relative_to(folder).as_posix() for line in lines}


SEEN = {"a.py", "b.txt", "keep.log", "sub/top.txt", "sub/ünïcode.txt", "old.txt"}


async def test_grep_leaves_out_what_ripgrep_leaves_out(roots: Roots, folder: Path) -> None:
    text = await grep(roots, "TODO", None)
    assert found(text, folder) == SEEN
    assert "1 binary files were skipped" in text


async def test_rules_of_one_persons_copy_and_marks_that_stand_for_themselves_hold(roots: Roots, folder: Path) -> None:
    (folder / ".git" / "info").mkdir()
    (folder / ".git" / "info" / "exclude").write_text("old.txt\n*.py\n", encoding="utf-8")
    (folder / ".rgignore").write_text("!a.py\n\\!odd.txt\n\\#odd.txt\n", encoding="utf-8")
    for name in ("!odd.txt", "#odd.txt", "odd.txt"):
        (folder / name).write_text("TODO\n", encoding="utf-8")
    assert found(await grep(roots, "TODO", None), folder) == (SEEN | {"odd.txt"}) - {"old.txt"}
    inner = await grep(roots, "TODO", "sub")
    assert found(inner, folder) == {"sub/top.txt", "sub/ünïcode.txt"}


async def test_a_large_file_is_searched_line_by_line(roots: Roots, folder: Path) -> None:
    with (folder / "large.txt").open("wb") as file:
        file.write(("z" * 2_500_000 + "\r\n").encode())
        file.write(b"a line of a log that is as long as this one, and then some more of it\n" * 250_000)
        file.write("before\nhere is señal\nafter\n".encode())
    text = await grep(roots, "señal", "large.txt", context=1, seconds=60)
    shown = [line.partition("large.txt")[2] for line in text.splitlines()]
    assert shown == ["-250002- before", ":250003: here is señal", "-250004- after"]


@pytest.mark.parametrize("pattern", ["{here}/sub/**/*.txt", "sub/../sub/*.txt", "../{name}/sub/*.txt"])
def test_a_pattern_may_be_a_whole_path(roots: Roots, folder: Path, pattern: str) -> None:
    pattern = pattern.format(here=folder, name=folder.name)
    text = glob_files(Patience(), roots, None, pattern, 10, False)
    assert found(text, folder) == {"sub/top.txt", "sub/ünïcode.txt"}
    with pytest.raises(OutsideRootsError):
        glob_files(Patience(), roots, None, "../*", 10, False)


async def test_grep_everything_looks_into_hidden_and_ignored_files(roots: Roots, folder: Path) -> None:
    text = await grep(roots, "TODO", None, everything=True)
    hidden = {"top.txt", "x.log", "build/out.txt", ".hidden/h.txt", ".git/config", "sub/secret.txt"}
    assert found(text, folder) == SEEN | hidden


@pytest.mark.parametrize(
    ("pattern", "options", "lines"),
    [
        ("TODO", {"path": "b.txt"}, ["{b}:2: TODO now"]),
        ("TODO", {"path": "b.txt", "any_case": True}, ["{b}:1: todo later", "{b}:2: TODO now"]),
        ("now", {"path": "b.txt", "context": 1}, ["{b}-1- todo later", "{b}:2: TODO now", "{b}-3- end"]),
        ("^TODO\\s", {"glob": "b.*"}, ["{b}:2: TODO now"]),
        ("TODO =", {"fixed": True}, ["{a}:2: TODO = 1"]),
        ("(", {"fixed": True}, ["No matches found"]),
        ("os", {"glob": "*.{py,js}"}, ["{a}:1: import os"]),
        ("mañana", {}, ["{old}:1: TODO mañana"]),
        ("TODO", {"path": "b.txt", "show": "files"}, ["{b}"]),
        ("o", {"path": "b.txt", "show": "counts"}, ["{b}: 2"]),
        ("TODO", {"path": "sub/secret.txt"}, ["{secret}:1: TODO"]),
    ],
)
async def test_grep_answers(roots: Roots, folder: Path, pattern: str, options: dict[str, Any], lines: list[str]) -> None:
    names = {"a": "a.py", "b": "b.txt", "old": "old.txt", "secret": "sub/secret.txt"}
    paths = {key: str(Path(roots.real()[0]) / name) for key, name in names.items()}
    text = await grep(roots, pattern, options.pop("path", None), **options)
    wanted = [line.format(**paths) for line in lines]
    assert [line for line in text.splitlines() if not line.startswith("[")] == wanted


async def test_grep_is_bounded(roots: Roots, folder: Path) -> None:
    (folder / "many.txt").write_text("x" * 2000 + "needle" + "y" * 2000 + "\n" + "needle\n" * 500, encoding="utf-8")
    text = await grep(roots, "needle", "many.txt", most=50)
    assert len(text.splitlines()) == 51
    assert "[cut after 50 matches]" in text
    assert "needle" in text.splitlines()[0]
    assert len(text.splitlines()[0]) < 700


@pytest.mark.parametrize("pattern", ["(", "[a", "*a", "(?P<a", "a{99999999999}"])
async def test_a_broken_expression_is_said(roots: Roots, pattern: str) -> None:
    with pytest.raises(FilesError, match="not a valid regular expression"):
        await grep(roots, pattern, None)


async def test_an_expression_that_would_never_end_is_killed_and_nothing_else_waits(roots: Roots, folder: Path) -> None:
    (folder / "evil.txt").write_text("x" * 60 + "\n", encoding="utf-8")
    turns = 0

    async def watch() -> None:
        nonlocal turns
        while True:
            await anyio.sleep(0.01)
            turns += 1

    text = ""
    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        text = await grep(roots, "(x+x+)+y", None, seconds=1.5)
        group.cancel_scope.cancel()
    assert "stopped after 1.5 s" in text
    assert "evil.txt" in text
    assert turns > 5  # a loop that waits for the expression has no turn at all


async def test_a_cancelled_search_leaves_no_process(roots: Roots, folder: Path) -> None:
    import psutil

    (folder / "evil.txt").write_text("x" * 60 + "\n", encoding="utf-8")
    with anyio.move_on_after(0.5):
        await grep(roots, "(x+x+)+y", None, seconds=30)
    children = psutil.Process().children(recursive=True)
    assert [child for child in children if "grep_worker" in " ".join(child.cmdline())] == []


def test_glob_lists_the_newest_first(roots: Roots, folder: Path) -> None:
    import os

    os.utime(folder / "b.txt", (2e9, 2e9))
    text = glob_files(Patience(), roots, None, "*.txt", 100, False)
    assert text.splitlines()[0].endswith("b.txt")
    assert found(text, folder) == {"b.txt", "old.txt", "sub/top.txt", "sub/ünïcode.txt"}
    assert "[cut: 3 more]" in glob_files(Patience(), roots, None, "*.txt", 1, False)
    assert found(glob_files(Patience(), roots, "sub", "**/*", 100, True), folder) >= {"sub/.gitignore", "sub/secret.txt"}
    assert "sub/secret.txt" not in found(glob_files(Patience(), roots, "sub", "*", 100, False), folder)


@pytest.mark.parametrize(
    ("pattern", "exclude", "names"),
    [
        ("*.txt", [], {"b.txt", "top.txt", "old.txt"}),
        ("**/top.txt", [], {"top.txt", "sub/top.txt"}),
        ("**/top.txt", ["sub"], {"top.txt"}),
        ("TOP", [], {"top.txt", "sub/top.txt"}),
        ("**/*.txt", ["**/*.txt"], set[str]()),
        ("sub", [], {"sub"}),
    ],
)
def test_search_by_name(roots: Roots, folder: Path, pattern: str, exclude: list[str], names: set[str]) -> None:
    text = search_files(Patience(), roots, ".", pattern, exclude)
    assert (found(text, folder) if names else text) == (names or "No matches found")


def test_a_walk_that_takes_too_long_answers_with_what_it_has(roots: Roots) -> None:
    patience = Patience(seconds=-1)
    assert "took too long" in search_files(patience, roots, ".", "**/*", [])
    assert "cut after" in directory_tree(Patience(seconds=-1), roots, ".", [])


async def test_a_cancelled_walk_is_told_to_stop() -> None:
    seen: list[Patience] = []

    def wait(patience: Patience) -> None:
        seen.append(patience)
        while not patience.over():
            time.sleep(0.001)

    with anyio.move_on_after(0.1):
        await in_thread(wait)
    assert seen[0].over()
