"""Events of a long reply differ in one piece of text only: what is around it is checked once and not parsed again."""

from collections.abc import Callable
from typing import Any

import orjson

PROBE = "\x01probe"
PROBE_JSON = orjson.dumps(PROBE)
QUOTE = b'"'
MISSES = 8
"""Events in a row that fit no mould after which none is made: this server puts something new into each."""


class Mould:
    """`head` and `tail` are the bytes around the text, its quotes included; empty where nothing is known.

    `more(payload)` gives the text of a payload that says nothing but more of the text being said, else None, and has no
    effect; `say` tells several such texts. `misses` counts moulds made since one fitted.
    """

    __slots__ = ("_more", "head", "misses", "say", "tail")

    def __init__(self, more: Callable[[Any], str | None], say: Callable[[list[str]], None]) -> None:
        self.head = self.tail = b""
        self.say = say
        self._more = more
        self.misses = 0

    def forget(self) -> None:
        """Something else was said: the same bytes may mean another thing now."""
        self.head = self.tail = b""

    def learn(self, event: bytes, payload: Any) -> None:
        """From an event that was read whole. A JSON string in place of another leaves all around it as it was."""
        self.forget()
        if self.misses > MISSES or not (text := self._more(payload)):
            return
        self.misses += 1
        head, found, tail = event.partition(orjson.dumps(text))
        if found and self._more(_data(head + PROBE_JSON + tail)) == PROBE:
            self.head, self.tail = head + QUOTE, QUOTE + tail

    def said(self, run: list[bytes]) -> bool:
        """Tell the texts of events in a row, each as it stands between its quotes; False, and nothing told, where one is odd.

        Read as one list: a text that ends in a backslash might swallow the next, one with a quote of its own counts as more.
        """
        joined = b'","'.join(run)
        if b'\\","' in joined:
            return False
        try:
            texts = orjson.loads(b'["' + joined + b'"]')
        except orjson.JSONDecodeError:
            return False
        if len(texts) != len(run):
            return False
        self.misses = 0
        self.say(texts)
        return True


def _data(event: bytes) -> Any:
    """The JSON of the event's last line."""
    try:
        return orjson.loads(event[event.rfind(b"\n") + 1 :].removeprefix(b"data: "))
    except orjson.JSONDecodeError:
        return None
