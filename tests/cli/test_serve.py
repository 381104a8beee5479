"""`leochat serve` from outside: its one line, its end, and what it refuses."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from app.__main__ import common
from app.cli.serve import main


def serving(home: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "app", "serve", "--home", str(home), *options]
    environment = {**os.environ, "LEOCHAT_DOCUMENTS": str(home / "documents")}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite kill")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_end_closes_the_store_and_leaves_with_zero(tmp_path: Path, number: signal.Signals):
    process = serving(tmp_path)
    try:
        assert process.stdout
        assert process.stdout.readline().startswith("LeoChat is at http://127.0.0.1:")
        process.send_signal(number)
        assert process.wait(50) == 0
    finally:
        process.kill()
        process.communicate()
    assert not (tmp_path / "leochat.db-wal").exists()


def test_another_address_needs_a_token_of_ones_own_and_says_what_it_means(tmp_path: Path):
    process = serving(tmp_path, "--host", "0.0.0.0")
    out, err = process.communicate(timeout=50)
    assert (process.returncode, out) == (2, "")
    assert "--token-file" in err
    assert "unencrypted" in err


def test_a_home_that_cannot_be_opened_is_one_sentence_also_while_a_page_waits(tmp_path: Path):
    (tmp_path / "leochat.db").write_bytes(b"no database" * 1000)
    process = serving(tmp_path)
    assert process.stdout
    address = process.stdout.readline().split(" at ")[1].partition("#")[0]
    with pytest.raises(OSError, match=r"503|refused|reset|closed"):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"{address}health", timeout=50)
    _, err = process.communicate(timeout=50)
    assert process.returncode == 1
    assert re.fullmatch(r"leochat serve: \S+leochat\.db is damaged\. .+\n", err)


@pytest.mark.parametrize("below", ["", "deep/er"])
def test_a_home_that_is_a_file_is_said_before_an_address_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, below: str
):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("LEOCHAT_HOME", str(tmp_path / "file" / below))
    assert main([], common()) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert re.fullmatch(r"leochat serve: \S+ cannot be LeoChat's folder: \S+file is a file\.\n", told.err)


@pytest.mark.parametrize("content", [None, b"\xff\xfe" * 20])
def test_a_token_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
):
    file = tmp_path / "token"
    if content:
        file.write_bytes(content)
    assert main(["--token-file", str(file)], common()) == 1
    assert re.fullmatch(r"leochat serve: the token file \S+ .+\n", capsys.readouterr().err)


def test_a_short_token_is_refused(tmp_path: Path):
    (tmp_path / "token").write_text("short", encoding="utf-8")
    process = serving(tmp_path / "home", "--token-file", str(tmp_path / "token"))
    process.communicate(timeout=50)
    assert process.returncode == 2
