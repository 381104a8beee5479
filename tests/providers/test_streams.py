"""The recorded streams of many vendors, over real HTTP and cut anywhere, come to what was recorded."""

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.messages import Message
from app.providers.connect import connect
from tests.providers.speaking import Heard, ask, hear, parsed
from tests.providers.stand_in import Asked, Reply, StandIn

SHARED = Path(__file__).parents[3] / "shared"
STREAMS = SHARED / "streams"
pytestmark = pytest.mark.skipif(not STREAMS.is_dir(), reason="the recorded streams (../shared/streams) are not here")


def _check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("replay_check", SHARED / "checks" / "replay.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = _check() if STREAMS.is_dir() else None


def _streams() -> dict[str, Any]:
    if CHECK is None:
        return {}
    found = (CHECK.Stream(STREAMS, meta) for meta in sorted(STREAMS.glob("*/*.meta.json")))
    return {s.name: s for s in found if s.protocol not in CHECK.SKIPPED_PROTOCOLS}


ALL = _streams()


def difference(stream: Any, heard: Heard) -> str | None:
    """In the replay check's own words, or None."""
    assert CHECK is not None
    end = heard.events[-1] if heard.error is None else None
    message = Message(
        id="m",
        role="assistant",
        blocks=tuple(heard.blocks),
        stop_reason=getattr(end, "stop_reason", "error"),
        usage=getattr(end, "usage", None),
    )
    have = CHECK.got(json.dumps({"event": {"type": "message_end", "message": message.model_dump(mode="json")}}))
    for key, want in CHECK.wanted(stream).items():
        if not CHECK.same(key, want, have.get(key)):
            return f"{key}: wanted {want!r}, got {have.get(key)!r}"
    return None


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    def script(asked: Asked) -> Reply:
        stream = ALL["/".join(asked.path.split("?")[0].split("/")[1:3])]
        kind = "application/x-ndjson" if stream.protocol == "ollama" else "text/event-stream"
        return Reply(stream.pieces(byte_by_byte=False), headers={"Content-Type": kind})

    with StandIn(script) as running:
        yield running


@pytest.mark.parametrize("name", ALL)
async def test_a_recorded_stream_over_http_comes_to_what_was_recorded(name: str, server: StandIn) -> None:
    stream = ALL[name]
    provider = connect(stream.protocol, base_url=f"{server.url}/{name}", api_key="test-key")
    try:
        assert difference(stream, await hear(provider, ask("Go on.", model=stream.meta["model"] or "test-model"))) is None
    finally:
        await provider.aclose()


@pytest.mark.parametrize("name", [name for name, stream in ALL.items() if len(stream.body) < 20_000])
def test_a_recorded_stream_byte_by_byte_comes_to_the_same(name: str) -> None:
    stream = ALL[name]
    whole = parsed(stream.protocol, [stream.body])
    single = parsed(stream.protocol, [stream.body[i : i + 1] for i in range(len(stream.body))])
    assert same_but_ids(single) == same_but_ids(whole)
    assert difference(stream, single) is None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_cut_of_any_recorded_stream_gives_the_same_events(data: st.DataObject) -> None:
    stream = ALL[data.draw(st.sampled_from(sorted(ALL)))]
    body = stream.body
    places = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=20)))
    pieces = [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]
    assert same_but_ids(parsed(stream.protocol, pieces)) == same_but_ids(parsed(stream.protocol, [body]))


def same_but_ids(heard: Heard) -> list[Any]:
    """The events, with the ids that we made up for calls without one left out."""

    def plain(event: Any) -> Any:
        block: Any = getattr(event, "block", None)
        return (
            event.type,
            getattr(event, "index", None),
            block.model_copy(update={"id": "x"}) if hasattr(block, "id") else block,
            getattr(event, "text", None),
        )

    return [plain(e) for e in heard.events] + [heard.error.kind if heard.error else None]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_stream_that_breaks_off_anywhere_runs_no_half_call_and_claims_no_end(data: st.DataObject) -> None:
    stream = ALL[data.draw(st.sampled_from([n for n, s in ALL.items() if s.expected["tool_calls"]]))]
    at = data.draw(st.integers(0, len(stream.body) - 1))
    heard = parsed(stream.protocol, [stream.body[:at]])
    whole = [(c.name, c.arguments) for c in parsed(stream.protocol, [stream.body]).calls]
    for call in heard.calls:
        assert call.invalid is not None or (call.name, call.arguments) in whole
