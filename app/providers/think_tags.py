"""Thinking that a model writes into its text between tags such as `<think>`, at the very start of the reply."""

import re
from typing import TypeAlias

from app.providers.reply import Reply

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


CLOSER = re.compile(r"</think(ing)?>", re.IGNORECASE)
TAGS = ("</think>", "</thinking>", "<think")


class Unopened:
    """Tells a reply's text; at a closing tag that nothing opened, the text so far turns out to have been thinking.

    Templates that write the opening tag into the prompt leave the closing one alone to the model. It counts at the end of
    a line, outside code, and while nothing but text was said.
    """

    __slots__ = ("_held", "_over", "_reply", "_trim")

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._held = ""
        self._over = False
        self._trim = False

    def text(self, text: str) -> None:
        if self._over or not (self._held or self._trim or "<" in text):
            self._reply.text(text)
        elif self._trim:
            self._after(text)
        else:
            self._look(self._held + text)

    def texts(self, texts: list[str]) -> None:
        """Several pieces in a row, which is the hot path."""
        if self._over or not (self._held or self._trim or any("<" in text for text in texts)):
            self._reply.texts(texts)
        else:
            for text in texts:
                self.text(text)

    def close(self) -> None:
        """The text is over: something else begins, or nothing more."""
        held, self._held = self._held, ""
        if CLOSER.fullmatch(held.strip()):
            self._thought("")
        else:
            self._reply.text(held)
        self._over, self._trim = True, False

    def _look(self, held: str) -> None:
        self._held = ""
        found = CLOSER.search(held)
        before = held[: found.start()] if found else held
        if self._reply.kinds - {"text"} or "<think" in before or (found and self._in_code(before)):
            self._over = True
        elif found and held[found.end() :].startswith(("\n", "\r")):
            self._thought(before)
            self._after(held[found.end() :])
            return
        elif found:
            self._over = found.end() < len(held)
            self._held = "" if self._over else found.group()
        elif any(tag.startswith(rest := held[held.rfind("<") :].lower()) for tag in TAGS):
            self._held = held[len(held) - len(rest) :]
        told = held[: len(held) - len(self._held)]
        if self._held and not told.strip() and not self._reply.open:
            self._held = held  # nothing but white space: no block is begun for it
        else:
            self._reply.text(told)

    def _in_code(self, before: str) -> bool:
        return (self._reply.so_far + before).count("```") % 2 == 1

    def _thought(self, before: str) -> None:
        if before.strip() or self._reply.open:
            self._reply.text(before)
            self._reply.recast()
        self._trim = True

    def _after(self, text: str) -> None:
        if text := text.lstrip():
            self._over, self._trim = True, False
            self._reply.text(text)
