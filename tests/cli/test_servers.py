"""`leochat servers` as a person types it: files of any kind imported, copies, exports, and signing in and out."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.__main__ import main
from app.mcp_host.config import ServerConfig, is_accepted, load_servers

Typed = Callable[..., tuple[int, str, str]]

MANIFEST: dict[str, Any] = {
    "manifest_version": "0.3",
    "name": "box",
    "version": "1",
    "description": "Boxes",
    "author": {"name": "A"},
    "server": {
        "type": "node",
        "entry_point": "m.js",
        "mcp_config": {
            "command": "node",
            "args": ["${__dirname}/m.js", "${user_config.where}"],
            "env": {"K": "${user_config.key}"},
        },
    },
    "user_config": {
        "key": {"type": "string", "title": "API key", "sensitive": True, "required": True},
        "where": {"type": "directory", "title": "Folders", "multiple": True},
    },
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def typed(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Exit code, stdout, stderr."""
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["servers", words[0], "--home", str(home), *words[1:]])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def saved(home: Path) -> dict[str, ServerConfig]:
    return {c.name: c for c in load_servers(home / "servers.json")}


def test_a_bundle_is_imported_with_its_settings_copied_exported_and_removed(typed: Typed, home: Path, tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", json.dumps(MANIFEST))
        archive.writestr("m.js", "1")
    file = tmp_path / "box.mcpb"
    file.write_bytes(out.getvalue())
    code, _, told = typed("import", str(file), "--set", "nope=1")
    assert (code, "asks for key, where" in told) == (1, True)
    assert not (home / "bundles").exists(), "what was refused is not unpacked"
    code, _, told = typed("import", str(file), "--set", "where=/a|/b c")
    assert code == 0, told
    assert "--set key=" in told
    config = saved(home)["box"]
    assert (config.args[1:], config.env) == (("/a", "/b c"), {"K": "${KEY}"})
    assert (config.enabled, is_accepted(config)) == (False, False)
    assert Path(config.args[0]).is_file()
    assert typed("copy", "box")[1] == "box-2\n"
    exported = json.loads(typed("export", "box")[1])["mcpServers"]["box"]
    assert exported["env"] == {"K": "${KEY}"}
    typed("remove", "box")
    assert Path(config.args[0]).is_file(), "its copy still needs it"
    typed("remove", "box-2")
    assert not Path(config.args[0]).exists()


def test_a_registry_entry_offers_its_ways_and_one_can_be_chosen(typed: Typed, home: Path, tmp_path: Path) -> None:
    entry = {
        "name": "io.example/rain",
        "packages": [{"registryType": "npm", "identifier": "rain", "version": "1", "transport": {"type": "stdio"}}],
        "remotes": [{"type": "sse", "url": "https://rain.example/sse"}],
    }
    file = tmp_path / "server.json"
    file.write_text(json.dumps(entry))
    code, _, told = typed("import", str(file), "--only", "rain")
    assert (code, "rain-npx, rain-remote" in told) == (1, True)
    assert typed("import", str(file), "--only", "rain-remote", "--yes")[0] == 0
    [config] = saved(home).values()
    assert (config.transport, config.url, is_accepted(config)) == ("sse", "https://rain.example/sse", True)


def test_signing_in_wants_an_accepted_server_on_the_web(typed: Typed) -> None:
    typed("add", "near", "--yes", "--", "node", "x.js")
    typed("add", "far", "--url", "https://far.example/mcp")
    assert "no server on the web" in typed("sign-in", "near")[2]
    assert "not accepted yet" in typed("sign-in", "far")[2]
    assert typed("sign-in", "none")[0] == 1
    assert typed("sign-out", "far")[:2] == (0, "far: signed out\n")


def test_an_address_over_tcp_can_be_added(typed: Typed, home: Path) -> None:
    assert typed("add", "wire", "--url", "tcp://127.0.0.1:9")[0] == 0
    assert saved(home)["wire"].transport == "tcp"
    assert typed("add", "bad", "--url", "ftp://x")[0] == 2
