"""Exact replies for tests: `!script FILE.jsonl` makes the demo model play the file, one line a model call.

A line is a JSON object, all keys optional:

    {"blocks": [{"type": "thinking", "text": "…"},
                {"type": "text", "text": "…"} or {"type": "text", "deltas": ["…", "…"]},
                {"type": "tool_call", "name": "…", "arguments": {…} or "raw text", "id": "…"}],
     "stop_reason": "end", "stop_detail": "…", "usage": {"input_tokens": 1, …}, "model": "…",
     "delay_ms": 0,            before each delta
     "error": {"kind": "overloaded", "message": "…", "detail": "…"},   raised after the blocks, in place of an end
     "repeat": true}           this line answers every further call, too

The line is the number of replies since the `!script` message, so that a conversation resumes where it was. Past the last line
the demo model answers as always.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from app.core.frozen import Frozen
from app.core.messages import ErrorInfo, Message, StopReason, Usage

COMMAND = "!script "


class ScriptBlock(Frozen):
    type: str = "text"
    text: str = ""
    deltas: tuple[str, ...] | None = None
    name: str = ""
    arguments: dict[str, Any] | str = {}
    id: str | None = None


class ScriptLine(Frozen):
    """One reply."""

    blocks: tuple[ScriptBlock, ...] = ()
    stop_reason: StopReason | None = None
    stop_detail: str | None = None
    usage: Usage = Usage()
    model: str | None = None
    delay_ms: float = Field(default=0, ge=0)
    error: ErrorInfo | None = None
    repeat: bool = False


class ScriptError(Exception):
    """The script cannot be read, in words."""


def playing(messages: tuple[Message, ...]) -> ScriptLine | None:
    """The line to play now, or None where no script runs. Only what a person typed starts one, never a card."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if message.role == "user" and message.origin is None and message.text.startswith(COMMAND):
            said = sum(1 for m in messages[at + 1 :] if m.role == "assistant")
            lines = read_script(Path(message.text[len(COMMAND) :].strip()).expanduser())
            if said < len(lines):
                return lines[said]
            return lines[-1] if lines and lines[-1].repeat else None
    return None


def read_script(path: Path) -> list[ScriptLine]:
    try:
        texts = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path}: {error}") from error
    lines: list[ScriptLine] = []
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        try:
            lines.append(ScriptLine.model_validate(json.loads(text)))
        except (ValueError, ValidationError) as error:
            raise ScriptError(f"{path}, line {number}: {error}") from error
    return lines
