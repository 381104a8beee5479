"""What a page said in its console and asked of the network."""

from __future__ import annotations

import re
from typing import Any

from mcp_servers.browser.acting import Operation
from mcp_servers.browser.call import Call, PageError, Reply
from mcp_servers.browser.tab import Sent

LEVELS = ("error", "warning", "info", "debug")
STATIC = ("image", "font", "stylesheet", "script", "media", "manifest", "texttrack")
PART = 20_000
"""The most characters of one request's or answer's body."""


async def console_messages(call: Call) -> Reply:
    """The console's messages since the page was opened, the newest last."""
    tab = await call.tab()
    level = "error" if call.args.get("onlyErrors") else str(call.args.get("level") or "info")
    most = LEVELS.index(level)
    found = [m for m in tab.messages if m.level <= most and (call.args.get("all") or m.page == tab.navigations)]
    lines = [f"[{message.kind.upper()}] {message.text}" for message in found]
    errors = sum(message.level == 0 for message in found)
    words = f"{len(found)} messages, {errors} of them errors."
    data = [{"level": LEVELS[m.level], "kind": m.kind, "text": m.text} for m in found]
    return Reply("\n".join([words, *_newest(lines, call.chars)]), None, data={"messages": data[-200:]})


async def network_requests(call: Call) -> Reply:
    """The requests since the page was opened, each with a number."""
    tab = await call.tab()
    fits = _filter(call.args.get("filter"))
    static = bool(call.args.get("static") or call.args.get("includeStatic"))
    found = [
        sent
        for sent in tab.sent
        if (call.args.get("all") or sent.page == tab.navigations)
        and (static or not _plain(sent))
        and (fits is None or fits.search(sent.request.url[:2000]))
    ]
    lines = [f"{sent.number}. [{sent.request.method}] {sent.request.url[:500]} => {_end(sent)}" for sent in found]
    data = [
        {"index": s.number, "method": s.request.method, "url": s.request.url[:2000], "status": s.status, "failure": s.failure}
        for s in found
    ]
    hidden = "" if static else " (pictures, scripts and styles that came are left out; static=true lists them)"
    return Reply(
        "\n".join([f"{len(found)} requests{hidden}.", *_newest(lines, call.chars)]), None, data={"requests": data[-200:]}
    )


def _filter(given: Any) -> re.Pattern[str] | None:
    try:
        return re.compile(str(given)) if given else None
    except re.error as error:
        raise PageError(f"{given} is no valid regular expression: {error}.") from error


def _plain(sent: Sent) -> bool:
    return sent.request.resource_type in STATIC and sent.failure is None and (sent.status or 200) < 400


def _end(sent: Sent) -> str:
    if sent.failure:
        return f"failed: {sent.failure}"
    return str(sent.status) if sent.status is not None else "no answer yet"


def _newest(lines: list[str], most: int) -> list[str]:
    """The last lines that fit into so many characters."""
    kept: list[str] = []
    for line in reversed(lines):
        most -= len(line) + 1
        if most < 0:
            kept.append(f"[… {len(lines) - len(kept)} earlier ones are left out]")
            break
        kept.append(line)
    return kept[::-1]


async def network_request(call: Call) -> Reply:
    """One request with its headers and bodies, or a part of it."""
    tab = await call.tab()
    number, wanted = int(call.args["index"]), call.args.get("part")
    sent = next((one for one in tab.sent if one.number == number), None)
    if sent is None:
        raise PageError(f"There is no request {number}. browser_network_requests lists them.")
    parts = {
        "request-headers": _headers(sent.request.headers),
        "request-body": _body(sent.request.post_data_buffer),
        "response-headers": "",
        "response-body": "",
    }
    response = sent.request.existing_response
    if response is not None:
        parts["response-headers"] = _headers(response.headers)
        if wanted in (None, "response-body"):
            parts["response-body"] = await _response_body(response)
    head = f"[{sent.request.method}] {sent.request.url[:2000]} => {_end(sent)}"
    shown = {wanted: parts[str(wanted)]} if wanted else parts
    text = "\n".join(f"### {name}\n{value or '(nothing)'}" for name, value in shown.items())
    return Reply(f"{head}\n{text[: call.chars]}", None)


async def _response_body(response: Any) -> str:
    from playwright.async_api import Error

    try:
        return _body(await response.body())
    except Error as error:
        return f"(not kept by the browser: {str(error).splitlines()[0][:200]})"


def _headers(headers: dict[str, str]) -> str:
    return "\n".join(f"{name}: {value[:1000]}" for name, value in headers.items())


def _body(data: bytes | None) -> str:
    if not data:
        return ""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return f"({len(data):,} bytes that are no text)"
    return text if len(text) <= PART else f"{text[:PART]}\n[… cut; {len(text):,} characters in all]"


OPERATIONS: dict[str, Operation] = {
    "console_messages": console_messages,
    "network_requests": network_requests,
    "network_request": network_request,
}
