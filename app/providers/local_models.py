"""What servers on this computer know of their models beyond the list: the real context size, tools, vision, thinking."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

from app.core.provider import ModelInfo, ProviderError
from app.providers.shapes import is_list, object_of

Ask: TypeAlias = Callable[[str, str, dict[str, Any] | None], Awaitable[Any]]
"""(method, path from the server's root, JSON body) -> the JSON answer; ProviderError where there is none."""
MOST = 40
"""Models asked about one by one; a longer list keeps what it said itself."""


async def with_details(vendor: str, ask: Ask, models: list[ModelInfo]) -> list[ModelInfo]:
    """The same models with what the server adds in its own way. What it does not say stays as it was."""
    try:
        match vendor:
            case "ollama":
                return [*await asyncio.gather(*(_ollama(ask, m) for m in models[:MOST])), *models[MOST:]]
            case "lmstudio":
                return _lmstudio(object_of(await ask("GET", "/api/v0/models", None)), models)
            case "llamacpp":
                return _llamacpp(object_of(await ask("GET", "/props", None)), models)
            case _:
                return models
    except ProviderError:
        return models


async def _ollama(ask: Ask, model: ModelInfo) -> ModelInfo:
    """`/api/show`: the weights' context length and a list of capabilities."""
    try:
        shown = object_of(await ask("POST", "/api/show", {"model": model.id}))
    except ProviderError:
        return model
    lengths = (v for k, v in object_of(shown.get("model_info")).items() if k.endswith(".context_length"))
    context = next((v for v in lengths if isinstance(v, int)), None)
    can = shown.get("capabilities")
    if not is_list(can):
        return replace(model, context=context)
    return replace(model, context=context, vision="vision" in can, tools="tools" in can, thinking="thinking" in can)


def _lmstudio(listed: dict[str, Any], models: list[ModelInfo]) -> list[ModelInfo]:
    """`/api/v0/models`: the context it was loaded with, else the longest it can have."""
    entries = listed.get("data")
    known = {str(e.get("id")): e for e in map(object_of, entries if is_list(entries) else ())}
    found: list[ModelInfo] = []
    for model in models:
        entry = known.get(model.id, {})
        can = entry.get("capabilities")
        context = entry.get("loaded_context_length") or entry.get("max_context_length")
        found.append(
            replace(
                model,
                context=context if isinstance(context, int) else model.context,
                vision=entry["type"] == "vlm" if "type" in entry else model.vision,
                tools="tool_use" in can if is_list(can) else model.tools,
            )
        )
    return found


def _llamacpp(props: dict[str, Any], models: list[ModelInfo]) -> list[ModelInfo]:
    """`/props`: the context of a slot, which is what a request gets, and whether pictures are seen."""
    context = object_of(props.get("default_generation_settings")).get("n_ctx")
    sees = object_of(props.get("modalities")).get("vision")
    return [
        replace(
            m,
            context=context if isinstance(context, int) and context > 0 else m.context,
            vision=sees if isinstance(sees, bool) else m.vision,
        )
        for m in models
    ]
