"""Ids."""

import pytest

from app.core import messages
from app.core.messages import new_id


def test_ids_sort_as_they_were_made_also_when_the_clock_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    within_a_moment = [new_id("m") for _ in range(1_000)]
    monkeypatch.setattr(messages.time, "time", lambda: 1.0)
    made = within_a_moment + [new_id("m") for _ in range(1_000)]
    assert made == sorted(set(made))
    assert {len(one) for one in made} == {len("m_") + 24}
