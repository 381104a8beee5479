"""Encodings, marks and line ends: what is read is right, and what is written back is unchanged."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from mcp_servers.filesystem.editing import Edit, edit_file
from mcp_servers.filesystem.errors import FilesError
from mcp_servers.filesystem.patching import apply_patch
from mcp_servers.filesystem.patience import Patience
from mcp_servers.filesystem.reading import Lines, read_lines
from mcp_servers.filesystem.roots import Roots
from mcp_servers.filesystem.text import is_binary, read_text
from mcp_servers.filesystem.writing import write_file

TEXTS = {
    "utf-8": "naïve — 你好 🌍\nsecond\n",
    "utf-8-sig": "naïve — 你好 🌍\nsecond\n",
    "utf-16": "naïve — 你好 🌍\nsecond\n",
    "utf-32": "naïve — 你好 🌍\nsecond\n",
    "utf-16-le": "plain latin text\nsecond line\n",
    "utf-16-be": "plain latin text\nsecond line\n",
    "windows-1252": "El niño comió piñas — “sí”, 10 €\nmañana\n",
    "gb18030": "你好，世界。这是一个测试文件，用来检查编码。\n第二行\n",
    "shift_jis": "これはテストです。日本語の文章を書きます。\n二行目\n",
    "euc-jp": "これはテストです。日本語の文章を書きます。\n二行目\n",
    "big5": "這是一個測試檔案，用來檢查編碼。繁體中文。\n第二行\n",
    "euc-kr": "안녕하세요 세계, 이것은 시험입니다.\n둘째 줄\n",
    "windows-1251": "Привет, мир! Это проверка кодировки.\nвторая строка\n",
    "koi8-r": "Привет, мир! Это проверка кодировки.\nвторая строка\n",
}


@pytest.fixture
def roots(tmp_path: Path) -> Roots:
    return Roots([str(tmp_path)])


def read(roots: Roots, path: str, **lines: Any) -> str:
    return read_lines(Patience(), roots, path, Lines(**lines))


@pytest.mark.parametrize("encoding", TEXTS)
def test_text_is_read_whatever_its_encoding(roots: Roots, tmp_path: Path, encoding: str) -> None:
    raw = TEXTS[encoding].encode(encoding)
    (tmp_path / "f.txt").write_bytes(raw)
    assert read(roots, "f.txt") == TEXTS[encoding]
    assert read_text(raw, "f").stored() == raw


@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_edit_changes_its_place_only(roots: Roots, tmp_path: Path, encoding: str, line_end: str) -> None:
    content = TEXTS[encoding].replace("\n", line_end)
    (tmp_path / "f.txt").write_bytes(content.encode(encoding))
    last = TEXTS[encoding].splitlines()[1]
    edit_file(roots, "f.txt", [Edit(last, "new\nlines")])
    expected = content.replace(last, f"new{line_end}lines")
    assert (tmp_path / "f.txt").read_bytes() == expected.encode(encoding)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1252", "gb18030"])
def test_rewriting_a_file_keeps_how_it_is_stored(roots: Roots, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "f.txt").write_bytes(TEXTS[encoding].replace("\n", "\r\n").encode(encoding))
    write_file(roots, "f.txt", "new\ntext\n")
    assert (tmp_path / "f.txt").read_bytes() == "new\r\ntext\r\n".encode(encoding)


def test_mixed_line_ends_around_an_edit_stay(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_bytes(b"a\r\nb\nc\r\nd\re\r\n")
    edit_file(roots, "f.txt", [Edit("c\nd", "X\nY")])
    assert (tmp_path / "f.txt").read_bytes() == b"a\r\nb\nX\r\nY\re\r\n"


def test_a_patch_keeps_encoding_and_line_ends(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_bytes("uno\r\ndós\r\ntres\r\n".encode("windows-1252"))
    apply_patch(roots, "--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n uno\n-dós\n+año\n tres\n")
    assert (tmp_path / "f.txt").read_bytes() == "uno\r\naño\r\ntres\r\n".encode("windows-1252")


def test_a_letter_the_encoding_lacks_leaves_the_file_untouched(roots: Roots, tmp_path: Path) -> None:
    raw = "El niño comió piñas\n".encode("windows-1252")
    (tmp_path / "f.txt").write_bytes(raw)
    with pytest.raises(FilesError, match="✓"):
        edit_file(roots, "f.txt", [Edit("comió", "✓")])
    with pytest.raises(FilesError, match="✓"):
        apply_patch(roots, "--- f.txt\n+++ f.txt\n@@ -1 +1 @@\n-El niño comió piñas\n+✓\n")
    assert (tmp_path / "f.txt").read_bytes() == raw
    assert "utf-8" in write_file(roots, "f.txt", "✓\n")
    assert (tmp_path / "f.txt").read_text(encoding="utf-8") == "✓\n"


def test_an_encoding_can_be_named(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_bytes("中文".encode("gb18030"))
    assert read_lines(Patience(), roots, "f.txt", Lines(), "gb18030") == "中文"
    write_file(roots, "g.txt", "ñ", "latin-1")
    assert (tmp_path / "g.txt").read_bytes() == b"\xf1"
    for name in ("no-such", "rot13", "", "utf-8\0"):
        with pytest.raises(FilesError, match="no text encoding"):
            read_lines(Patience(), roots, "f.txt", Lines(), name)
    with pytest.raises(FilesError, match="not valid"):
        read_lines(Patience(), roots, "f.txt", Lines(), "utf-8")


@pytest.mark.parametrize("raw", [b"\x89PNG\r\n\x1a\n\0\0", b"MZ\0\x01", bytes(range(256)), b"a\0b"])
def test_what_is_no_text_is_said(roots: Roots, tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "f").write_bytes(raw)
    assert is_binary(raw)
    with pytest.raises(FilesError, match="read_media_file"):
        read(roots, "f")
    with pytest.raises(FilesError, match="not a text file"):
        edit_file(roots, "f", [Edit("a", "b")])
    assert (tmp_path / "f").read_bytes() == raw


def test_bytes_of_no_encoding_at_all_survive_an_edit(roots: Roots, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\xff\xfe\x81\x8d key=1 \x90\x9d \xe2\x82\n")
    raw = b"caf\xe9 \x81\x8d key=1 \x90\x9d\n"
    (tmp_path / "g").write_bytes(raw)
    edit_file(roots, "g", [Edit("key=1", "key=2")])
    assert (tmp_path / "g").read_bytes() == raw.replace(b"key=1", b"key=2")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ({"head": 2}, "1\r\n2\r\n"),
        ({"tail": 2}, "4\r\n5"),
        ({"start": 2, "end": 3}, "2\r\n3\r\n"),
        ({"start": 4}, "4\r\n5"),
        ({"end": 1}, "1\r\n"),
        ({"head": 99}, "1\r\n2\r\n3\r\n4\r\n5"),
        ({"tail": 99}, "1\r\n2\r\n3\r\n4\r\n5"),
        ({"start": 2, "end": 3, "numbered": True}, "     2\t2\n     3\t3"),
        ({"tail": 1, "numbered": True}, "     5\t5"),
    ],
)
def test_parts_of_a_file(roots: Roots, tmp_path: Path, lines: dict[str, int], expected: str) -> None:
    (tmp_path / "f").write_bytes(b"1\r\n2\r\n3\r\n4\r\n5")
    assert read(roots, "f", **lines) == expected


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({"head": 1, "tail": 1}, "not several"),
        ({"head": 1, "start": 1}, "not several"),
        ({"start": 3, "end": 2}, "before"),
        ({"start": 99}, "fewer than 99"),
    ],
)
def test_parts_that_cannot_be(roots: Roots, tmp_path: Path, lines: dict[str, int], said: str) -> None:
    (tmp_path / "f").write_bytes(b"1\n2\n3\n")
    with pytest.raises(FilesError, match=said):
        read(roots, "f", **lines)


def test_a_part_of_a_very_large_file(roots: Roots, tmp_path: Path) -> None:
    line = "ñ" * 510 + "\n"
    with (tmp_path / "big").open("w", encoding="utf-8", newline="") as file:
        for _ in range(40):
            file.write(line * 1000)
        file.write("end\n")
    assert read(roots, "big", head=1) == line
    assert read(roots, "big", tail=1) == "end\n"
    assert read(roots, "big", start=39_999, end=40_000) == line * 2
    with pytest.raises(FilesError, match="too many for one answer"):
        read(roots, "big")
    assert read(roots, "big", tail=10**9).endswith(line + "end\n")
    assert read(roots, "big", tail=10**9).startswith("[cut before this: too long]\n")


def test_a_large_file_of_one_line_is_never_held_whole(roots: Roots, tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as file:
        for _ in range(40):
            file.write(b"a" * 1_000_000)
        file.write(b"\r\nlast")
    tracemalloc.start()
    try:
        assert read(roots, "big", start=2, end=2) == "last"
        assert read(roots, "big", head=1).endswith("[cut here: too long]")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
