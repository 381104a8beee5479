"""The options that `ask` and `chat` share, and the run they describe."""

import argparse
import sys
from pathlib import Path

from app.chat.leochat import Run
from app.chat.models import Given
from app.core.provider import Thinking
from app.core.tidy import clean
from app.mcp_host.bundled import discover
from app.mcp_host.config import ServerConfig, accept_launch, command_line, load_servers
from app.mcp_host.pasted import parse_pasted
from app.settings import SettingsFile


class UsageError(Exception):
    """The words of a command are wrong; its text says how."""


def read_options(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """The options, their texts with U+FFFD for bytes that are no UTF-8. Paths stay as they are, to be found by their bytes."""
    options = parser.parse_args(arguments)
    for name, value in vars(options).items():
        if isinstance(value, str):
            setattr(options, name, clean(value))
    return options


def add_model_options(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--provider", metavar="NAME", help="openai, anthropic, gemini, openrouter, ollama, … or demo")
    which.add_argument("--protocol", metavar="P", help="openai-chat, openai-responses, anthropic, gemini, ollama or demo")
    parser.add_argument("--base-url", metavar="URL", help="alone it means --protocol openai-chat")
    parser.add_argument("--api-key", metavar="KEY", help="else the vendor's variable, else the key ring")
    parser.add_argument("--model", metavar="M", help="its name at the provider (default: as saved)")
    parser.add_argument("--system", metavar="TEXT", help="the system prompt")
    approve = "ask on a terminal, else deny (default); let reads run and deny the rest; allow all calls; deny all"
    parser.add_argument("--approve", choices=("ask", "reads", "all", "none"), default="ask", help=approve)
    parser.add_argument("--max-rounds", type=int, metavar="N", help="model calls after which the task closes")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="of one reply")
    parser.add_argument("--temperature", type=float, metavar="T", help="0 is strict, 2 is free")
    parser.add_argument("--thinking", type=thinking, metavar="off|low|medium|high|N", help="N: in tokens")
    parser.add_argument("--server", action="append", default=[], metavar="NAME|FILE", help="add a server; may be repeated")
    parser.add_argument("--no-servers", action="store_true", help="start none but those of --server")


def thinking(text: str) -> Thinking:
    for level in ("off", "low", "medium", "high"):
        if text == level:
            return level
    try:
        budget = int(text)
    except ValueError:
        budget = -1
    if budget <= 0:
        raise argparse.ArgumentTypeError("off, low, medium, high or a number of tokens")
    return budget


def run_of(options: argparse.Namespace, home: Path) -> Run:
    """What the options say; UsageError where they contradict what there is."""
    for name in ("max_rounds", "max_tokens"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise UsageError(f"--{name.replace('_', '-')} must be at least 1.")
    provider = options.provider or options.protocol or ("openai-chat" if options.base_url else None)
    _check_provider(options.provider, options.protocol, home)
    given = Given(
        provider=provider,
        base_url=options.base_url,
        api_key=options.api_key,
        model=options.model,
        system=options.system,
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        thinking=options.thinking,
    )
    bundled, servers = _servers(options, home)
    return Run(given=given, approve=options.approve, max_rounds=options.max_rounds, servers=servers, bundled=bundled)


def _check_provider(provider: str | None, protocol: str | None, home: Path) -> None:
    from app.providers.vendors import PROTOCOLS, VENDORS

    if protocol and protocol not in PROTOCOLS:
        raise UsageError(f"There is no protocol {protocol!r}; known are {', '.join(PROTOCOLS)}.")
    if provider and provider not in VENDORS:
        own = [entry.name for entry in SettingsFile(home).value.providers]
        if provider not in own:
            raise UsageError(f"There is no provider {provider!r}; known are {', '.join([*VENDORS, *own])}.")


def _servers(options: argparse.Namespace, home: Path) -> tuple[tuple[str, ...] | None, tuple[ServerConfig, ...] | None]:
    """(bundled servers to run, configured ones); None: as saved."""
    ours = {b.name for b in discover()}
    try:
        saved = load_servers(home / "servers.json")
    except ValueError as error:
        if options.server:
            raise UsageError(str(error)) from error
        saved = ()  # opening LeoChat sets the file aside and says so
    wanted: list[ServerConfig] = []
    bundled: list[str] = []
    for word in options.server:
        if word in ours:
            bundled.append(word)
        elif found := next((c for c in saved if c.name == word), None):
            wanted.append(found.model_copy(update={"enabled": True}))
        else:
            wanted += _from_file(word)
    if options.no_servers:
        return tuple(bundled), tuple(wanted)
    if not options.server:
        return None, None
    return None, (*saved, *(w for w in wanted if w.name not in {c.name for c in saved}))


def _from_file(word: str) -> list[ServerConfig]:
    """The servers of an `mcpServers` file. Naming it is consent for this run; what it starts is said."""
    path = Path(word)
    if not path.is_file():
        raise UsageError(f"--server {word}: there is no server and no file of that name.")
    try:
        pasted = parse_pasted(path.read_text("utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"--server {word}: {error}") from error
    for note in pasted.notes:
        print(f"{path.name}: {note}", file=sys.stderr)
    for config in pasted.servers:
        print(f"starts {config.name}: {command_line(config)}", file=sys.stderr)
    return [accept_launch(c).model_copy(update={"enabled": True}) for c in pasted.servers]
