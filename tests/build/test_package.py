"""The package's logic: what gets in, what is written around it, the archives, the parts with their licences."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from .conftest import ROOT

EXAMPLE = ROOT / "build" / "package" / "example" / "edition.toml"


class Tool:
    """The build tool's modules, as its own programs import them."""

    def __getattr__(self, name: str) -> ModuleType:
        import importlib

        return importlib.import_module(f"package.{name}")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tool]:
    monkeypatch.setattr(sys, "path", [str(ROOT / "build"), *sys.path])
    before = set(sys.modules)
    yield Tool()
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(ROOT / "build")):
            del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("PySide6/Qt/lib/libQt6WebEngineCore.so.6", True),
        ("PySide6/QtWebEngineWidgets.abi3.so", True),
        ("PySide6/Qt/libexec/QtWebEngineProcess", True),
        ("PySide6/Qt/resources/qtwebengine_resources.pak", True),
        ("PySide6/Qt/translations/qtwebengine_locales/es.pak", True),
        ("PySide6/Qt/translations/qtwebengine_locales/sv.pak", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/lib/libQt6Quick3D.so.6", False),
        ("libQt6Designer.so.6", False),
        ("PySide6/Qt6Charts.dll", False),
        ("PySide6\\Qt6WebEngineCore.dll", True),
        ("PySide6/Qt/qml/QtQuick/plugins.qmltypes", False),
        ("html_to_markdown/bin/html-to-markdown", False),
        ("html_to_markdown/_html_to_markdown.abi3.so", True),
        ("openpyxl/tests/data.xlsx", False),
        ("playwright/driver/package/lib/server/tests/x.js", True),
        ("playwright/driver/node", True),
        ("app/web/static/index.html", True),
        ("demos/shop/catalogue.json", True),
        ("lxml/etree.pyx", False),
        ("leochat-0.1.0.dist-info/direct_url.json", False),
        ("leochat-0.1.0.dist-info\\RECORD", False),
        ("leochat-0.1.0.dist-info/METADATA", True),
        ("keyring-25.7.0.dist-info/entry_points.txt", True),
    ],
)
def test_only_what_is_of_use_gets_in(tool: Tool, name: str, inside: bool) -> None:
    assert tool.contents.wanted(name) is inside


def test_a_systems_library_stays_only_where_something_asks_for_it(tool: Tool) -> None:
    entries = [
        ("app.so", "/made/app.so", "EXTENSION"),
        ("libone.so.1", "/usr/lib/libone.so.1", "BINARY"),
        ("libtwo.so.1", "/lib/x86_64-linux-gnu/libtwo.so.1", "BINARY"),
        ("libgtk-3.so.0", "/lib/x86_64-linux-gnu/libgtk-3.so.0", "BINARY"),
        ("libsoftokn3.so", "/lib/x86_64-linux-gnu/libsoftokn3.so", "BINARY"),
        ("libours.so", "Qt/lib/libours.so", "SYMLINK"),
    ]
    asks = {"/made/app.so": ["/usr/lib/libone.so.1"], "/usr/lib/libone.so.1": ["libtwo.so.1"]}

    def imports(path: str) -> list[str]:
        return asks.get(path, [])

    kept = [name for name, *_ in tool.contents.needed(entries, imports)]
    assert kept == ["app.so", "libone.so.1", "libtwo.so.1", "libsoftokn3.so", "libours.so"]


def test_modules_of_packages_that_no_lock_of_the_app_pins_are_kept_out(tool: Tool) -> None:
    owners = {"pytest": ["pytest"], "httpx": ["httpx"], "shared": ["pytest", "PySide6-Essentials"], "app": ["leochat"]}
    assert tool.recipe.strangers(owners, tool.recipe.pinned("app", "qt")) == ["pytest"]


def test_qt_is_for_linux_alone(tool: Tool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    edition, owners = tool.edition.Edition("1.0"), {"PySide6": ["PySide6-Essentials"], "httpx": ["httpx"]}
    for linux in (True, False):
        monkeypatch.setattr(tool.recipe, "LINUX", linux)
        left_out = tool.recipe.recipe_for(edition, tmp_path / "icon.png", None, owners)["excludes"]
        assert ("PySide6" in left_out, "httpx" in left_out) == (not linux, False)


def test_what_is_imported_by_a_name_in_quotes_gets_in_too(tool: Tool, tmp_path: Path) -> None:
    asked = tool.recipe.recipe_for(tool.edition.Edition("1.0"), tmp_path / "icon.png", None, {})["hidden"]
    assert {"jeepney.io.asyncio", "lxml.html"} <= set(asked)
    quoted = re.compile(r"\b(?:import_module|__import__)\(")
    plain = re.compile(r"\b(?:import_module|__import__)\(\s*(?:\"[\w.]+\"|module\)|package\)|f\"(?:app\.cli|\{package\})\.)")
    for file in (file for place in ("app", "mcp_servers", "demos") for file in (ROOT / place).rglob("*.py")):
        text = file.read_text("utf-8")
        assert len(quoted.findall(text)) == len(plain.findall(text)), f"{file}: PyInstaller cannot know what this imports"


def test_windows_gets_a_second_program_that_has_streams(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    edition = tool.edition.Edition("1.0")
    monkeypatch.setattr(tool.recipe, "WINDOWS", True)
    assert tool.recipe.programs(edition) == [("leochat", False), ("leochat-cli", True)]


def test_the_example_edition_is_read_and_its_files_are_put_in(tool: Tool, tmp_path: Path) -> None:
    edition = tool.edition.read(EXAMPLE)
    assert (edition.name, edition.id, edition.shown_version) == ("Harbour Desk", "harbour-desk", "1.0")
    tool.dress.put_edition(tmp_path / "edition", edition, EXAMPLE)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"edition/edition.toml", "edition/icon.png", "edition/handbook/hours.md"} <= names


def test_an_edition_that_does_not_fit_is_refused_with_words(tool: Tool, tmp_path: Path) -> None:
    wrong = tmp_path / "edition.toml"
    wrong.write_text('name = "X"\nicon = "gone.png"\n', "utf-8")
    say = pytest.importorskip("say")
    with pytest.raises(say.SetupError, match=r"gone\.png, which is not there"):
        tool.edition.read(wrong)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What PyInstaller leaves, small."""
    made = tmp_path / "leochat"
    (made / "_internal" / "sub").mkdir(parents=True)
    program = made / "leochat"
    program.write_text("#!/bin/sh\necho started\n", "utf-8")
    program.chmod(0o755)
    (made / "_internal" / "library.so").write_bytes(b"\x7fELF" * 100)
    (made / "_internal" / "sub" / "link.so").symlink_to("../library.so")
    (made / "LICENSE.txt").write_text("MIT\n", "utf-8")
    (made / "README.txt").write_text("Read me\n", "utf-8")
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_the_archive_is_the_same_twice_and_unpacks_to_what_runs(tool: Tool, folder: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.tar.gz", tmp_path / "two.tar.gz"
    tool.archive.tar_gz(folder, one, "leochat")
    (folder / "leochat").touch()
    tool.archive.tar_gz(folder, two, "leochat")
    with tarfile.open(one) as first, tarfile.open(two) as second:
        assert [m.get_info() for m in first] == [m.get_info() for m in second]
        first.extractall(tmp_path / "elsewhere", filter="tar")
    unpacked = tmp_path / "elsewhere" / "leochat"
    assert subprocess.run([unpacked / "leochat"], capture_output=True, text=True, timeout=20).stdout == "started\n"
    assert (unpacked / "_internal" / "sub" / "link.so").is_symlink()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb here to read the package with")
def test_the_deb_is_one_that_dpkg_reads(tool: Tool, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool.debian_package, "depends", lambda: ["libc6 (>= 2.36)", "libegl1"])
    (folder / "_internal" / "PySide6" / "Qt" / "resources").mkdir(parents=True)
    tool.dress.make_room(folder / "_internal")
    made = tmp_path / "made.deb"
    tool.debian_package.write(folder, tool.edition.Edition("1.2.3"), made)

    def told(*command: str) -> str:
        return subprocess.run(["dpkg-deb", *command], capture_output=True, text=True, timeout=50, check=True).stdout

    facts = told("--field", str(made))
    assert re.search(r"^Package: leochat\nVersion: 1\.2\.3\n", facts, re.MULTILINE)
    assert "Depends: libc6 (>= 2.36), libegl1, fonts-dejavu-core | " in facts
    listed = told("--contents", str(made))
    assert "usr/lib/leochat/_internal/PySide6/Qt/resources/locales/\n" in listed  # else removing it leaves what a run made
    for path in ("usr/lib/leochat/_internal/library.so", "usr/share/applications/leochat.desktop", "256x256/apps/leochat.png"):
        assert path in listed
    assert "./usr/bin/leochat -> ../lib/leochat/leochat" in listed
    assert not re.search(r" (?!root/root)\w+/\w+ ", listed.replace("root/root", "root/root"))
    after = subprocess.run(["dpkg-deb", "--info", str(made), "postrm"], capture_output=True, text=True, timeout=50).stdout
    said = subprocess.run(["sh", "-c", after, "postrm", "remove"], capture_output=True, text=True, timeout=20).stdout
    assert "~/.local/share/LeoChat" in said


@pytest.mark.skipif(shutil.which("sh") is None, reason="an entry of free desktops starts by a shell")
def test_the_folders_own_entry_starts_the_program_beside_it(tool: Tool, folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / 'else where "$HOME"'
    folder.rename(moved)
    file = moved / "LeoChat.desktop"
    file.write_text(tool.menu.movable_entry(tool.edition.Edition("1")), "utf-8")
    command = tool.launching.command_of(file)
    assert subprocess.run(command, capture_output=True, text=True, timeout=20).stdout == "started\n"


def test_a_menu_entry_is_read_as_desktops_read_it(tool: Tool, tmp_path: Path) -> None:
    file = tmp_path / "a.desktop"
    line = r'Exec="/opt/a b/leo" --at 100%% %U "two\\"words"'
    file.write_text(f"[Desktop Entry]\nName=A\n{line}\n", "utf-8")
    assert tool.launching.command_of(file) == ["/opt/a b/leo", "--at", "100%", 'two"words']
    file.write_text("[Desktop Entry]\nName=A\n", "utf-8")
    with pytest.raises(ValueError, match="starts nothing"):
        tool.launching.command_of(file)


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_an_archive_is_tried_in_a_place_with_a_space_in_its_name(tool: Tool, folder: Path, tmp_path: Path) -> None:
    edition = tool.edition.Edition("1")
    (folder / "LeoChat.desktop").write_text(tool.menu.movable_entry(edition), "utf-8")
    packed = tmp_path / tool.archive.tar_name(edition)
    tool.archive.tar_gz(folder, packed, edition.id)
    told: list[str] = []

    def use(program: Path, entry: Path) -> None:
        assert " " in str(program)
        done = subprocess.run(tool.launching.command_of(entry), capture_output=True, text=True, timeout=20)
        told.append(done.stdout)

    tool.installed.archive(packed, edition, use)
    assert told == ["started\n"]


def test_what_python_packages_bring_inside_them_is_a_part_too(tool: Tool, tmp_path: Path) -> None:
    driver = tmp_path / "driver"
    (driver / "package").mkdir(parents=True)
    (driver / "LICENSE").write_text("Node.js is licensed so.", "utf-8")
    (driver / "package" / "package.json").write_text('{"version": "1.2.3", "license": "Apache-2.0"}', "utf-8")
    (driver / "node").write_text("#!/bin/sh\necho v20.1.0\n", "utf-8")
    (driver / "node").chmod(0o755)
    node, core = tool.parts.inner_parts({"playwright/driver/node": str(driver / "node")})
    assert (node["name"], node["version"], node["text"]) == ("Node.js", "20.1.0", "Node.js is licensed so.")
    assert (core["name"], core["version"], core["kind"]) == ("playwright-core", "1.2.3", "npm")


def test_parts_tell_their_licences_and_the_sbom_lists_them(tool: Tool) -> None:
    import pydantic

    parts = [*tool.parts.python_parts([pydantic.__file__]), *tool.parts.npm_parts(ROOT / "frontend" / "package-lock.json")]
    assert {"name": "pydantic", "licence": "MIT"}.items() <= {k: parts[0][k] for k in ("name", "licence")}.items()
    assert "Permission is hereby granted" in parts[0]["text"]
    loader = {"name": "pyinstaller", "version": "6", "kind": "python", "home": "", "text": ""}
    parts.append({**loader, "licence": tool.parts.LOADER["pyinstaller"]})
    parts.append({"name": "zlib1g", "version": "1:1.2.13", "kind": "system", "licence": "Zlib", "home": "", "text": ""})
    from datetime import UTC, datetime

    bom = tool.sbom.sbom(tool.edition.Edition("1.0"), parts, datetime(2026, 1, 2, tzinfo=UTC))
    json.dumps(bom)
    assert (bom["bomFormat"], bom["specVersion"], bom["metadata"]["timestamp"]) == ("CycloneDX", "1.6", "2026-01-02T00:00:00Z")
    refs = [c["bom-ref"] for c in bom["components"]]
    assert len(set(refs)) == len(refs)
    assert any(ref.startswith("pkg:pypi/pydantic@") for ref in refs)
    assert re.fullmatch(r"pkg:deb/[a-z]+/zlib1g@1%3A1\.2\.13", refs[-1])
    assert bom["components"][-2]["licenses"] == [{"expression": "GPL-2.0-or-later WITH Bootloader-exception"}]
    assert bom["components"][-1]["licenses"] == [{"license": {"id": "Zlib"}}]


def test_windows_and_macos_steps_name_what_they_make(tool: Tool, tmp_path: Path) -> None:
    edition = tool.edition.Edition("1.2", name="Harbour Desk", id="harbour-desk", maker="The office")
    script = tool.windows.installer_script(edition, Path("C:/dist/harbour-desk"), Path("C:/dist"))
    assert "AppName=Harbour Desk\nAppVersion=1.2\nAppPublisher=The office" in script
    assert "{localappdata}\\Harbour Desk" in script
    assert re.search(r"^AppId=\{\{[0-9A-F-]{36}\}$", script, re.MULTILINE)
    assert "filevers=(1, 2, 0, 0)" in tool.windows.version_info(edition)
    compile(tool.windows.version_info(edition), "version", "eval")
    assert "-" in tool.macos.sign_command(tmp_path)
    assert tool.macos.notary_commands(tmp_path / "x.dmg") == []
    image = tool.macos.image_command(tmp_path, edition, tmp_path / "x.dmg")
    assert image[image.index("-volname") + 1] == "Harbour Desk"


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_a_name_with_signs_of_the_scripts_languages_stays_a_name(tool: Tool, folder: Path, tmp_path: Path) -> None:
    name = "Ann's {desk} $HOME `id`"
    edition = tool.edition.Edition("1", name=name, id="anns-desk")
    script = tool.windows.installer_script(edition, tmp_path, tmp_path)
    assert "AppName=Ann's {{desk} $HOME `id`\n" in script
    assert "'{localappdata}\\Ann''s {{desk} $HOME `id`'" in script
    after = tool.debian_package.after_removal(edition)
    said = subprocess.run(["sh", "-c", after, "postrm", "remove"], capture_output=True, text=True, timeout=20).stdout
    assert said.startswith(f"{name} is removed.")
    assert f"~/.local/share/{name}\n" in said


def test_a_mac_app_that_is_signed_by_name_may_run_its_node_and_is_shown_to_the_notary(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import plistlib

    monkeypatch.setenv("LEOCHAT_SIGN_AS", "Developer ID Application: The office")
    monkeypatch.setenv("LEOCHAT_NOTARY_PROFILE", "office")
    command = tool.macos.sign_command(tmp_path)
    allowed = plistlib.loads(Path(command[command.index("--entitlements") + 1]).read_bytes())
    assert allowed["com.apple.security.cs.allow-jit"]
    assert ["submit" in c for c in tool.macos.notary_commands(tmp_path / "x.dmg")] == [False, True, False]


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_the_zip_is_the_same_twice(tool: Tool, folder: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    tool.archive.zipped(folder, one, "LeoChat")
    (folder / "README.txt").touch()
    os.utime(folder / "LICENSE.txt", (1e9, 1e9))
    tool.archive.zipped(folder, two, "LeoChat")
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as read:
        assert read.read("LeoChat/README.txt") == b"Read me\n"
        assert "LeoChat/_internal/library.so" in read.namelist()


def test_ar_puts_every_member_on_an_even_byte(tool: Tool) -> None:
    out = io.BytesIO()
    tool.debian_package.ar(out, [("a", io.BytesIO(b"odd")), ("b", io.BytesIO(b"even"))])
    assert out.getvalue().startswith(b"!<arch>\na               ")
    assert len(out.getvalue()) == 8 + 60 + 4 + 60 + 4


def test_known_holes_are_read_and_silence_is_no_all_clear(tool: Tool) -> None:
    audit = __import__("audit")
    found = json.dumps({"dependencies": [{"name": "x", "version": "1", "vulns": [{"id": "A-1", "fix_versions": ["2"]}]}]})
    assert [hole.line for hole in audit.pip_holes(found, "")] == ["  x 1: A-1, mended in 2"]
    told = json.dumps({"vulnerabilities": {"y": {"range": "<2", "via": [{"title": "bad"}], "fixAvailable": {"version": "2"}}}})
    assert [hole.line for hole in audit.npm_holes(told, "")] == ["  y <2: bad, mended in 2"]
    for read in (audit.pip_holes, audit.npm_holes):
        with pytest.raises(audit.UnreachableError, match="could not be reached"):
            read("", "getaddrinfo failed")
    with pytest.raises(audit.UnreachableError):
        audit.npm_holes('{"message": "405"}', "")
