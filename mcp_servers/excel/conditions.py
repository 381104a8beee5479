"""When a conditional format marks a cell."""

from typing import Literal

Condition = Literal[
    "greater",
    "less",
    "equal",
    "not_equal",
    "between",
    "contains",
    "duplicate",
    "empty",
    "formula",
    "color_scale",
    "data_bar",
    "icons",
]
