"""The settings dialog's schema: JSON schema by section, with each field's words in every language it has."""

from typing import Any, cast

from app.settings.fields import Settings

LANGUAGES = ("en", "es")


def dialog_schema() -> dict[str, Any]:
    """JSON schema of all settings (references resolved), where `titles` and `descriptions` are by language.

    Sections marked `hidden` have views of their own (or none).
    """
    schema = Settings.model_json_schema(mode="validation")
    definitions = cast("dict[str, Any]", schema.pop("$defs", {}))
    resolved = _resolve(schema, definitions)
    resolved.pop("description", None)
    return resolved


def _resolve(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_resolve(item, definitions) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    own = dict(cast("dict[str, Any]", node))
    if reference := own.pop("$ref", None):
        own = {**definitions[str(reference).rpartition("/")[2]], **own}
    spanish = own.pop("es", None)
    made = {key: _resolve(value, definitions) for key, value in own.items()}
    if isinstance(spanish, dict):
        made["titles"] = {"en": made.pop("title"), "es": spanish["title"]}
        if "description" in spanish:
            made["descriptions"] = {"en": made.pop("description"), "es": spanish["description"]}
        else:
            made.pop("description", None)
    return made
