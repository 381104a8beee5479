"""The table of vendors: who speaks which protocol where, and in what they differ. A new vendor is one row."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ProtocolName: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic", "gemini", "ollama", "demo"]
PROTOCOLS: tuple[ProtocolName, ...] = get_args(ProtocolName)
ThinkingStyle: TypeAlias = Literal["none", "effort", "two-way", "openrouter", "type", "template", "perplexity"]


@dataclass(frozen=True, slots=True)
class Quirks:
    """Where a vendor's `openai-chat` differs.

    `thinking`: how it is asked for: `effort` (`reasoning_effort`; `two-way`: on or off alone for some models), `openrouter`
    (`reasoning: {…}`), `type` (`thinking: {type}`), `template` (`chat_template_kwargs`). `echo`: thinking text goes back as
    `reasoning_content` with the replies it belongs to.
    `max_tools`, `description` (characters): the vendor's limits. `short_ids`: tool call ids of nine letters.
    `alternate`: user and assistant strictly in turn. `answer_results`: no user message right after tool results.
    """

    max_tokens: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    stream_options: bool = True
    thinking: ThinkingStyle = "none"
    echo: bool = False
    images: bool = True
    tools: bool = True
    max_tools: int | None = 128
    description: int | None = None
    short_ids: bool = False
    alternate: bool = False
    answer_results: bool = False
    key_header: str = "authorization"


@dataclass(frozen=True, slots=True)
class Vendor:
    """`base_url` empty: the user gives it. `key_variable`: the usual environment variable. `local`: here, no key."""

    name: str
    title: str
    protocol: ProtocolName
    base_url: str = ""
    key_variable: str | None = None
    key_url: str | None = None
    local: bool = False
    model: str = ""
    quirks: Quirks = Quirks()
    base_url_variable: str | None = None


PLAIN = Quirks(thinking="effort")
OPENAI = Quirks(max_tokens="max_completion_tokens", thinking="effort", description=1024)
THINKS_BY_TYPE = Quirks(thinking="type", echo=True)
LOCAL = Quirks(thinking="template", max_tools=None)

_ROWS = (
    Vendor(
        "openai",
        "OpenAI",
        "openai-responses",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        "https://platform.openai.com/api-keys",
        model="gpt-5.1",
        quirks=OPENAI,
        base_url_variable="OPENAI_BASE_URL",
    ),
    Vendor(
        "anthropic",
        "Anthropic",
        "anthropic",
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
        "https://console.anthropic.com/settings/keys",
        model="claude-sonnet-4-5",
        base_url_variable="ANTHROPIC_BASE_URL",
    ),
    Vendor(
        "gemini",
        "Google Gemini",
        "gemini",
        "https://generativelanguage.googleapis.com",
        "GEMINI_API_KEY",
        "https://aistudio.google.com/apikey",
        model="gemini-2.5-flash",
    ),
    Vendor(
        "openrouter",
        "OpenRouter",
        "openai-chat",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        "https://openrouter.ai/settings/keys",
        model="openrouter/auto",
        quirks=Quirks(thinking="openrouter"),
    ),
    Vendor(
        "deepseek",
        "DeepSeek",
        "openai-chat",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
        "https://platform.deepseek.com/api_keys",
        model="deepseek-chat",
        quirks=Quirks(thinking="type", echo=True, images=False),
    ),
    Vendor(
        "moonshot",
        "Kimi (Moonshot)",
        "openai-chat",
        "https://api.moonshot.ai/v1",
        "MOONSHOT_API_KEY",
        "https://platform.moonshot.ai/console/api-keys",
        model="kimi-k2.5",
        quirks=THINKS_BY_TYPE,
    ),
    Vendor(
        "moonshot-cn",
        "Kimi (Moonshot, China)",
        "openai-chat",
        "https://api.moonshot.cn/v1",
        "MOONSHOT_API_KEY",
        "https://platform.moonshot.cn/console/api-keys",
        model="kimi-k2.5",
        quirks=THINKS_BY_TYPE,
    ),
    Vendor(
        "mistral",
        "Mistral",
        "openai-chat",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        "https://console.mistral.ai/api-keys",
        model="mistral-medium-latest",
        quirks=Quirks(thinking="two-way", stream_options=False, short_ids=True, answer_results=True),
    ),
    Vendor(
        "groq",
        "Groq",
        "openai-chat",
        "https://api.groq.com/openai/v1",
        "GROQ_API_KEY",
        "https://console.groq.com/keys",
        model="openai/gpt-oss-120b",
        quirks=Quirks(thinking="two-way"),
    ),
    Vendor(
        "xai",
        "xAI",
        "openai-chat",
        "https://api.x.ai/v1",
        "XAI_API_KEY",
        "https://console.x.ai",
        model="grok-4-fast-reasoning",
        quirks=Quirks(),
    ),
    Vendor(
        "together",
        "Together",
        "openai-chat",
        "https://api.together.xyz/v1",
        "TOGETHER_API_KEY",
        "https://api.together.ai/settings/api-keys",
        model="meta-llama/Llama-3.3-70B-Instruct-Turbo",
        quirks=PLAIN,
    ),
    Vendor(
        "cerebras",
        "Cerebras",
        "openai-chat",
        "https://api.cerebras.ai/v1",
        "CEREBRAS_API_KEY",
        "https://cloud.cerebras.ai",
        model="gpt-oss-120b",
        quirks=Quirks(max_tokens="max_completion_tokens", thinking="effort", images=False),
    ),
    Vendor(
        "perplexity",
        "Perplexity",
        "openai-chat",
        "https://api.perplexity.ai",
        "PERPLEXITY_API_KEY",
        "https://www.perplexity.ai/settings/api",
        model="sonar",
        quirks=Quirks(stream_options=False, tools=False, alternate=True),
    ),
    Vendor(
        "azure",
        "Azure OpenAI",
        "openai-chat",
        "",
        "AZURE_OPENAI_API_KEY",
        "https://portal.azure.com",
        model="",
        quirks=Quirks(max_tokens="max_completion_tokens", thinking="effort", description=1024, key_header="api-key"),
    ),
    Vendor("ollama", "Ollama", "ollama", "http://127.0.0.1:11434", None, None, local=True, quirks=LOCAL),
    Vendor("lmstudio", "LM Studio", "openai-chat", "http://127.0.0.1:1234/v1", None, None, local=True, quirks=LOCAL),
    Vendor("llamacpp", "llama.cpp", "openai-chat", "http://127.0.0.1:8080/v1", None, None, local=True, quirks=LOCAL),
    Vendor("jan", "Jan", "openai-chat", "http://127.0.0.1:1337/v1", None, None, local=True, quirks=LOCAL),
    Vendor("vllm", "vLLM", "openai-chat", "http://127.0.0.1:8000/v1", None, None, local=True, quirks=LOCAL),
    Vendor("custom", "Custom (OpenAI-compatible)", "openai-chat", "", None, None),
    Vendor("demo", "Demo (scripted, no AI)", "demo", "", None, None, local=True, model="demo"),
)

VENDORS: dict[str, Vendor] = {row.name: row for row in _ROWS}


def vendor_at(base_url: str) -> Vendor | None:
    """The row whose host this address has: someone who types a known vendor's address gets its quirks."""
    host = _host(base_url)
    return next((row for row in _ROWS if row.base_url and not row.local and host == _host(row.base_url)), None)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2].lower()
