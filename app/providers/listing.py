"""Reads the lists of models that endpoints give, in their several shapes."""

import math
import re
from typing import Any
from urllib.parse import quote

from app.core.provider import ModelInfo
from app.providers.shapes import is_list, is_object, object_of
from app.providers.usage import number

ID = re.compile(r"(?=.*\S)[^\x00-\x1f\x7f\ud800-\udfff]{1,300}")
"""What can be a model's name: a line of text that can be sent back."""
NO_CHAT = ("embeddings", "embedding", "image", "moderation", "transcribe", "audio")
CONTEXT_NAMES = (
    "context_length",
    "max_context_length",
    "context_window",
    "max_model_len",
    "max_input_tokens",
    "inputTokenLimit",
    "loaded_context_length",
    "n_ctx",
)


def listed_models(listed: Any) -> list[ModelInfo]:
    """`{data: […]}`, `{models: […]}` or a bare list, of objects or of names; entries without an id are left out.

    Sorted as they came, each id once.
    """
    found = [_model({"id": entry} if isinstance(entry, str) else entry) for entry in entries_of(listed) if entry]
    once: dict[str, ModelInfo] = {}
    for model in found:
        if model is not None:
            once.setdefault(model.id, model)
    return list(once.values())


def entries_of(listed: Any) -> list[Any]:
    """The list in an answer, also one level further in."""
    if is_list(listed):
        return listed
    told = object_of(listed)
    inner = next((told[name] for name in ("data", "models", "result") if told.get(name)), None)
    return inner if is_list(inner) else entries_of(inner) if is_object(inner) and inner.keys() & {"data", "models"} else []


def next_page(listed: Any) -> str | None:
    """The query for what follows: Gemini's token, or Anthropic's last id; None where this was all."""
    told = object_of(listed)
    if isinstance(token := told.get("nextPageToken"), str) and token:
        return f"pageToken={quote(token, safe='')}"
    if told.get("has_more") is True and isinstance(last := told.get("last_id"), str) and last:
        return f"after_id={quote(last, safe='')}"
    return None


def _model(entry: Any) -> ModelInfo | None:
    if not is_object(entry):
        return None
    model_id = entry.get("id") or entry.get("name") or entry.get("model")
    if not isinstance(model_id, str) or not ID.fullmatch(model_id) or entry.get("type") in NO_CHAT:
        return None
    name = entry.get("display_name") or entry.get("displayName") or entry.get("name")
    return ModelInfo(
        id=model_id.removeprefix("models/"),
        name=name if isinstance(name, str) and name != model_id else None,
        context=_context(entry),
        vision=_vision(entry),
        tools=_listed(entry, "tools", "tool_use", "function_calling", "tool-use"),
        thinking=_listed(entry, "reasoning", "thinking", "include_reasoning"),
        input_price=_price(entry, "prompt"),
        output_price=_price(entry, "completion"),
    )


def _context(entry: dict[str, Any]) -> int | None:
    for place in (entry, entry.get("meta") or {}, entry.get("top_provider") or {}):
        for name in CONTEXT_NAMES:
            value = place.get(name) if is_object(place) else None
            if count := number(value):
                return count
    return None


def _price(entry: dict[str, Any], name: str) -> float | None:
    """OpenRouter's `pricing`: US dollars for one token, as text; negative where it depends on the model it chooses."""
    try:
        price = float(object_of(entry.get("pricing")).get(name, "")) * 1_000_000
    except (TypeError, ValueError):
        return None
    return round(price, 6) if 0 <= price < math.inf else None


def _vision(entry: dict[str, Any]) -> bool | None:
    modalities: Any = object_of(entry.get("architecture")).get("input_modalities") or entry.get("input_modalities")
    if is_list(modalities):
        return "image" in modalities
    if entry.get("type") == "vlm" or entry.get("supports_image_in") is True:
        return True
    return _listed(entry, "vision", "image")


def _listed(entry: dict[str, Any], *words: str) -> bool | None:
    """Whether the endpoint names a capability; None where it names none at all."""
    capabilities = entry.get("capabilities")
    if is_object(capabilities):
        known = [capabilities[w] for w in words if w in capabilities]
        values = [v.get("supported") if is_object(v) else v for v in known]
        return bool(values[0]) if values else None
    names = capabilities if is_list(capabilities) else entry.get("supported_parameters") or entry.get("supported_features")
    return any(w in names for w in words) if is_list(names) else None
