"""The one shape of value all of LeoChat passes around: immutable, compared by content, written to JSON whole."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: equal content means equal values; unknown fields are dropped, so that older readers open newer data.

    A class's validator is built when it is first needed (pydantic locks that between threads): there are hundreds of
    classes, and a start needs few of them.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        json_schema_serialization_defaults_required=True,
        use_attribute_docstrings=False,
        defer_build=True,
    )
