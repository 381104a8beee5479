"""What a model takes not of a request, told by the words of its refusal: it is asked once more without that."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from app.core.messages import Message, TextBlock
from app.core.provider import Request
from app.providers.vendors import Vendor

Asked: TypeAlias = tuple[Request, Vendor]
NOT = (
    r"(not support|unsupported|not (be )?(allowed|enabled|available|permitted)|n.t support|not accept|unknown|unrecogni|extra)"
)
# The words are those of Ollama, vLLM, llama.cpp, OpenRouter, Groq, Gemini's API for Gemma, OpenAI and Moonshot.
TOOLS = (
    r"(not|n.t) support.{0,20}(\btools?\b|tool.?(use|call)|function.?call)|support tool use|enable-auto-tool-choice|"
    r"tools?( param\w*)? requires? --jinja|(tool|function).?(use|calling)['\"`]? is not (supported|enabled)|"
    r"['\"`]?tools['\"`]? (is|are) not supported"
)
SYSTEM = (
    r"developer instruction is not enabled|"
    r"system (instructions?|prompts?|messages?|role) (is |are )?not (supported|enabled|allowed)|"
    r"not support ['\"`]?system|only user and assistant roles"
)
THINKING = (
    rf"(reason|think|effort|chat_template_kwargs).{{0,80}}({NOT}|mandatory|cannot be (disabled|turned)|must be|invalid)|"
    rf"({NOT}|invalid|only).{{0,60}}(reason|think|effort|chat_template_kwargs)"
)
MUST_THINK = r"mandatory|cannot be (disabled|turned)"
TEMPERATURE = rf"temperature.{{0,60}}({NOT}|\bonly\b|deprecated)|{NOT}.{{0,40}}temperature"
PICTURES = (
    r"not support.{0,30}(image|vision|multimodal)|support image input|"
    r"(image|vision)( input)?s? (is|are) not (supported|enabled)|"
    r"missing data required for image input|mmproj|not a (multimodal|vision) model|"
    r"image_url.{0,60}(only|not) supported|unknown variant .{0,4}image_url"
)


@dataclass(frozen=True, slots=True)
class Concession:
    """`words` of the refusal, the key of the sentence that tells it, and how less is asked: None where there is no less."""

    words: re.Pattern[str]
    key: str
    less: Callable[[Request, Vendor, str], Asked | None]


def concede(refusal: str, request: Request, vendor: Vendor) -> tuple[Asked, str] | None:
    """What to ask instead, and the key of the sentence that says so; None where the refusal is about something else."""
    for concession in CONCESSIONS:
        if concession.words.search(refusal) and (asked := concession.less(request, vendor, refusal)):
            return asked, concession.key
    return None


def _tools(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    return (replace(request, tools=(), tool_choice="auto"), vendor) if request.tools else None


def _system(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    """The words of the system prompt stand before the first message."""
    if not request.system.strip():
        return None
    words = TextBlock(text=request.system)
    first, *rest = request.messages or (Message(id="m_system", role="user", blocks=()),)
    if first.role == "user":
        messages = (first.model_copy(update={"blocks": (words, *first.blocks)}), *rest)
    else:
        messages = (Message(id="m_system", role="user", blocks=(words,)), first, *rest)
    return replace(request, system="", messages=messages), vendor


def _thinking(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    """As the model does by itself; as little as it can where it was told not to and must."""
    if request.thinking is None:
        return None
    must = request.thinking in ("off", 0) and re.search(MUST_THINK, refusal, re.IGNORECASE)
    return replace(request, thinking="low" if must else None), vendor


def _temperature(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    return None if request.temperature is None else (replace(request, temperature=None), vendor)


def _pictures(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    if not vendor.quirks.images or not any(m.media_type.startswith("image/") for m in request.media.values()):
        return None
    return request, replace(vendor, quirks=replace(vendor.quirks, images=False))


def _stream_options(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    if not vendor.quirks.stream_options:
        return None
    return request, replace(vendor, quirks=replace(vendor.quirks, stream_options=False))


def _max_tokens(request: Request, vendor: Vendor, refusal: str) -> Asked | None:
    """The field's other name."""
    if request.max_tokens is None or vendor.quirks.max_tokens == "max_completion_tokens":
        return None
    return request, replace(vendor, quirks=replace(vendor.quirks, max_tokens="max_completion_tokens"))


def _made(words: str, key: str, less: Callable[[Request, Vendor, str], Asked | None]) -> Concession:
    return Concession(re.compile(words, re.IGNORECASE | re.DOTALL), key, less)


CONCESSIONS = (
    _made(r"stream_options", "askedOtherwise", _stream_options),
    _made(r"max_tokens.{0,60}max_completion_tokens", "askedOtherwise", _max_tokens),
    _made(TOOLS, "withoutTools", _tools),
    _made(SYSTEM, "withoutSystem", _system),
    _made(TEMPERATURE, "withoutTemperature", _temperature),
    _made(PICTURES, "withoutPictures", _pictures),
    _made(THINKING, "withoutThinking", _thinking),
)
