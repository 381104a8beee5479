"""Recorded refusals and those inside streams: the right kind, and a sentence that says what to do."""

import json
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import pytest

from app.core.provider import ProviderError
from app.providers.asked_wait import retry_after, wait_text
from app.providers.errors import in_stream, refused

RECORDED = Path(__file__).parents[3] / "shared" / "cases" / "http_errors"
here = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded error answers (../shared/cases) are not here")
OVERFLOWS = ("036", "045", "038", "028", "033", "040", "035")
KEYS = ("032", "034", "027", "060", "061", "041", "025", "044", "030")
NO_MODEL = ("012", "050", "051", "014", "022", "054", "020", "053", "024")
TOO_LONG = (
    "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
    "The input token count is 40000 but model only supports up to 32768",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    "max_tokens must be at least 1, got -300.",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
    "Range of input length should be [1, 30720]",
    "Prompt exceeds max length",
)
TOO_OFTEN = (
    (429, "You have reached your daily token limit."),
    (403, "You have reached your monthly token limit."),
    (429, "Token limit of 100000 per day is used up."),
    (413, "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 7000, reduce the length."),
)
LIMITS = ("043", "017", "031")


def read(path: Path) -> ProviderError:
    case = json.loads(path.read_text("utf-8"))
    return refused(
        case["status"], case["headers"], case["body"].encode(), vendor="Vendor", model="a-model", key="sk-secret-key"
    )


@here
@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda p: p.stem)
def test_a_recorded_refusal_is_told_by_its_kind_with_a_way_out(path: Path) -> None:
    error, number = read(path), path.stem[-3:]
    if number in OVERFLOWS:
        assert error.kind == "context_overflow"
        assert "shorten" in error.message
    elif number in KEYS:
        assert error.kind == "auth"
        assert "Check it in the settings" in error.message
    elif number in LIMITS:
        assert error.kind == "rate_limit"
        assert error.retryable
        assert "Try again in" in error.message
    else:
        assert error.kind == "bad_request"
        assert not error.retryable
        assert ("Choose a model from the list" in error.message) == (number in NO_MODEL)
    assert error.detail
    assert error.message.endswith((".", "!", "]", "}", ")")) or "It says:" in error.message


@here
def test_a_countdown_is_read_from_the_words_of_the_refusal() -> None:
    error = read(RECORDED / "generativelanguage-googleapis-com-429-043.json")
    assert error.retry_after == pytest.approx(48.94, abs=0.01)
    assert "49 s" in error.message


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (402, '{"error":{"message":"Insufficient Balance"}}', "balance"),
        (
            429,
            (
                '{"error":{"message":"You exceeded your current quota, please check your plan and billing '
                'details.","type":"insufficient_quota","code":"insufficient_quota"}}'
            ),
            "balance",
        ),
        (
            400,
            (
                '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is '
                'too low to access the Anthropic API."}}'
            ),
            "balance",
        ),
        (
            429,
            (
                '{"error":{"message":"Request too large for gpt-4o on tokens per min (TPM): Limit '
                '30000","code":"rate_limit_exceeded"}}'
            ),
            "rate_limit",
        ),
        (529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded"),
        (503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', "overloaded"),
        (
            400,
            (
                '{"error":{"code":"content_filter","message":"The response was filtered due to the prompt '
                "triggering Azure OpenAI's content management policy.\"}}"
            ),
            "content_filter",
        ),
        (
            400,
            (
                '{"error":{"code":400,"message":"the request exceeds the available context size (8192 '
                'tokens), try increasing it","type":"exceed_context_size_error"}}'
            ),
            "context_overflow",
        ),
        *((400, json.dumps({"error": {"message": words}}), "context_overflow") for words in TOO_LONG),
        *((status, json.dumps({"error": {"message": words}}), "rate_limit") for status, words in TOO_OFTEN),
        (413, '{"error":{"message":"Request Entity Too Large"}}', "bad_request"),
        (500, "Internal Server Error", "internal"),
        (502, "<html><body>Bad gateway</body></html>", "internal"),
        (504, "", "timeout"),
        (404, '{"error":"model \\"llama9\\" not found, try pulling it first"}', "bad_request"),
        (422, '{"detail":[{"loc":["body","messages"],"msg":"field required"}]}', "bad_request"),
        (401, "", "auth"),
    ],
)
def test_refusals_in_the_wordings_of_other_vendors_are_told_apart(status: int, body: str, kind: str) -> None:
    assert refused(status, {}, body.encode(), vendor="V", model="m", key=None).kind == kind


@pytest.mark.parametrize(
    ("error", "kind", "again"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded", True),
        ({"message": "Provider returned error", "code": 502}, "internal", True),
        ({"code": 400, "message": "Token limit reached"}, "context_overflow", False),
        (
            {
                "message": "Tool choice is required, but model did not call a tool",
                "code": "tool_use_failed",
                "status_code": 400,
            },
            "bad_request",
            False,
        ),
        ({"code": "rate_limit_exceeded", "message": "Rate limit reached. Please try again in 1.5s."}, "rate_limit", True),
        ({"code": 499, "message": "The operation was cancelled.", "status": "CANCELLED"}, "internal", True),
        ("model runner has unexpectedly stopped", "internal", True),
    ],
)
def test_an_error_inside_a_stream_has_a_kind_too(error: object, kind: str, again: bool) -> None:
    told = in_stream(error)
    assert (told.kind, told.retryable) == (kind, again)


@pytest.mark.parametrize(
    ("headers", "text", "seconds"),
    [
        ({"retry-after": "3"}, "", 3),
        ({"retry-after-ms": "1500"}, "", 1.5),
        ({}, "try again in 20s", 20),
        ({}, "try again in 350ms", 0.35),
        ({}, "no", None),
        ({"retry-after": "soon"}, "", None),
        ({"retry-after": "\u00b3"}, "", None),
        ({"retry-after": "-1"}, "", None),
        ({"retry-after": "1m30s"}, "", 90),
        ({"retry-after": "30, 60"}, "", 30),
        ({"retry-after": "99999999"}, "", 864_000),
        ({}, "Please try again in 7m12.5s. Visit the console.", 432.5),
        ({}, "Please try again in 6m0s.", 360),
        ({}, "Try again in 2 hours", 7200),
        ({}, "Please wait 34 seconds before trying again", 34),
        ({}, "try again at 2026-12-01T00:00:00Z", None),
        ({}, '"details": [{"retryDelay": "13s"}]', 13),
    ],
)
def test_the_wait_a_vendor_asks_for_is_read_wherever_it_stands(
    headers: dict[str, str], text: str, seconds: float | None
) -> None:
    assert retry_after(headers, text) == (pytest.approx(seconds) if seconds is not None else None)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.2, "1 s"),
        (48.94, "49 s"),
        (119.4, "119 s"),
        (119.8, "2 min"),
        (121, "3 min"),
        (3599, "1 h"),
        (3660, "1 h 1 min"),
        (7200, "2 h"),
        (86_399, "1 d"),
        (90_001, "1 d 2 h"),
        (864_000, "10 d"),
    ],
)
def test_a_long_wait_is_told_in_minutes_hours_and_days(seconds: float, told: str) -> None:
    assert wait_text(seconds) == told


def test_a_wait_told_as_a_point_in_time_is_counted_from_now() -> None:
    soon = time.time() + 40
    date = datetime.fromtimestamp(soon, UTC)
    told: tuple[tuple[dict[str, str], str], ...] = (
        ({"retry-after": str(int(soon))}, ""),
        ({"retry-after": format_datetime(date, usegmt=True)}, ""),
        ({"retry-after": format_datetime(date.replace(tzinfo=None))}, ""),
        ({"retry-after": date.isoformat()}, ""),
        ({}, json.dumps({"error": {"metadata": {"headers": {"X-RateLimit-Reset": str(int(soon * 1000))}}}})),
    )
    for headers, text in told:
        assert retry_after(headers, text) == pytest.approx(40, abs=20), (headers, text)


def test_a_wait_named_in_the_details_of_an_error_in_a_stream_is_kept() -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13s"}]
    assert in_stream({"code": 429, "message": "Resource has been exhausted.", "details": details}).retry_after == 13


def test_what_looks_like_a_key_is_never_shown() -> None:
    body = b'{"error":{"message":"Incorrect API key provided: sk-proj-abcdefghijklmnop1234. And gsk_abcdefghijklmnop1234."}}'
    error = refused(401, {}, body, vendor="V", model="m", key=None)
    assert "abcdefghijklmnop" not in f"{error.message}{error.detail}"
