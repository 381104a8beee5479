"""Which browser is used, on each platform, and what is said where there is none."""

import argparse
import sys
from pathlib import Path

import pytest

from mcp_servers.browser import finding
from mcp_servers.browser.files import file_name
from mcp_servers.browser.options import add_options, chosen


def nowhere(name: str) -> None:
    del name


def test_windows_has_them_in_its_program_folders() -> None:
    environ = {"PROGRAMFILES": "C:\\Program Files", "PROGRAMFILES(X86)": "C:\\Program Files (x86)", "LOCALAPPDATA": "C:\\L"}
    found = list(finding.candidates("win32", environ, nowhere))
    assert found[0] == "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
    assert "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe" in found
    assert found.index("C:\\L\\Google\\Chrome\\Application\\chrome.exe") < found.index(
        "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe"
    )


def test_macos_has_them_among_the_applications() -> None:
    found = list(finding.candidates("darwin", {"HOME": "/Users/ann"}, nowhere))
    assert found[0] == "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    assert "/Users/ann/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge" in found


def test_linux_has_them_on_the_path_and_confined_ones_come_last() -> None:
    there = {"chromium": "/snap/bin/chromium", "microsoft-edge": "/usr/bin/microsoft-edge"}
    found = list(finding.candidates("linux", {}, there.get))
    assert found[0] == "/usr/bin/microsoft-edge"
    assert found[-1] == "/snap/bin/chromium"


def test_without_any_the_way_to_one_is_told(tmp_path: Path) -> None:
    with pytest.raises(finding.NoBrowserError, match="browser_install"):
        finding.find_browser(None, tmp_path, ())
    if sys.platform == "linux":
        with pytest.raises(finding.NoBrowserError, match="apt install chromium"):
            finding.find_browser(None, tmp_path, ())
        ours = tmp_path / "chromium-1200" / "chrome-linux64" / "chrome"
        ours.parent.mkdir(parents=True)
        ours.touch(0o755)
        assert finding.find_browser(None, tmp_path, ()) == str(ours)


def test_a_kind_of_browser_is_asked_for_by_its_name(tmp_path: Path) -> None:
    there = [tmp_path / name for name in ("google-chrome", "chromium", "microsoft-edge")]
    for program in there:
        program.touch(0o755)
    paths = [str(program) for program in there]
    assert [finding.find_browser(kind, tmp_path, paths) for kind in ("chrome", "chromium", "msedge")] == paths
    with pytest.raises(finding.NoBrowserError, match="netscape"):
        finding.find_browser("netscape", tmp_path, paths)


def test_options_are_called_as_in_other_browser_servers() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert chosen(parser.parse_args([])) == {}  # the settings count
    given = parser.parse_args(["--headless", "--isolated", "--no-sandbox", "--executable-path", "/opt/chrome"])
    assert chosen(given) == {"program": "/opt/chrome", "headless": True, "isolated": True, "sandbox": False}
    assert chosen(parser.parse_args(["--headed", "--browser", "msedge"])) == {"program": "msedge", "headless": False}


@pytest.mark.parametrize(
    ("suggested", "kept"),
    [
        ("../../etc/passwd", "_.._etc_passwd"), ("..", "download"), ("", "download"), ("a\\b.txt", "a_b.txt"),
        ("CON.txt", "_CON.txt"), ("invoice\u202efdp.exe", "invoice_fdp.exe"), ("x" * 300 + ".pdf", "x" * 107 + ".pdf"),
    ],
)  # fmt: skip
def test_a_downloads_name_leads_nowhere(suggested: str, kept: str) -> None:
    assert file_name(suggested) == kept
