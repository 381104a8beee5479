"""One shape of an answer that a vendor is known to send, and what it comes to."""

from dataclasses import dataclass, field
from typing import Any

from tests.providers.speaking import ask, parsed, tool

ONE: tuple[Any, ...] = (("f", {"n": 1}),)
TWO: tuple[Any, ...] = (*ONE, ("g", {"m": 2}))
USED: dict[str, int | None] = {"input_tokens": 5, "output_tokens": 2}


@dataclass(frozen=True)
class Shape:
    """A body and what it comes to; `usage` holds the counts that are looked at."""

    name: str
    body: bytes
    text: str = ""
    thinking: str = ""
    calls: tuple[Any, ...] = ()
    stop: str = "end"
    error: str | None = None
    detail: str | None = None
    usage: dict[str, int | None] = field(default_factory=dict[str, int | None])
    protocol: str = "openai-chat"

    def check(self) -> None:
        """Read in one piece and in small ones."""
        request = ask("Go on.", tools=tuple(tool(name) for name in ("f", "g", "f_one")))
        for size in (len(self.body), 11):
            heard = parsed(self.protocol, [self.body[i : i + size] for i in range(0, len(self.body), size)], request)
            calls = tuple((c.name, c.arguments) for c in heard.calls if c.invalid is None)
            kind = heard.error.kind if heard.error else None
            assert (heard.text, heard.thinking, calls, kind) == (self.text, self.thinking, self.calls, self.error)
            if kind is None:
                assert heard.end.stop_reason == self.stop
                assert self.detail in (None, heard.end.stop_detail)
                assert {name: getattr(heard.end.usage, name) for name in self.usage} == self.usage
