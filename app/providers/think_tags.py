"""Thinking that a model writes into its text between tags such as `<think>`, at the very start of the reply."""

from typing import TypeAlias

Part: TypeAlias = tuple[bool, str]
OPENERS = ("<think>", "<thinking>", "<thought>", "<reasoning>", "<seed:think>", "[think]", "◁think▷")
"""Of DeepSeek and most, Claude's imitators, Gemma, gpt-oss on Bedrock, Seed, Mistral and Kimi, in any case; each closes as it
was opened."""


class ThinkTags:
    """Splits text into thinking and text however it is cut. `plain` is True once all that follows is text."""

    def __init__(self) -> None:
        self.plain = False
        self._held = ""
        self._closer = ""
        self._said = False
        self._trim = False

    def feed(self, text: str) -> list[Part]:
        """Parts `(is_thinking, text)`, without the tags and the white space around them."""
        if self.plain:
            return [(False, text)]
        held = self._held + text
        self._held = ""
        if self._trim:
            return self._after(held)
        return self._inside(held) if self._closer else self._before(held)

    def close(self) -> list[Part]:
        """What was held back when the reply ended."""
        held, self._held = self._held, ""
        if not held:
            return []
        if self._closer and not self._trim:
            return [(True, held.rstrip())] if held.strip() else []
        return [(False, held)] if not self._trim else []

    def _before(self, held: str) -> list[Part]:
        start = held.lstrip()
        for opener in OPENERS:
            written = start[: len(opener)]
            if written.lower() == opener:
                self._closer = f"{written[0]}/{written[1:]}"
                return self._inside(start[len(opener) :])
        if not start or any(opener.startswith(start.lower()) for opener in OPENERS):
            self._held = held
            return []
        self.plain = True
        return [(False, held)]

    def _inside(self, held: str) -> list[Part]:
        at = held.find(self._closer)
        if at < 0:
            return self._thinking(held, self._hold_from(held))
        parts = self._thinking(held[:at].rstrip(), at)
        self._held = ""
        self._trim = True
        return parts + self._after(held[at + len(self._closer) :])

    def _hold_from(self, held: str) -> int:
        """Where trailing white space or the beginning of a closing tag starts."""
        cut = len(held)
        at = held.rfind(self._closer[0], max(0, len(held) - len(self._closer)))
        if at >= 0 and self._closer.startswith(held[at:]):
            cut = at
        return len(held[:cut].rstrip())

    def _thinking(self, held: str, cut: int) -> list[Part]:
        said, self._held = held[:cut], held[cut:]
        if not self._said:
            said = said.lstrip()
        self._said = self._said or bool(said)
        return [(True, said)] if said else []

    def _after(self, held: str) -> list[Part]:
        text = held.lstrip()
        if not text:
            return []
        self.plain = True
        return [(False, text)]
