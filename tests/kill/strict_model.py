"""A chat completions server that goes by the history alone and refuses, as the strictest do, one that does not pair up."""

import json
import threading
import time
from collections.abc import Iterator
from typing import Any, Self

from tests.kill.case import END
from tests.providers.stand_in import Asked, Reply, StandIn, sse
from tests.providers.strict import RefusalError, openai_chat

PAUSE_SECONDS = 0.01
"""Between two pieces of a reply, so that a kill can fall between them."""
STEPS: tuple[tuple[tuple[str, dict[str, Any]], ...], ...] = (
    (("counting__count", {"n": 1}),),
    (("counting__count", {"n": 2}), ("filesystem__write_file", {"path": "two.txt", "content": "two"})),
    (("counting__count", {"n": 3, "size": 9000}), ("filesystem__read_text_file", {"path": "two.txt"})),
)


class StrictModel:
    """Asks for the next count that the history has not; `refused` are the requests' faults."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self._server = StandIn(self._reply)
        self._lock = threading.Lock()
        self._calls = 0

    @property
    def url(self) -> str:
        return f"{self._server.url}/v1"

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *wrong: object) -> None:
        self._server.__exit__(*wrong)

    def _reply(self, asked: Asked) -> Reply:
        if asked.method != "POST":
            return Reply([json.dumps({"data": [{"id": "local"}]}).encode()], headers={"Content-Type": "application/json"})
        try:
            openai_chat(asked.body)
        except RefusalError as wrong:
            self.refused.append(str(wrong))
            told = {"error": {"message": str(wrong), "type": "invalid_request_error"}}
            return Reply([json.dumps(told).encode()], 400, {"Content-Type": "application/json"})
        counted = {given["n"] for given in self._given(asked.body["messages"]) if "n" in given}
        return Reply(self._said(len(counted)))

    def _given(self, messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        for message in messages:
            for called in message.get("tool_calls") or ():
                yield json.loads(called["function"]["arguments"])

    def _said(self, step: int) -> Iterator[bytes]:
        for piece in (END if step == len(STEPS) else f"Step {step + 1} of three.").split(" "):
            yield self._chunk(content=f"{piece} ".replace("counted. ", "counted."))
        for index, (name, given) in enumerate(STEPS[step] if step < len(STEPS) else ()):
            with self._lock:
                self._calls += 1
                call_id = f"call_{self._calls}"
            text = json.dumps(given)
            first = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": text[:5]}}
            yield self._chunk(tool_calls=[first])
            yield self._chunk(tool_calls=[{"index": index, "function": {"arguments": text[5:]}}])
        yield self._chunk(reason="stop" if step == len(STEPS) else "tool_calls")
        yield b"data: [DONE]\n\n"

    def _chunk(self, reason: str | None = None, **delta: Any) -> bytes:
        time.sleep(PAUSE_SECONDS)
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return sse({"id": "c1", "model": "local", "choices": [choice]})[0]
