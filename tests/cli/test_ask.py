"""`leochat ask` from outside: what its words may be, its exit codes, and its last line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.terminal import card_lines
from app.core.cards import Card


def leochat(home: Path, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "LEOCHAT_DOCUMENTS": str(home / "documents"), "LEOCHAT_HOME": str(home)}
    command = [sys.executable, "-m", "app", *words]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment, timeout=60, encoding="utf-8")


def test_the_prompt_comes_from_a_word_or_from_stdin_and_the_answer_goes_to_stdout(tmp_path: Path):
    by_word = leochat(tmp_path, "ask", "hello", "--no-servers")
    by_pipe = leochat(tmp_path, "ask", "--no-servers", stdin="hello")
    assert by_word.returncode == by_pipe.returncode == 0
    assert by_word.stdout == by_pipe.stdout
    assert "Demo model" in by_word.stdout


def test_bytes_that_are_no_text_are_mended_and_a_file_of_such_a_name_is_attached(tmp_path: Path):
    odd = tmp_path / "f\udcff.txt"
    try:
        odd.write_text("inside", encoding="utf-8")
    except OSError:
        odd = tmp_path / "f.txt"  # a file system that takes no such name
        odd.write_text("inside", encoding="utf-8")
    done = leochat(tmp_path, "ask", "a\udcff b", "--model", "m\udcff", "--attach", str(odd), "--json", "--no-servers")
    assert done.returncode == 0, done.stderr
    file, text = json.loads(done.stdout.splitlines()[0])["event"]["message"]["blocks"]
    assert text["text"] == "a\ufffd b"
    assert file["name"] == odd.name.replace("\udcff", "\ufffd")
    lost = leochat(tmp_path, "ask", "a", "--conversation", "\udcff", "--no-servers")
    assert (lost.returncode, "Traceback" in lost.stderr) == (1, False)


def test_a_refusal_without_a_text_says_its_words(tmp_path: Path):
    script = tmp_path / "no.jsonl"
    script.write_text('{"stop_reason": "refusal", "stop_detail": "I will not do this."}', encoding="utf-8")
    done = leochat(tmp_path, "ask", f"!script {script}", "--no-servers")
    assert (done.returncode, done.stdout) == (0, "")
    assert "(refusal: I will not do this.)" in done.stderr


def test_a_card_s_buttons_are_lines_that_can_be_typed():
    said = {"type": "ui-command", "command": "send_message", "payload": {"text": "buy it"}}
    link = {"type": "link", "url": "https://example.org/"}
    actions = [{"id": "1", "label": "Buy", "action": said}, {"id": "2", "label": "buy it", "action": said}]
    card = {"id": "c", "kind": "list", "title": "Shop", "actions": [*actions, {"id": "3", "label": "Look", "action": link}]}
    lines = card_lines(Card.model_validate(card)).splitlines()
    assert lines == ["[card list] Shop", "  - Buy: buy it", "  - buy it", "  - Look: https://example.org/"]


def test_with_json_every_line_is_an_event_and_the_last_one_ends_the_task(tmp_path: Path):
    done = leochat(tmp_path, "ask", "hello", "--json", "--no-servers")
    events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert events[-1] == {"type": "task_end", "reason": "done", "error": None}
    assert {"task_start", "round_start", "message_end", "checkpoint"} <= {e["type"] for e in events}


def test_the_end_of_its_time_is_a_limit_and_the_task_can_be_gone_on_with(tmp_path: Path):
    line = {"blocks": [{"type": "text", "deltas": ["on and "] * 600}], "delay_ms": 200}
    script = tmp_path / "slow.jsonl"
    script.write_text(json.dumps(line) + '\n{"blocks": [{"type": "text", "text": "the rest"}]}', encoding="utf-8")
    cut = leochat(tmp_path, "ask", f"!script {script}", "--json", "--no-servers", "--timeout", "1.5")
    frames = [json.loads(line) for line in cut.stdout.splitlines()]
    assert frames[-1]["event"] == {"type": "task_end", "reason": "limit", "error": None}
    assert cut.returncode == 1
    assert "its limit" in cut.stderr
    resumed = leochat(tmp_path, "ask", "--resume", frames[-1]["conversation_id"], "--no-servers")
    assert (resumed.returncode, resumed.stdout.strip()) == (0, "the rest")


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_went_away_is_no_fault_to_tell(tmp_path: Path, form: list[str]):
    there, here = os.pipe()
    os.close(there)
    words = [sys.executable, "-m", "app", "ask", "hello", "--no-servers", "--home", str(tmp_path), *form]
    env = {**os.environ, "LEOCHAT_DOCUMENTS": str(tmp_path / "documents")}
    with os.fdopen(here) as unread:
        done = subprocess.run(words, stdout=unread, stderr=subprocess.PIPE, text=True, timeout=60, env=env, check=False)
    assert done.returncode == 0
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["ask", ""],
        ["ask"],
        ["ask", "x", "--provider", "nobody"],
        ["ask", "x", "--protocol", "openai"],
        ["ask", "x", "--max-rounds", "0"],
        ["ask", "x", "--timeout", "-5"],
        ["ask", "x", "--server", "nothing.json"],
        ["ask", "x", "--thinking", "much"],
        ["fly"],
        ["mcp", "nobody"],
    ],
)
def test_wrong_usage_is_two_and_says_why(tmp_path: Path, words: list[str]):
    refused = leochat(tmp_path, *words)
    assert refused.returncode == 2
    assert refused.stderr.strip()
    assert "Traceback" not in refused.stderr


def test_an_address_that_is_none_is_an_error_of_the_task(tmp_path: Path):
    failed = leochat(tmp_path, "ask", "x", "--json", "--no-servers", "--base-url", "http://[::bad/v1")
    last = json.loads(failed.stdout.splitlines()[-1])["event"]
    assert failed.returncode == 1
    assert (last["type"], last["error"]["kind"]) == ("task_end", "bad_request")


def test_a_server_is_added_word_for_word_and_disabled_until_accepted(tmp_path: Path):
    assert leochat(tmp_path, "servers", "add", "mine", "--", "python3", "x y.py", "--flag", "--home").returncode == 0
    assert leochat(tmp_path, "servers", "add", "other", "--yes", "--", "python3", "z.py").returncode == 0
    listed = leochat(tmp_path, "servers", "list").stdout.splitlines()
    assert [line.split()[:2] for line in listed[-2:]] == [["off", "mine"], ["on", "other"]]
    assert '"x y.py" --flag --home' in listed[-2]


@pytest.mark.parametrize("url", ["notaurl", "file:///etc/passwd", "http://[::1", "http://"])
def test_what_is_no_address_is_no_server(tmp_path: Path, url: str):
    assert leochat(tmp_path, "servers", "add", "u", "--url", url).returncode == 2
