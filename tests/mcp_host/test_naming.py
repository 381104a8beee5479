"""Names for models: fit, short enough, unique, and the same every time."""

import re

from hypothesis import given
from hypothesis import strategies as st

from app.mcp_host.naming import offered_names

PAIRS = st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), max_size=12)


@given(PAIRS)
def test_every_tool_gets_a_fitting_name_of_its_own(pairs: list[tuple[str, str]]) -> None:
    names = offered_names(pairs)
    assert set(names) == set(pairs)
    assert len(set(names.values())) == len(names)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", n) for n in names.values())


def test_plain_names_stay_and_twins_are_told_apart() -> None:
    names = offered_names([("a.b", "t"), ("a_b", "t"), ("x", "y"), ("s" * 70, "one"), ("s" * 70, "two")])
    assert names["a_b", "t"] == "a_b__t"
    assert names["x", "y"] == "x__y"
    assert names["a.b", "t"].startswith("a_b__t_")
    assert names["s" * 70, "one"] != names["s" * 70, "two"]
