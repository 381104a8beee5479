"""Why a reply ended, from any vendor's word for it in any spelling."""

import re
from typing import Any

from app.core.messages import StopReason
from app.core.provider import ProviderError
from app.providers.errors import kind_of
from app.providers.sentences import failure

WORDS: dict[StopReason, tuple[str, ...]] = {
    "tool_use": ("toolcalls", "toolcall", "tooluse", "functioncall", "functioncalls"),
    "length": (
        *("length", "maxlength", "maxtokens", "maxtoken", "maxoutputtokens", "maxcompletiontokens", "tokenlimit", "truncated"),
        *("modellength", "contextlength", "contextlengthexceeded", "modelcontextwindowexceeded", "incomplete"),
    ),
    "content_filter": (
        *("contentfilter", "contentfiltered", "contentfiltering", "sensitive", "safety", "recitation", "blocklist"),
        *("prohibitedcontent", "spii", "imagesafety", "imageprohibitedcontent", "modelarmor", "guardrailintervened"),
    ),
    "refusal": ("refusal", "refused", "refuse"),
    "error": (
        *("error", "servererror", "internalerror", "networkerror", "failed", "failure", "abort", "aborted", "timeout"),
        *("cancelled", "canceled", "insufficientsystemresource"),
    ),
}
LIKE: tuple[tuple[str, StopReason], ...] = (
    (r"malformed|unexpectedtoolcall", "error"),
    (r"max(output|completion|new)?token|tokenlimit|lengthlimit|lengthexceeded|contextwindow|errorlimit", "length"),
    (r"contentfilter|guardrail|moderation|safety|toxic|recitation|sensitive|prohibited", "content_filter"),
)
"""For words that are no word's spelling but hold one (`function_call_filter: MALFORMED_FUNCTION_CALL`, `ERROR_TOXIC`)."""
REASONS: dict[str, StopReason] = {word: reason for reason, words in WORDS.items() for word in words}


def stop_of(word: Any) -> StopReason:
    """`end` for a word that nobody knows: what came is whole as far as anyone can tell."""
    plain = re.sub(r"[^a-z0-9]", "", str(word or "").lower())
    for spelling in (plain, plain.removeprefix("finishreason")):
        if spelling in REASONS:
            return REASONS[spelling]
    for pattern, reason in LIKE:
        if re.search(pattern, plain):
            return reason
    return "end"


def broken(word: Any) -> ProviderError:
    """The error of a reply whose server says that it failed."""
    kind = kind_of(0, f"server_error {word}", "")
    return failure(kind, "stopped", holes={"word": str(word)}, retryable=kind != "bad_request")
