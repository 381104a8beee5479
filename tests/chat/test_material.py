"""Servers' prompts and resources in a conversation, and their questions to the model: real servers, the demo model."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from app.chat.asked import MaterialChanged, Sampling, SamplingClosed, SamplingRequest
from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.chat.said import Said
from app.chat.sampling import A_MINUTE, SamplingDesk
from app.chat.session import Session
from app.chat.windows import Window
from app.core.messages import FileBlock, Message, TextBlock, ToolCall
from app.core.tools import CallContext
from app.mcp_host.asking import NotSampled, SampleAsked, Sampled
from app.mcp_host.config import ServerConfig, accept_launch
from tests.chat.conftest import Opener, Watcher, results, said, watched

FAKES = Path(__file__).parents[1] / "mcp_host" / "fakes"


@pytest.fixture
def older() -> ServerConfig:
    return accept_launch(ServerConfig(name="older", command=sys.executable, args=(str(FAKES / "older.py"),)))


class Listener(Window):
    """A window that waits for a changed resource."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = asyncio.Event()

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        if isinstance(event, MaterialChanged) and (event.what, event.uri) == ("resource", "item://1"):
            self.heard.set()


async def asked(watcher: Watcher, state: str) -> Sampling:
    """Until a server's question to the model is in that state."""
    while not (found := [e.sampling for e in watcher.of(SamplingRequest) if e.sampling.state == state]):
        await watcher.heard_again("sampling_request")
    return found[-1]


async def calling(leo: LeoChat, **given: Any) -> tuple[Session, Watcher]:
    session, watcher = await watched(leo)
    await session.send(f"[older__sample {' '.join(f'{k}={json.dumps(json.dumps(v))}' for k, v in given.items())}]")
    return session, watcher


async def test_a_prompts_messages_go_before_the_persons_own(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older, approve="all")
    report = await leo.material.listed("prompts", None)
    assert [(one.server, [p.name for p in one.prompts][:2]) for one in report.servers] == [("older", ["p0", "p1"])]
    with pytest.raises(Refused, match="Fill in who"):
        await leo.material.fill("older", "p1", {})
    prompt = await leo.material.fill("older", "p1", {"who": "Leo"})
    session, _ = await watched(leo)
    await said(session, "and now?", prompts=(prompt,))
    shown = [(m.role, m.text, m.origin.label if m.origin else None) for m in session.messages[:3]]
    assert shown == [("assistant", "p1 for Leo", "p1"), ("user", "p1 for Leo", "p1"), ("user", "and now?", None)]
    assert session.messages[1].origin is not None
    assert session.messages[1].origin.prompt
    assert [m.parent_id for m in session.messages[1:3]] == [m.id for m in session.messages[:2]]
    alone, _ = await watched(leo)
    await said(alone, "", prompts=(prompt,))
    assert [m.text for m in alone.messages[:2]] == ["p1 for Leo", "p1 for Leo"]
    assert alone.row.title == "p1"
    ends_with_an_answer = prompt.model_copy(update={"messages": prompt.messages[:1]})
    with pytest.raises(Refused, match="write a message after it"):
        await alone.send("", prompts=(ends_with_an_answer,))


async def test_while_a_task_runs_a_prompt_waits_in_the_queue_as_one_message(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older, approve="all")
    prompt = await leo.material.fill("older", "p0", {"who": "Leo"})
    session, watcher = await calling(leo)
    await asked(watcher, "asked")
    await session.send("then this", prompts=(prompt,))
    [queued] = session.queue.listed
    assert queued.text == "Assistant: p0 for Leop0 for Leothen this"
    await session.stop()


async def test_a_resource_is_read_kept_and_attached(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older)
    [content] = (await leo.material.attach("older", "item://{number}{?q}", {"number": "7"})).contents
    assert (content.uri, content.text, content.attachment.name) == ("item://7", "read item://7", "7.txt")
    session, _ = await watched(leo)
    await said(session, "look", attachments=(content.attachment.ref,))
    assert [type(b) for b in session.messages[0].blocks] == [FileBlock, TextBlock]
    assert await leo.material.follow("older", "item://1", True)
    listener = Listener()
    leo.windows.add(listener)
    spec = next(s for s in leo.host.specs() if s.tool == "touch")
    await leo.host.call(spec, ToolCall(id="c", name=spec.name), CallContext("x", lambda _done, _total, _text: None))
    async with asyncio.timeout(20):
        await listener.heard.wait()
    with pytest.raises(Refused, match="There is no server called nobody"):
        await leo.material.read("nobody", "item://1", None)


async def test_a_question_to_the_model_is_allowed_looked_at_and_sent(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older, approve="all")
    session, watcher = await calling(leo)
    question = await asked(watcher, "asked")
    assert (question.server, question.provider, question.max_tokens) == ("older", "demo", 50)
    assert [m.text for m in question.messages] == ["What is it?"]
    assert session.info().waiting
    assert session.opened().samplings == (question,)
    with pytest.raises(Refused, match="answered already"):
        leo.sampling.answer(question.request_id, "send", False)
    leo.sampling.answer(question.request_id, "once", True)
    looked_at = await asked(watcher, "answered")
    assert looked_at.answer
    leo.sampling.answer(question.request_id, "send", False)
    await session.tasks.wait()
    given = json.loads(results(session)[-1].text)
    assert (given["role"], given["content"]["text"]) == ("assistant", looked_at.answer)
    assert watcher.of(SamplingClosed)
    assert not leo.host.config("older").sampling_allowed


@pytest.mark.parametrize(("answers", "words"), [(("deny",), "did not allow"), (("once", "withhold"), "keeps the answer back")])
async def test_a_no_is_told_to_the_server(opened: Opener, older: ServerConfig, answers: tuple[Any, ...], words: str) -> None:
    leo = await opened(older, approve="all")
    session, watcher = await calling(leo)
    for answer, state in zip(answers, ("asked", "answered"), strict=False):
        leo.sampling.answer((await asked(watcher, state)).request_id, answer, True)
    await session.tasks.wait()
    assert words in json.loads(results(session)[-1].text)["message"]


async def test_always_is_a_switch_of_the_server_and_nobody_there_is_a_no(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older, approve="all")
    session, watcher = await calling(leo)
    leo.sampling.answer((await asked(watcher, "asked")).request_id, "always", False)
    await session.tasks.wait()
    assert json.loads(results(session)[-1].text)["role"] == "assistant"
    assert leo.host.config("older").sampling_allowed
    await said(session, "[older__sample]")
    assert json.loads(results(session)[-1].text)["role"] == "assistant"
    assert len([e for e in watcher.of(SamplingRequest) if e.sampling.state == "asked"]) == 1
    await leo.servers.grant("older", sampling=False)
    watcher.leave()
    leo.windows.remove(watcher)
    unseen = await leo.library.session((await leo.library.new()).id)
    leo.sampling.attended = lambda: False
    await said(unseen, "[older__sample]")
    assert "Nobody is there" in json.loads(results(unseen)[-1].text)["message"]


async def test_stopping_the_task_ends_the_question(opened: Opener, older: ServerConfig) -> None:
    leo = await opened(older, approve="all")
    session, watcher = await calling(leo)
    question = await asked(watcher, "asked")
    await session.stop()
    await watcher.heard("sampling_closed")
    with pytest.raises(Refused):
        leo.sampling.answer(question.request_id, "once", False)
    assert session.opened().samplings == ()


async def test_a_server_that_need_not_ask_is_asked_again_when_it_asks_too_much(opened: Opener) -> None:
    leo = await opened(approve="all")
    session, _ = await watched(leo)
    desk: SamplingDesk = leo.sampling
    message = Message(id="m", role="user", blocks=(TextBlock(text="hm?"),))
    question = SampleAsked(server="s", conversation_id=session.id, messages=(message,), max_tokens=5, allowed=True)
    answers = [await desk.ask(question) for _ in range(A_MINUTE)]
    assert all(isinstance(a, Sampled) for a in answers)
    desk.attended = lambda: False
    assert isinstance(await desk.ask(question), NotSampled)
