"""Bundles: a real one, what their manifests may leave out, and archives made to harm."""

import io
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.blanks import filled
from app.mcp_host.bundles import FOLDER, BundleError, drop_bundle, look_through
from app.mcp_host.config import command_line, is_accepted
from app.mcp_host.importing import read_file
from app.mcp_host.manifest import read_manifest

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "mcpb"
shared = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the shared sample bundles are not beside this project")

MANIFEST: dict[str, Any] = {
    "manifest_version": "0.3",
    "name": "counter",
    "version": "1.0.0",
    "description": "Counts",
    "author": {"name": "A. Nother"},
    "server": {"type": "node", "entry_point": "main.js", "mcp_config": {"command": "node", "args": ["${__dirname}/main.js"]}},
}


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], manifest: Any = MANIFEST) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if manifest is not None:
            archive.writestr("manifest.json", json.dumps(manifest))
        for name, data in files:
            archive.writestr(name, data)
    return out.getvalue()


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target.encode()


def test_a_bundle_is_unpacked_into_a_folder_of_its_own_and_dropped_again(tmp_path: Path) -> None:
    program = zipfile.ZipInfo("bin/tool")
    program.external_attr = 0o755 << 16
    reading = read_file(zipped(("main.js", b"1"), (program, b"#!/bin/sh\n"), ("lib\\deep\\a.js", b"2")), tmp_path)
    [candidate] = reading.candidates
    assert not list(tmp_path.iterdir()), "looking writes nothing"
    config = filled(candidate, {})
    assert (config.enabled, is_accepted(config)) == (False, False)
    reading.unpacked()
    reading.unpacked()
    folder = Path(config.bundle or "")
    assert folder.parent == tmp_path / FOLDER
    assert config.args == (str(folder / "main.js"),)
    assert (folder / "lib" / "deep" / "a.js").read_bytes() == b"2"
    assert (folder / "bin" / "tool").stat().st_mode & 0o111
    assert not (folder / "main.js").stat().st_mode & 0o111
    drop_bundle(tmp_path, str(tmp_path / "other"))
    drop_bundle(tmp_path, str(folder))
    assert list((tmp_path / FOLDER).iterdir()) == []


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([("../out.js", b"")], "written elsewhere"),
        ([("a/../../out.js", b"")], "written elsewhere"),
        ([("/etc/cron.d/x", b"")], "written elsewhere"),
        ([("C:\\x.js", b"")], "written elsewhere"),
        ([("..\\x.js", b"")], "written elsewhere"),
        ([("a/nul.txt", b"")], "written elsewhere"),
        ([("trailing. ", b"")], "written elsewhere"),
        ([link("a", "/etc")], "link"),
        ([("A.js", b""), ("a.js", b"")], "two files of one name"),
        ([("bomb", b"\0" * (2 * 1024 * 1024))], "fill a disk"),
        ([("manifest.json.txt", b"ab" * 2000)], None),
    ],
)
def test_an_archive_that_would_harm_is_refused_before_anything_is_written(
    tmp_path: Path, files: list[tuple[Any, bytes]], why: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.mcp_host.bundles.RATIO_FROM", 1024 * 1024)
    data = zipped(*files)
    if why is None:
        assert read_file(data, tmp_path).candidates
    else:
        with pytest.raises(BundleError, match=why):
            read_file(data, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_bundle_that_holds_more_than_it_says_leaves_nothing_behind(tmp_path: Path) -> None:
    data = bytearray(zipped(("main.js", b"x" * 5000)))
    at = data.rindex(b"main.js") - 46  # its entry in the list at the end
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    reading = read_file(bytes(data), tmp_path)
    with pytest.raises(BundleError):
        reading.unpacked()
    assert list((tmp_path / FOLDER).iterdir()) == []


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (zipped(manifest=None), "no manifest"),
        (zipped(manifest=["no"]), "names no server"),
        (zipped(manifest={"name": "x", "server": {"type": "node"}}), "neither a command nor what to start"),
        (b"PK\x03\x04 cut off", "cannot be read"),
        (zipped(("manifest.txt", b""), manifest={"pad": "x" * 2_000_000}), "over 1 MiB"),
    ],
)
def test_what_is_no_bundle_is_told(data: bytes, why: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=why):
        read_file(data, tmp_path)


def test_many_files_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mcp_host.bundles.FILES_LIMIT", 20)
    data = zipped(*((f"f{n}", b"") for n in range(20)))
    with pytest.raises(BundleError, match="over 20 files"):
        look_through(io.BytesIO(data))


SETTINGS = {
    "key": {"type": "string", "title": "API key", "description": "", "sensitive": True, "required": True},
    "count": {"type": "number", "title": "Count", "min": 1, "max": 5, "default": 2},
    "where": {"type": "directory", "title": "Folders", "multiple": True},
    "loud": {"type": "boolean", "title": "Loud", "default": False},
    "file": {"type": "file", "title": "File"},
}
LAUNCH = {
    "command": "node",
    "args": ["${__dirname}/main.js", "--count=${user_config.count}", "${user_config.where}", "--file=${user_config.file}",
             "--loud=${user_config.loud}", "--more=${user_config.unknown}"],
    "env": {"KEY": "${user_config.key}", "FILE": "${user_config.file}"},
    "platform_overrides": {"plan9": {"command": "rc"}},
}  # fmt: skip


def test_settings_become_a_form_and_its_values_the_launch() -> None:
    server = {"type": "node", "entry_point": "main.js", "mcp_config": LAUNCH}
    candidate = read_manifest(json.dumps({**MANIFEST, "server": server, "user_config": SETTINGS}), Path("/b"))
    assert [(b.title, b.kind, b.required, b.secret) for b in candidate.blanks] == [
        ("API key", "text", True, True),
        ("Count", "number", False, False),
        ("Folders", "folder", False, False),
        ("Loud", "boolean", False, False),
        ("File", "file", False, False),
    ]
    assert any("'unknown'" in note for note in candidate.notes)
    with pytest.raises(ValueError, match=r"API key is missing\. Count is at most 5\."):
        filled(candidate, {"count": "9"})
    config = filled(candidate, {"key": "s3cret", "where": ["/a b", "/c"], "loud": True})
    assert config.args == ("/b/main.js", "--count=2", "/a b", "/c", "--loud=true")
    assert config.env == {"KEY": "s3cret"}
    later = filled(candidate, {}, strict=False)
    assert later.env == {"KEY": "${KEY}"}, "what is missing can come from the environment at the start"


@pytest.mark.parametrize(
    ("server", "line"),
    [
        ({"type": "node", "entry_point": "s/i.js"}, "node /b/s/i.js"),
        ({"type": "python", "entry_point": "main.py"}, "python3 /b/main.py"),
        ({"type": "uv", "entry_point": "main.py"}, "uv run --directory /b main.py"),
        ({"type": "binary", "entry_point": "bin/run"}, "/b/bin/run"),
        ({"type": "novel", "entry_point": "i.mjs"}, "node /b/i.mjs"),
    ],
)
def test_a_manifest_without_a_command_is_started_as_its_kind_is(server: dict[str, Any], line: str) -> None:
    assert command_line(filled(read_manifest(json.dumps({**MANIFEST, "server": server}), Path("/b")), {})) == line


HELLO = " ".join(
    ("node /b/server/index.js", *(f'"--{n}=${{{v}}}"' for n, v in (
        ("verbose", "VERBOSE_LOGGING"), ("max-results", "MAX_RESULTS"), ("config", "CONFIG_FILE"),
        ("workspace", "WORKSPACE_DIRECTORY"),
    )))
)  # fmt: skip
# file: command line without values, number of settings, what is noted.
EXPECTED = {
    "chrome-applescript.manifest.json": ("node /b/server/index.js", 0, ("scripts", "darwin")),
    "file-manager-python.manifest.json": ('python /b/server/main.py "--workspace=${WORKSPACE_DIRECTORY}"', 2, ()),
    "file-system-node.manifest.json": ('node /b/server/index.js "${ALLOWED_DIRECTORIES}"', 1, ("id",)),
    "hello-world-node.manifest.json": (HELLO, 6, ()),
    "hello-world-uv.manifest.json": ("uv run --directory /b src/server.py", 0, ("names no command",)),
    "invalid-manifest.json": ("node /b/server/index.js", 0, ("1.0", "invalid-type", "not-a-valid-email")),
    "valid-manifest.json": ("node /b/server/index.js", 0, ()),
}  # fmt: skip


@shared
@pytest.mark.parametrize("name", EXPECTED)
def test_a_published_manifest_is_read_as_it_is_meant(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.mcp_host.manifest.PLATFORM", "linux")
    line, settings, noted = EXPECTED[name]
    candidate = read_manifest((SAMPLES / name).read_text(encoding="utf-8"), Path("/b"))
    assert command_line(candidate.shown) == line
    assert len(candidate.blanks) == settings
    told = " ".join(candidate.notes)
    assert all(words in told for words in noted)
    assert bool(told) == bool(noted)


@shared
def test_a_published_bundle_is_taken_whole(tmp_path: Path) -> None:
    reading = read_file((SAMPLES / "hello-world-node.mcpb").read_bytes(), tmp_path)
    reading.unpacked()
    folder = Path(reading.candidates[0].config.bundle or "")
    assert (folder / "server" / "index.js").is_file()
    assert (folder / "icon.png").stat().st_size == 506_108


@shared
def test_no_manifest_is_left_out() -> None:
    assert {p.name for p in SAMPLES.glob("*manifest.json")} == set(EXPECTED)
