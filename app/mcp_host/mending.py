"""Results a strict reader would refuse whole are mended: a bad tool or block costs only itself."""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from mcp_types.methods import validate_server_result
from pydantic import ValidationError

from app.mcp_host.lightening import lightened_listing, lightened_outcome
from app.mcp_host.mending_blocks import soundest
from app.mcp_host.mending_material import MATERIAL

Note = Callable[[str], None]
AT_ONCE = 50
"""Tools that are looked at in one step; a longer list is mended in a thread."""


def mend(method: str, version: str, result: dict[str, Any], note: Note) -> dict[str, Any]:
    """`result` as it is if it fits the protocol `version`, else its sound parts; `note` says what went."""
    if method == "tools/list":
        result = lightened_listing(result, note)
    elif method == "tools/call":
        result = lightened_outcome(result, note)
    elif method not in MATERIAL:
        return result
    if _listing_fits(version, result) if method == "tools/list" else _fits(method, version, result):
        return result
    if method == "tools/list":
        return _mended_listing(version, result, note)
    if method == "tools/call":
        return _mended_outcome(version, result, note)
    return MATERIAL[method](_cacheable({}), result, lambda whole: _fits(method, version, whole), note)


def _listing_fits(version: str, result: dict[str, Any]) -> bool:
    """In pieces, so that other threads get their turn between them: a judgement is one long step."""
    listed: Any = result.get("tools")
    if not isinstance(listed, list) or len(cast("list[Any]", listed)) <= AT_ONCE:
        return _fits("tools/list", version, result)
    tools = cast("list[Any]", listed)
    return all(
        _fits("tools/list", version, {**result, "tools": tools[at : at + AT_ONCE]}) for at in range(0, len(tools), AT_ONCE)
    )


def _fits(method: str, version: str, result: Mapping[str, Any]) -> bool:
    try:
        validate_server_result(method, version, result)
    except ValidationError:
        return False
    except (KeyError, ValueError):
        return True
    return True


def _mended_listing(version: str, result: dict[str, Any], note: Note) -> dict[str, Any]:
    frame = {k: v for k, v in result.items() if k not in ("tools", "nextCursor")}
    if not _fits("tools/list", version, {**frame, "tools": []}):
        frame = _cacheable({})
    if isinstance(result.get("nextCursor"), str):
        frame["nextCursor"] = result["nextCursor"]
    listed = result.get("tools")
    tools: list[Any] = []
    for tool in cast("list[Any]", listed) if isinstance(listed, list) else []:
        mended = _mended_tool(tool)
        if mended is not None and _fits("tools/list", version, {**frame, "tools": [mended]}):
            tools.append(mended)
        else:
            note(f"a tool was left out, its definition is broken: {_excerpt(tool)}")
    return {**frame, "tools": tools}


def _mended_tool(tool: Any) -> dict[str, Any] | None:
    if not isinstance(tool, dict):
        return None
    mended: dict[str, Any] = dict(cast("dict[str, Any]", tool))
    schema = mended.get("inputSchema")
    whole: dict[str, Any] = dict(cast("dict[str, Any]", schema)) if isinstance(schema, dict) else {}
    if whole.get("type") != "object":
        whole["type"] = "object"
    mended["inputSchema"] = whole
    output = mended.get("outputSchema")
    if "outputSchema" in mended and not (isinstance(output, dict) and cast("dict[str, Any]", output).get("type") == "object"):
        del mended["outputSchema"]
    for key, kind in (("description", str), ("title", str), ("annotations", dict), ("_meta", dict)):
        if key in mended and not isinstance(mended[key], kind):
            del mended[key]
    for key in ("execution", "icons"):
        mended.pop(key, None)
    return mended


def _mended_outcome(version: str, result: dict[str, Any], note: Note) -> dict[str, Any]:
    if "inputRequests" in result or result.get("resultType") == "input_required":
        return result
    frame = _cacheable({"isError": result.get("isError") is True})
    content = result.get("content")
    if "content" not in result and "toolResult" in result:  # the first revision's name for what a tool gave
        content = [{"type": "text", "text": json.dumps(result["toolResult"], ensure_ascii=False)}]
    raw: list[Any] = cast("list[Any]", content) if isinstance(content, list) else [content]
    blocks: list[Any] = []
    for block in raw:
        if block is None:
            continue
        mended_block = next((b for b in soundest(block) if _fits("tools/call", version, {**frame, "content": [b]})), None)
        if mended_block is not None:
            blocks.append(mended_block)
        else:
            note(f"a piece of a result was not understood: {_excerpt(block)}")
            blocks.append({"type": "text", "text": _as_text(block)})
    mended = {**frame, "content": blocks}
    if result.get("structuredContent") is not None:
        structured = result["structuredContent"]
        whole = {**mended, "structuredContent": structured}
        fits = _fits("tools/call", version, whole)
        mended = whole if fits else {**mended, "structuredContent": {"result": structured}}
    return mended


def _cacheable(frame: dict[str, Any]) -> dict[str, Any]:
    """What 2026-07-28 wants in every result and older revisions ignore."""
    return {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **frame}


def _as_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict):
        fields = cast("dict[str, Any]", block)
        if isinstance(fields.get("text"), str):
            return fields["text"]
        kind = fields.get("type", "unknown")
        return f"[The server sent content of a kind that is not known here: {_excerpt(kind)}]"
    return _excerpt(block)


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else text[:200] + "…"
