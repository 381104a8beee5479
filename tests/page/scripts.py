"""Exact replies of the demo model, one line a model call (see `app/providers/demo_script.py`)."""

import json
from pathlib import Path
from typing import Any


def written(path: Path, *lines: dict[str, Any]) -> str:
    """The message that plays these replies."""
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return f"!script {path}"


def saying(text: str, **more: Any) -> dict[str, Any]:
    return {"blocks": [{"type": "text", "text": text}], **more}


def streaming(*deltas: str, delay_ms: float = 0) -> dict[str, Any]:
    return {"blocks": [{"type": "text", "deltas": list(deltas)}], "delay_ms": delay_ms}


def calling(name: str, **arguments: Any) -> dict[str, Any]:
    return {"blocks": [{"type": "tool_call", "name": name, "arguments": arguments}]}
