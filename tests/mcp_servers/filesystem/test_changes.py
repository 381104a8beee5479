"""Edits, patches, writes and moves: all or nothing, and nothing is lost on the way."""

import errno
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_servers.filesystem.editing import Edit, edit_file
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.folder import Folder
from mcp_servers.filesystem.patching import apply_patch
from mcp_servers.filesystem.roots import Roots
from mcp_servers.filesystem.writing import create_directory, move_file, write_file

pytestmark = pytest.mark.usefixtures("lookup")

CODE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    (tmp_path / "code.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "other.txt").write_text("a\nb\nc\n", encoding="utf-8")
    return Roots([str(tmp_path)])


@pytest.fixture
def state(tmp_path: Path) -> Callable[[], dict[str, str]]:
    """Every file below the root and its content."""

    def look() -> dict[str, str]:
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return {str(path.relative_to(tmp_path)): path.read_text(encoding="utf-8") for path in files}

    return look


def test_an_edit_shows_its_difference(roots: Roots, tmp_path: Path) -> None:
    said = edit_file(roots, "code.py", [Edit("return 2", "return 22")])
    assert said.startswith("```diff\n--- code.py\toriginal\n+++ code.py\tmodified\n@@ ")
    assert "-    return 2\n+    return 22\n" in said
    assert (tmp_path / "code.py").read_text(encoding="utf-8") == CODE.replace("return 2", "return 22")


def test_a_dry_run_changes_nothing(roots: Roots, state: Callable[[], dict[str, str]]) -> None:
    before = state()
    assert "+    return 3\n" in edit_file(roots, "code.py", [Edit("return 1", "return 3")], dry_run=True)
    patch = "--- other.txt\n+++ other.txt\n@@ -1 +1 @@\n-a\n+A\n"
    assert "nothing was changed" in apply_patch(roots, patch, dry_run=True)
    assert state() == before


def test_edits_build_on_each_other(roots: Roots, tmp_path: Path) -> None:
    edit_file(roots, "other.txt", [Edit("a", "x"), Edit("x\nb", "y"), Edit("c\n", "")])
    assert (tmp_path / "other.txt").read_text(encoding="utf-8") == "y\n"


def test_everywhere_replaces_every_place(roots: Roots, tmp_path: Path) -> None:
    edit_file(roots, "code.py", [Edit("def", "async def", everywhere=True)])
    assert (tmp_path / "code.py").read_text(encoding="utf-8") == CODE.replace("def", "async def")


def test_blanks_at_line_ends_may_differ_and_the_indentation_stays(roots: Roots, tmp_path: Path) -> None:
    edit_file(roots, "code.py", [Edit("def two():   \nreturn 2", "def two():\n    x = 2\n    return x")])
    assert (tmp_path / "code.py").read_text(encoding="utf-8").endswith("def two():\n    x = 2\n    return x\n")


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([], "no edits"),
        ([Edit("", "x")], "empty"),
        ([Edit("return", "x")], "2 times"),
        ([Edit("nothing like this", "x")], "Could not find"),
        ([Edit("return 1", "x"), Edit("missing", "y")], "Could not find"),
        ([Edit("def one()::", "x")], "Line 1 is close"),
        ([Edit("\n\n\n\n\n", "x")], "Could not find"),
    ],
)
def test_an_edit_that_does_not_fit_leaves_the_file_untouched(
    roots: Roots, state: Callable[[], dict[str, str]], edits: list[Edit], said: str
) -> None:
    before = state()
    with pytest.raises(FilesError, match=said):
        edit_file(roots, "code.py", edits)
    assert state() == before


def test_a_git_patch_changes_makes_renames_and_deletes(roots: Roots, state: Callable[[], dict[str, str]]) -> None:
    write_file(roots, "gone.txt", "bye\n")
    patch = """\
diff --git a/code.py b/code.py
index 1..2 100644
--- a/code.py
+++ b/code.py
@@ -1,2 +1,3 @@
 def one():
+    # the first
     return 1
@@ -5,2 +6,2 @@ def two():
 def two():
-    return 2
+    return 3
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/new/made.txt b/new/made.txt
new file mode 100644
--- /dev/null
+++ b/new/made.txt
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/other.txt b/renamed.txt
similarity index 60%
rename from other.txt
rename to renamed.txt
--- a/other.txt
+++ b/renamed.txt
@@ -2 +2 @@
-b
+B
"""
    said = apply_patch(roots, patch)
    assert said.splitlines() == [
        "Patch applied:",
        "M code.py (+2 -1)",
        "D gone.txt",
        "A new/made.txt",
        "R other.txt -> renamed.txt (+1 -1)",
    ]
    assert state() == {
        "code.py": "def one():\n    # the first\n    return 1\n\n\ndef two():\n    return 3\n",
        "new/made.txt": "one\ntwo",
        "renamed.txt": "a\nB\nc\n",
    }


def test_the_begin_patch_form_works_too(roots: Roots, state: Callable[[], dict[str, str]]) -> None:
    patch = """\
*** Begin Patch
*** Update File: code.py
@@ def two():
-    return 2
+    return 4
*** Add File: notes/a.md
+# Title
+
+text
*** Update File: other.txt
*** Move to: moved.txt
 b
-c
+C
*** End Patch"""
    apply_patch(roots, patch)
    assert state() == {
        "code.py": CODE.replace("return 2", "return 4"),
        "notes/a.md": "# Title\n\ntext\n",
        "moved.txt": "a\nb\nC\n",
    }


def test_a_hunk_is_found_where_the_lines_have_moved(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("".join(f"{n}\n" for n in range(100)), encoding="utf-8")
    apply_patch(roots, "--- f\n+++ f\n@@ -3,3 +3,3 @@\n 50\n-51\n+x\n 52\n")
    assert (tmp_path / "f").read_text(encoding="utf-8").splitlines()[51] == "x"


@pytest.mark.parametrize(
    ("content", "patch", "expected"),
    [
        ("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n", "a\nc\n"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n", "a\nc"),
        ("a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "a\nb\nc"),
        ("a\n", "@@ -1,1 +1,2 @@\n a\n+b\n", "a\nb\n"),
        ("", "@@ -0,0 +1,1 @@\n+a\n", "a\n"),
        ("a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""),
        ("-- x\ny\n", "@@ -1,2 +1,1 @@\n--- x\n y\n", "y\n"),
        ("a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"),
    ],
)
def test_ends_of_files_and_odd_lines(roots: Roots, tmp_path: Path, content: str, patch: str, expected: str) -> None:
    (tmp_path / "f").write_text(content, encoding="utf-8")
    apply_patch(roots, f"--- f\n+++ f\n{patch}")
    assert (tmp_path / "f").read_text(encoding="utf-8") == expected


GOOD = "--- other.txt\n+++ other.txt\n@@ -1 +1 @@\n-a\n+A\n"


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("nothing", "no patch"),
        ("", "no patch"),
        (GOOD + "--- code.py\n+++ code.py\n@@ -1 +1 @@\n-def three():\n+x\n", "does not fit code.py"),
        (GOOD + "--- none.txt\n+++ none.txt\n@@ -1 +1 @@\n-a\n+x\n", "does not exist"),
        (GOOD + "--- /dev/null\n+++ code.py\n@@ -0,0 +1 @@\n+x\n", "exists already"),
        (GOOD + "--- code.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-something else\n", "does not fit"),
        (GOOD + "--- /dev/null\n+++ ../escape.txt\n@@ -0,0 +1 @@\n+x\n", "outside the allowed"),
        (GOOD + "Binary files a/x and b/x differ\n", "binary"),
        ("*** Begin Patch\n*** Update File: code.py\nno mark\n*** End Patch", "no mark"),
        ("*** Begin Patch\n*** Update File: code.py\n*** Move to: other.txt\n-def one():\n+x\n*** End Patch", "exists"),
    ],
)
def test_a_patch_that_does_not_fit_changes_no_file(
    roots: Roots, state: Callable[[], dict[str, str]], patch: str, said: str
) -> None:
    before = state()
    with pytest.raises(FilesError, match=said):
        apply_patch(roots, patch)
    assert state() == before


def test_a_patch_that_fails_while_it_is_put_in_place_is_taken_back(
    roots: Roots, state: Callable[[], dict[str, str]], tmp_path: Path
) -> None:
    (tmp_path / "zz").mkdir()
    before = state()
    patch = f"{GOOD}--- /dev/null\n+++ b.txt\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ other.txt/c\n@@ -0,0 +1 @@\n+x\n"
    with pytest.raises(FilesError):
        apply_patch(roots, patch)
    assert state() == before


def test_a_failing_patch_names_the_file_and_leaves_no_folder(
    roots: Roots, state: Callable[[], dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state()
    moved = Folder.move

    def full(self: Folder, name: str, target: Folder, new: str, *, over: bool) -> None:
        if new == "last.txt":
            raise OSError(errno.ENOSPC, "full")
        moved(self, name, target, new, over=over)

    monkeypatch.setattr(Folder, "move", full)
    patch = "".join(f"--- /dev/null\n+++ {name}\n@@ -0,0 +1 @@\n+x\n" for name in ("new/deep/a.txt", "last.txt"))
    with pytest.raises(FilesError, match=r"full; nothing was written to last\.txt\. Nothing was changed\."):
        apply_patch(roots, patch)
    assert state() == before
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_no_text_can_be_moved_and_deleted_by_a_patch(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\0\xff\x80")
    (tmp_path / "b.bin").write_bytes(b"\0b")
    apply_patch(roots, "*** Begin Patch\n*** Update File: a.bin\n*** Move to: c.bin\n*** Delete File: b.bin\n*** End Patch")
    assert (tmp_path / "c.bin").read_bytes() == b"\0\xff\x80"
    assert not (tmp_path / "b.bin").exists()


def test_writing_makes_the_folders_on_the_way(roots: Roots, tmp_path: Path) -> None:
    assert write_file(roots, "x/y/z.txt", "hi") == "Successfully wrote to x/y/z.txt"
    assert (tmp_path / "x" / "y" / "z.txt").read_text(encoding="utf-8") == "hi"
    assert "Successfully created directory" in create_directory(roots, "p/q")
    assert create_directory(roots, "p/q")
    with pytest.raises(FilesError, match=r"not a folder|exists"):
        create_directory(roots, "code.py/inner")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps other permissions")
def test_a_rewritten_file_keeps_its_permissions(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "code.py").chmod(0o750)
    write_file(roots, "code.py", "x")
    edit_file(roots, "code.py", [Edit("x", "y")])
    assert stat.S_IMODE((tmp_path / "code.py").stat().st_mode) == 0o750
    (tmp_path / "code.py").chmod(0o444)
    with pytest.raises(FilesError, match="read-only"):
        write_file(roots, "code.py", "z")
    assert (tmp_path / "code.py").read_text(encoding="utf-8") == "y"


def test_a_folder_is_not_written_over(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    with pytest.raises(FilesError, match="not a file"):
        write_file(roots, "dir", "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["code.py", "dir", "other.txt"]


def test_moving_overwrites_nothing(roots: Roots, state: Callable[[], dict[str, str]], tmp_path: Path) -> None:
    before = state()
    for source, destination, said in (
        ("code.py", "other.txt", "exists already"),
        ("missing", "x", "does not exist"),
        (".", "x", "allowed folder itself"),
    ):
        with pytest.raises(FilesError, match=said):
            move_file(roots, source, destination)
    (tmp_path / "dir" / "in").mkdir(parents=True)
    with pytest.raises(FilesError, match="into itself"):
        move_file(roots, "dir", "dir/in/dir")
    with pytest.raises(FilesError, match="exists already"):
        move_file(roots, "dir/in", "code.py")
    assert state() == before


def test_files_and_folders_move_and_get_new_names(roots: Roots, state: Callable[[], dict[str, str]]) -> None:
    move_file(roots, "code.py", "deep/er/new.py")
    move_file(roots, "deep", "flat")
    move_file(roots, "other.txt", "Other.txt")
    assert state() == {"flat/er/new.py": CODE, "Other.txt": "a\nb\nc\n"}
