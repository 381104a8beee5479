"""The dialog's schema: every setting has its words in every language."""

from collections.abc import Iterator
from typing import Any

from app.settings import LANGUAGES, Settings, dialog_schema


def fields(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in node.get("properties", {}).items():
        yield f"{path}{name}", field
        yield from fields(field, f"{path}{name}.")
        yield from fields(field.get("items", {}), f"{path}{name}.")


def test_every_setting_has_title_and_description_in_every_language() -> None:
    found = dict(fields(dialog_schema()))
    assert {name for name in found if "." not in name} == set(Settings.model_fields)
    for name, field in found.items():
        assert set(field["titles"]) == set(LANGUAGES), name
        assert all(field["titles"].values()), name
        if "." in name:
            assert set(field["descriptions"]) == set(LANGUAGES), name
            assert all(text.endswith((".", "?")) for text in field["descriptions"].values()), name


def test_the_schema_stands_alone_and_has_the_defaults() -> None:
    schema = dialog_schema()
    assert "$ref" not in str(schema)
    assert schema["properties"]["model"]["properties"]["max_rounds"]["default"] == 50
    assert schema["properties"]["window"]["hidden"] is True
