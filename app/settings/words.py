"""The words of a setting in Spanish; English ones are the Field's own."""

from typing import Any


def es(title: str, description: str) -> dict[str, Any]:
    """The Spanish words of a field; English ones are the Field's own."""
    return {"es": {"title": title, "description": description}}
