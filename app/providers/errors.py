"""A refusal or a broken answer as one ProviderError: its kind, a sentence that says what to do, the raw detail, no key."""

import re
from collections.abc import Mapping
from typing import Any

from app.core.messages import ErrorKind
from app.core.provider import ProviderError
from app.core.saying import Hole
from app.providers.asked_wait import retry_after, wait_text
from app.providers.body import parse, shorten
from app.providers.sentences import failure
from app.providers.shapes import is_list, is_object, object_of

OVERFLOW = re.compile(
    r"context.{0,3}(length|window|size)|context_length|maximum context|too many tokens|too_many_(prompt_)?tokens|"
    r"prompt (is )?too long|input is too long|token count.{0,40}exceed|exceeds? the (max|maximum)?.{0,30}(tokens|context)|"
    r"total length of all messages|reduce the length|too large for model|request too large.{0,80}tokens|"
    r"max(imum)? (number of )?(input |prompt )?tokens|input length.{0,40}exceed|exceed.{0,40}context|token limit|"
    r"available context size|prompt contains .{0,20}tokens.{0,40}too large|maximum prompt length|prompt exceeds.{0,10}max|"
    r"token count.{0,40}only supports|longer than the max(imum)? .{0,10}length|max_tokens must be at least 1, got -|"
    r"inputs.{0,3}tokens \+ .{0,3}max_new_tokens|range of input length should be",
    re.IGNORECASE,
)
PERIOD = re.compile(
    r"\b(hourly|daily|weekly|monthly)\b.{0,30}\b(limit|quota)|\b(limit|quota)\b.{0,40}\bper (hour|day|week|month)\b",
    re.IGNORECASE,
)
"""A limit of tokens over a time is none of one request's length."""
TOKENS_PER_MINUTE = re.compile(r"per min|per minute|\btpm\b|\brpm\b|rate.?limit", re.IGNORECASE)
BALANCE = re.compile(
    r"insufficient.{0,3}(quota|balance|credit|fund)|out of credit|credit balance|payment|billing.{0,20}(limit|not)|"
    r"billing_error|exceeded_current_quota|requires? more credits|check your plan and billing",
    re.IGNORECASE,
)
BAD_KEY = re.compile(
    r"authentication|permission_error|invalid_api_key|incorrect api key|invalid api key|api key not valid|"
    r"unauthori[sz]ed|unauthenticated|login fail",
    re.IGNORECASE,
)
FILTERED = re.compile(
    r"content.?(filter|policy|management)|responsible ?ai|safety|flagged|moderation|prohibited|data_inspection", re.IGNORECASE
)
MODEL = re.compile(
    r"model.{0,80}(not (found|exist)|does ?n.t exist|do(es)? not exist|removed|decommission|deprecated|not supported|unknown)|"
    r"model_not_found|no such model|unknown model|invalid model|no endpoints found|^model: ",
    re.IGNORECASE,
)
OVERLOADED = re.compile(
    r"overload|capacity|temporarily unavailable|service.?unavailable|unavailable|try again later|loading model|"
    r"insufficient_system_resource",
    re.IGNORECASE,
)
BROKEN = re.compile(
    r"api_error|server_error|internal|cancelled|provider returned|runner.{0,40}(stopped|terminated|crashed)|"
    r"(model|engine|server).{0,20}(has |is )?(crashed|died)|error was encountered while running the model",
    re.IGNORECASE,
)
FIREWALL = re.compile(r"error code: 1\d{3}", re.IGNORECASE)
"""All that Cloudflare says to a program that it does not let through ("Cloudflare 1xxx errors")."""
REGION = re.compile(
    r"unsupported_country|(user location|your (country|region|location)|country(,| or) (region|territory)).{0,40}"
    r"(not (supported|available|allowed)|unsupported)|not (supported|available) in your (country|region|location)",
    re.IGNORECASE,
)
RATE = re.compile(r"rate.?limit|too many requests|resource.?exhausted|quota|throttl", re.IGNORECASE)
STATUSES = ("code", "status_code", "http_code", "status", "StatusCode")
"""Where an HTTP status may stand in an error object; longer numbers there are the vendor's own."""
SECRETS = re.compile(r"\b(sk|pk|gsk|xai|key|AIza|hf|csk|pplx|r8|Bearer\s+ey)[-_A-Za-z0-9.]{12,}")


def refused(status: int, headers: Mapping[str, str], body: bytes, *, vendor: str, model: str, key: str | None) -> ProviderError:
    """An answer with an error status."""
    text = hide(shorten(body), key)
    word, said = read_error(body)
    said = hide(said, key)
    if not said and body.lstrip()[:1] == b"<":
        said, word = "", "html"
    on_the_way = _on_the_way(status, word, said)
    kind = "network" if on_the_way else kind_of(status, word, said)
    wait = retry_after(headers, text)
    retryable = (
        kind in ("rate_limit", "overloaded", "timeout", "network")
        or (kind == "internal" and status >= 500)
        or status in (408, 409, 425)
    )
    if status in (400, 401, 403, 404, 413) or on_the_way:
        retryable = False
    key, holes = words(kind, status, said, vendor, model, wait, word)
    if on_the_way:
        key, holes = on_the_way, {"who": vendor, "status": status, "reason": said}
    return failure(kind, key, text or f"HTTP {status}", holes=holes, status=status, retryable=retryable, retry_after=wait)


def _on_the_way(status: int, word: str, said: str) -> str | None:
    """The key of the sentence for what a proxy, a network or a firewall says in the vendor's place; None for the vendor."""
    if status in (407, 511):
        return "proxy" if status == 407 else "signIn"
    walled = word == "html" or FIREWALL.fullmatch(said.strip())
    return "firewall" if status in (403, 406, 451) and walled else None


def in_stream(error: Any) -> ProviderError:
    """An error inside a stream that began as 200: an object, a string, or an object around one."""
    if is_list(error) and error:
        error = error[0]
    inner: Any = error.get("error") if is_object(error) else None
    if inner and (is_object(inner) or isinstance(inner, str)):
        error = inner
    fields: dict[str, Any] = error if is_object(error) else {"message": str(error)}
    status = next((int(code) for name in STATUSES if re.fullmatch(r"[345]\d\d", code := str(fields.get(name)))), 0)
    word = " ".join(str(fields.get(k) or "") for k in ("type", "code", "status"))
    said = hide(_said(fields), None)
    kind = kind_of(status, word, said)
    retryable = kind in ("rate_limit", "overloaded", "internal", "network", "timeout")
    wait = retry_after({}, f"{said} {error!r}"[:4000])
    key, holes = words(kind, status, said, "", "", wait, word)
    if key == "refused":
        key, holes = "reported", {"reason": said}
    return failure(
        kind, key, hide(repr(error), None)[:2000], holes=holes, status=status or None, retryable=retryable, retry_after=wait
    )


def complaint(payload: dict[str, Any]) -> Any:
    """What a JSON object says that is an error and no part of a reply, in whatever words; None where it is a part of one."""
    if error := payload.get("error"):
        return error if error is not True else payload
    if payload.get("object") == "error" or payload.get("type") == "error":
        return payload
    about = object_of(payload.get("base_resp"))
    if about.get("status_code"):  # MiniMax
        return {"message": about.get("status_msg"), "code": str(about["status_code"])}
    if is_list(errors := payload.get("errors")) and errors:
        return errors[0]
    if payload.keys() & {"choices", "candidates", "usage", "usageMetadata", "response", "content", "output"}:
        return None
    if payload.get("detail") or payload.get("msg") or isinstance(payload.get("message"), str):
        return payload
    return None


def kind_of(status: int, word: str, said: str) -> ErrorKind:
    """The contract's kind. Wordings count before statuses: many servers say everything with 400."""
    both = f"{word} {said}"
    limited = PERIOD.search(both) or (status in (413, 429) and TOKENS_PER_MINUTE.search(both))
    if OVERFLOW.search(both) and not limited:
        return "context_overflow"
    if status == 402 or (
        BALANCE.search(both) and not re.search(r"retry in|free_tier|per.?(minute|day)|Quota exceeded for metric", both)
    ):
        return "balance"
    if status == 429 or limited or (status in (0, 200) and RATE.search(both)):
        return "rate_limit"
    if REGION.search(both):
        return "bad_request"
    if (status in (401, 403) and not FILTERED.search(both)) or (status < 500 and BAD_KEY.search(both)):
        return "auth"
    if status in (408, 504, 524) or "timeout" in word.lower():
        return "timeout"
    if status in (503, 529, 498) or ((status >= 500 or status == 0) and OVERLOADED.search(both)):
        return "overloaded"
    if FILTERED.search(word) or (status in (400, 403) and FILTERED.search(said) and not MODEL.search(said)):
        return "content_filter"
    if status >= 500 or (status in (0, 499) and BROKEN.search(both)):
        return "internal"
    return "bad_request"


def words(
    kind: ErrorKind, status: int, said: str, vendor: str, model: str, wait: float | None, word: str
) -> tuple[str, dict[str, Hole | None]]:
    """The sentence that says what happened and what to do, as its key and what fills it."""
    holes: dict[str, Hole | None] = {"who": vendor, "reason": said}
    match kind:
        case "auth" | "balance" | "overloaded":
            return kind, holes
        case "rate_limit":
            if wait and wait >= 1:
                return "rateLimitFor", {**holes, "wait": wait_text(wait)}
            return "rateLimit", holes
        case "context_overflow":
            return ("tooLong", {"model": model, "reason": said}) if model else ("tooLongHere", {"reason": said})
        case "content_filter":
            return "filtered", holes
        case "timeout":
            return "slow", holes
        case "internal":
            return ("internal", {**holes, "status": status}) if status else ("internalInside", holes)
        case _:
            return _bad_request(status, holes, model, word)


def _bad_request(status: int, holes: dict[str, Hole | None], model: str, word: str) -> tuple[str, dict[str, Hole | None]]:
    if REGION.search(f"{word} {holes['reason']}"):
        return "region", holes
    if MODEL.search(str(holes["reason"])) or MODEL.search(word):
        return ("noModel", {**holes, "model": model}) if model else ("noSuchModel", holes)
    if status in (404, 405) or word == "html":
        return "noServer", {**holes, "status": status}
    return ("tooLarge", holes) if status == 413 else ("refused", {**holes, "status": status})


def read_error(body: bytes) -> tuple[str, str]:
    """`(code words, message)` of an error body in any vendor's shape."""
    try:
        value = parse(body)
    except ValueError:
        text = body.decode("utf-8", errors="replace").strip()
        return "", "" if text.startswith(("<", "{", "[")) else text[:500]  # a page, or JSON that broke off
    if is_list(value) and value:
        value = value[0]
    if not is_object(value):
        return "", str(value)[:500]
    inner = value.get("error")
    fields: dict[str, Any] = inner if is_object(inner) else value
    code = " ".join(
        str(v)
        for source in (value, fields)
        for k in ("type", "code", "status", "error_type")
        if isinstance(v := source.get(k), str | int)
    )
    return code, _said(fields) or (inner if isinstance(inner, str) else "") or _said(value)


def _said(fields: dict[str, Any]) -> str:
    message = fields.get("message") or fields.get("detail") or fields.get("msg") or ""
    if is_list(message):  # FastAPI's validation errors
        message = "; ".join(
            f"{'.'.join(str(p) for p in m.get('loc', ()))}: {m.get('msg', m)}" if is_object(m) else str(m) for m in message
        )
    if is_object(message):
        message = _said(message)
    upstream = object_of(fields.get("metadata")).get("raw")
    return f"{message}: {upstream}"[:1000] if upstream else str(message)[:1000]


def hide(text: str, key: str | None) -> str:
    """No key in what is shown or logged: neither ours nor anything that looks like one."""
    if key and len(key) >= 4:
        text = text.replace(key, "…")
    return SECRETS.sub("…", text)
