"""A server's question on the terminal: its form field by field, or an address to open by oneself."""

import sys
from typing import Any, cast

from app.chat.questions import Action
from app.chat.said import Elicitation


def fill_in(question: Elicitation) -> tuple[Action, dict[str, Any] | None]:
    """Ask on the keyboard; Enter alone leaves a field out or takes its default. Blocks: call it in a thread."""
    print(f"{question.server} asks: {question.message}", file=sys.stderr)
    if question.url:
        print(f"Open {question.url}", file=sys.stderr)
        return ("accept" if _yes("Did you agree to that? [y/N] ") else "decline"), None
    if not _yes("Answer it? [y/N] "):
        return "decline", None
    content: dict[str, Any] = {}
    required = question.json_schema.get("required") or ()
    for name, field in cast("dict[str, dict[str, Any]]", question.json_schema.get("properties") or {}).items():
        text = _read(_prompt(name, field, name in required))
        if text:
            content[name] = value_of(field, text)
        elif "default" in field:
            content[name] = field["default"]
    return "accept", content


def value_of(field: dict[str, Any], text: str) -> Any:
    """What was typed in the type the field asks for; as it is where it is none of it, for the check to say so."""
    match field.get("type"):
        case "boolean":
            return text.lower()[:1] in ("y", "t", "1", "s")
        case "integer" | "number":
            try:
                return int(text) if text.lstrip("-").isdigit() else float(text)
            except ValueError:
                return text
        case "array":
            return [part.strip() for part in text.split(",") if part.strip()]
        case _:
            return text


def _prompt(name: str, field: dict[str, Any], required: bool) -> str:
    options = field.get("enum") or [o.get("const") for o in field.get("oneOf") or ()]
    items: dict[str, Any] = field.get("items") or {}
    options = options or items.get("enum") or [o.get("const") for o in items.get("anyOf") or ()]
    facts = [
        str(field.get("description") or ""),
        "one of " + ", ".join(map(str, options)) if options else "",
        f"default {field['default']}" if "default" in field else "" if required else "may be left empty",
    ]
    return f"{field.get('title') or name} ({'; '.join(f for f in facts if f)}): ".replace(" (): ", ": ")


def _yes(question: str) -> bool:
    return _read(question).lower()[:1] == "y"


def _read(question: str) -> str:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()
