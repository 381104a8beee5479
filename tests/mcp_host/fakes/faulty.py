"""A server with one mode for each fault: `faulty.py MODE`. Tool `good` always works; `bad` does the fault."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from speech import Message, answer, raw, say, serve, text, tool

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
TOOLS = [tool("good", "Says back", words={"type": "string"}), tool("bad", "Does it")]


def reply(request: Message, words: str) -> bytes:
    return json.dumps(
        {
            "jsonrpc": "2.0",
            "id": request["id"],
            "result": {"content": [{"type": "text", "text": words}]},
        }
    ).encode()


def big(request: Message, mib: int) -> None:
    raw(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [{"type": "text", "text": "' % request["id"])
    for _ in range(mib):
        raw(b"x" * (1024 * 1024))
    raw(b'"}]}}\n')


def flood(request: Message) -> None:
    note = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "noise"}}\n'
    for _ in range(200):
        raw(note * 100)
    text(request, "after the flood")


def stubborn(request: Message) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    inner = subprocess.Popen([sys.executable, "-c", code])
    apart = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    text(request, f"{inner.pid} {apart.pid}")


def beat(request: Message, times: int, pause: float) -> None:
    token = request["params"]["_meta"]["progressToken"]
    for i in range(times):
        time.sleep(pause)
        params = {"progressToken": token, "progress": i + 1, "total": times, "message": f"step {i + 1}"}
        say({"method": "notifications/progress", "params": params})
    text(request, "done at last")


def die(code: int) -> None:
    print("about to end", file=sys.stderr, flush=True)
    print("because of a missing key", file=sys.stderr, flush=True)
    os._exit(code)


def kinds(request: Message) -> None:
    content: list[dict[str, Any]] = [
        {"type": "text", "text": "for you", "annotations": {"audience": ["user"]}},
        {"type": "image", "mimeType": "image/svg+xml", "data": "PHN2Zy8+"},
        {"type": "audio", "mimeType": "audio/wav", "data": "UklGRg=="},
        {"type": "resource", "resource": {"uri": "f:///a.pdf", "mimeType": "application/pdf", "blob": "JVBERi0="}},
        {"type": "resource", "resource": {"uri": "f:///a.txt", "mimeType": "text/plain", "text": "inside"}},
        {"type": "resource_link", "uri": "f:///report.pdf", "name": "report.pdf"},
        {"type": "hologram", "data": 1},
    ]
    answer(request, {"content": content, "structuredContent": {"a": 1}})


FAULTS: dict[str, Callable[[Message], object]] = {
    "good": lambda r: text(r, "fine"),
    "dies": lambda r: die(3),
    "hangs": lambda r: None,
    "rubbish": lambda r: (raw(b"\x1b[1mWelcome!\x1b[0m\n\n{not json\n[]\n"), text(r, "after rubbish")),
    "bad_utf8": lambda r: (raw(b"\xc4\xe3\xba\xc3\n"), raw(reply(r, "X").replace(b"X", b"\xc4\xe3") + b"\n")),
    "surrogate": lambda r: raw(reply(r, "X").replace(b'"X"', b'"a\\ud800b"') + b"\n"),
    "huge_int": lambda r: raw(reply(r, "n").replace(b'"content"', b'"n": ' + b"9" * 5000 + b', "content"') + b"\n"),
    "deep": lambda r: raw(reply(r, "n").replace(b'"content"', b'"d": ' + b"[" * 90000 + b"]" * 90000 + b', "content"') + b"\n"),
    "many": lambda r: raw(reply(r, "n").replace(b'"content"', b'"d": [' + b"[]," * 700000 + b'[]], "content"') + b"\n"),
    "wide": lambda r: raw(
        reply(r, "wide").replace(b'"content"', b'"structuredContent": {"d": [' + b"[1]," * 100000 + b'[]]}, "content"') + b"\n"
    ),
    "commas": lambda r: raw(reply(r, "X").replace(b"X", b"a,[{" * 500000) + b"\n"),
    "one_mib": lambda r: big(r, 1),
    "eight_mib": lambda r: big(r, 8),
    "seventeen_mib": lambda r: big(r, 17),
    "hundred_mib": lambda r: big(r, 100),
    "floods": flood,
    "grandchildren": stubborn,
    "progress": lambda r: beat(r, 8, 0.4),
    "kinds": kinds,
    "empty": lambda r: answer(r, {"content": []}),
    "structured": lambda r: answer(r, {"content": [], "structuredContent": {"only": "this"}}),
    "null_result": lambda r: say({"id": r["id"], "result": None}),
    "tool_error": lambda r: text(r, "it went wrong", isError=True),
    "rpc_error": lambda r: say({"id": r["id"], "error": {"code": -32602, "message": "bad city"}}),
    "environment": lambda r: text(r, json.dumps(dict(os.environ))),
    "meta": lambda r: text(r, json.dumps(r["params"].get("_meta"))),
    "closes_stdout": lambda r: (os.close(1), time.sleep(600)),
    "stderr_flood": lambda r: (
        sys.stderr.write("noise " * 100 + "\n"),
        [sys.stderr.write("y" * 999 + "\n") for _ in range(20000)],
        text(r, "quiet again"),
    ),
}


def asks(request: Message) -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}}
    say({"id": "ask-1", "method": "elicitation/create", "params": {"message": "How many?", "requestedSchema": schema}})
    answers["ask-1"] = request


FAULTS["asks"] = asks
answers: dict[str, Message] = {}


def late(request: Message) -> None:
    threading.Timer(2.4, lambda: text(request, "too late")).start()


FAULTS["late"] = late
heard: list[int] = []


def hear(request: Message) -> None:
    if request.get("method") == "notifications/cancelled":
        heard.append(request["params"]["requestId"])
    if "method" not in request and request.get("id") in answers:
        text(answers.pop(request["id"]), request["result"]["content"]["answer"])


def call(request: Message, name: str, arguments: Message) -> None:
    if name == "bad":
        FAULTS[MODE](request)
    elif arguments.get("words") == "cancelled?":
        text(request, json.dumps(heard))
    else:
        text(request, arguments.get("words", "good"))


if MODE == "no_term":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if MODE == "bad_start":
    die(7)
if MODE == "silent":
    time.sleep(600)
while MODE == "flood_start":
    raw(b"Downloading, one line for each byte\n" * 500)
if MODE == "slow_start":
    time.sleep(0.8)
if MODE == "chatty_start":
    raw(b"Starting up...\nListening on stdio\n")
serve(lambda: TOOLS, call, hear=hear)
if MODE == "no_term":
    time.sleep(600)
