"""What the system's notification says, to who looks elsewhere."""

from typing import get_args

import pytest

from app.chat.news import one_line
from app.core.events import ApprovalRequest, TaskEnd, TaskEndReason
from app.core.messages import ToolCall


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_end_is_said_in_words_of_the_language(language: str) -> None:
    reasons = [reason for reason in get_args(TaskEndReason) if reason != "error"]  # that has its own words
    said = {one_line(TaskEnd(reason), language) for reason in reasons}
    assert len(said) == len(reasons)
    assert said.isdisjoint({*reasons, *({one_line(TaskEnd(reason), "en") for reason in reasons} if language == "es" else ())})


def test_who_asks_for_what_is_said_in_the_language() -> None:
    call = ToolCall(id="1", name="word__write_document", server="word", tool="write_document")
    asked = ApprovalRequest(call, reason="writes")
    assert one_line(asked, "es") == "word pregunta: write_document"
    assert one_line(asked, "en") == "word asks: write_document"
