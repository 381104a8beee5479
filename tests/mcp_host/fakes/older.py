"""A server of 2025-11-25 by hand: prompts and resources in pages, subscriptions, and questions in mid call."""

import json
import sys
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
PAGE = 2
PROMPTS = [{"name": f"p{n}", "arguments": [{"name": "who", "required": True}]} for n in range(5)]
RESOURCES = [{"uri": f"item://{n}", "name": f"item {n}"} for n in range(3)]
TOOLS = ("sample", "roots", "add_prompt", "touch", "log", "subscribed", "level", "address")
state: dict[str, Any] = {"subscribed": [], "level": None, "roots_changed": 0}
waiting: dict[str, Message] = {}
declared: Message = {}


def say(message: Message) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(request: Message, result: Any) -> None:
    say({"id": request["id"], "result": result})


def text(request: Message, value: Any) -> None:
    answer(request, {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]})


def page(request: Message, key: str, items: list[Message]) -> None:
    start = int(request.get("params", {}).get("cursor") or 0)
    end = start + PAGE
    answer(request, {key: items[start:end], **({"nextCursor": str(end)} if end < len(items) else {})})


def ask(request: Message, method: str, params: Message) -> None:
    number = f"q{len(waiting)}-{request['id']}"
    waiting[number] = request
    say({"id": number, "method": method, "params": params})


def sample(request: Message, given: Message) -> None:
    message = {"role": "user", "content": {"type": "text", "text": given.get("text", "What is it?")}}
    ask(request, "sampling/createMessage", {"messages": [message], "maxTokens": 50, **given.get("more", {})})


def call(request: Message, name: str, given: Message) -> None:
    if name == "sample":
        sample(request, given)
    elif name == "roots":
        ask(request, "roots/list", {})
    elif name == "add_prompt":
        PROMPTS.append({"name": "new"})
        say({"method": "notifications/prompts/list_changed"})
        text(request, "added")
    elif name == "touch":
        say({"method": "notifications/resources/updated", "params": {"uri": "item://1"}})
        text(request, "touched")
    elif name == "log":
        params = {"level": "warning", "logger": "pump", "data": {"pressure": 3}}
        say({"method": "notifications/message", "params": params})
        text(request, "logged")
    elif name == "address":
        params = {"mode": "url", "message": "Pay first", "url": "https://pay.example/1", "elicitationId": "e1"}
        ask(request, "elicitation/create", params)
    else:
        text(request, {**state, "declared": declared})


def greet(message: Message) -> None:
    declared.update(message["params"]["capabilities"])
    capabilities = {
        "tools": {}, "prompts": {"listChanged": True}, "resources": {"subscribe": True}, "logging": {}, "completions": {},
    }  # fmt: skip
    info = {"name": "older", "version": "1"}
    answer(message, {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info})


def prompt(message: Message) -> None:
    params = message["params"]
    said = {"type": "text", "text": f"{params['name']} for {params.get('arguments', {}).get('who')}"}
    answer(message, {"messages": [{"role": "assistant", "content": said}, {"role": "user", "content": said}]})


def read(message: Message) -> None:
    uri = message["params"]["uri"]
    answer(message, {"contents": [{"uri": uri, "mimeType": "text/plain", "text": f"read {uri}"}]})


def subscribe(message: Message) -> None:
    change = state["subscribed"].append if message["method"].endswith("/subscribe") else state["subscribed"].remove
    change(message["params"]["uri"])
    answer(message, {})


def set_level(message: Message) -> None:
    state["level"] = message["params"]["level"]
    answer(message, {})


def complete(message: Message) -> None:
    begun = message["params"]["argument"]["value"]
    answer(message, {"completion": {"values": [f"{begun}{n}" for n in range(100)], "hasMore": True}})


ANSWERS: dict[str, Callable[[Message], None]] = {
    "initialize": greet,
    "tools/list": lambda m: answer(m, {"tools": [{"name": t, "inputSchema": {"type": "object"}} for t in TOOLS]}),
    "tools/call": lambda m: call(m, m["params"]["name"], m["params"].get("arguments") or {}),
    "prompts/list": lambda m: page(m, "prompts", PROMPTS),
    "prompts/get": prompt,
    "resources/list": lambda m: page(m, "resources", RESOURCES),
    "resources/templates/list": lambda m: answer(
        m, {"resourceTemplates": [{"uriTemplate": "item://{number}{?q}", "name": "any"}]}
    ),
    "resources/read": read,
    "resources/subscribe": subscribe,
    "resources/unsubscribe": subscribe,
    "logging/setLevel": set_level,
    "completion/complete": complete,
}


def hear(message: Message) -> None:
    method = message.get("method")
    if method in ANSWERS:
        ANSWERS[method](message)
    elif method == "notifications/roots/list_changed":
        state["roots_changed"] += 1
    elif method is None and message.get("id") in waiting:
        text(waiting.pop(message["id"]), message.get("result") or message.get("error"))
    elif "id" in message and method:
        say({"id": message["id"], "error": {"code": -32601, "message": f"no method {method}"}})


for line in sys.stdin:
    hear(json.loads(line))
