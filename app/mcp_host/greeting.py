"""A server's answer to `initialize`, in which careless servers leave out what no host needs."""

from collections.abc import Mapping
from typing import Any, cast

FLAGS = ("listChanged", "subscribe")


def mended_greeting(result: dict[str, Any]) -> dict[str, Any]:
    """The same where nothing is to be mended. Without capabilities it is believed to have tools."""
    if not isinstance(result.get("protocolVersion"), str):
        return result
    mended = dict(result)
    offered = result.get("capabilities")
    mended["capabilities"] = _capabilities(cast("dict[str, Any]", offered)) if isinstance(offered, dict) else {"tools": {}}
    mended["serverInfo"] = _info(result.get("serverInfo"))
    if not isinstance(result.get("instructions", ""), str):
        del mended["instructions"]
    return mended


def _capabilities(offered: Mapping[str, Any]) -> dict[str, Any]:
    """`true` stands for one without details; what is no object and not true is none."""
    kept: dict[str, Any] = {n: {} if one is True else one for n, one in offered.items() if one is True or isinstance(one, dict)}
    return {name: _flags(one) for name, one in kept.items()}


def _flags(one: Any) -> Any:
    fields = cast("dict[str, Any]", one)
    return {name: bool(value) if name in FLAGS else value for name, value in fields.items()}


def _info(given: Any) -> dict[str, Any]:
    fields: dict[str, Any] = dict(cast("dict[str, Any]", given)) if isinstance(given, dict) else {}
    for name in ("name", "version"):
        if not isinstance(fields.get(name), str):
            fields[name] = "" if fields.get(name) is None else str(fields[name])
    for name in ("title", "description", "websiteUrl"):
        if not isinstance(fields.get(name, ""), str):
            del fields[name]
    return fields
