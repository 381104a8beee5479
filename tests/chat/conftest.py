"""A whole LeoChat without a window, on a home of its own, with the demo model and real servers."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from app.chat.leochat import LeoChat, Run
from app.chat.said import Said, UiCommandAsked
from app.chat.session import Session
from app.chat.windows import Window
from app.core.events import ApprovalRequest, MessageEnd
from app.core.messages import CardBlock, Message, ToolResultBlock
from app.mcp_host.config import ServerConfig, accept_launch

RUDE = Path(__file__).with_name("rude.py")


class Watcher(Window):
    """A window that keeps what it is told, and does what tests want of it."""

    def __init__(self, leo: LeoChat, *, executes: bool = True, answer: str | None = None):
        super().__init__()
        self._leo = leo
        self.executes = executes
        self.answer = answer
        self.session: Session | None = None
        self.told: list[tuple[int, Said]] = []
        self.commands: list[tuple[str, dict[str, Any]]] = []

        self._waits: list[tuple[str, asyncio.Event]] = []

    async def heard(self, kind: str) -> None:
        """Until an event of that type is told; one that was counts."""
        if any(e.type == kind for _, e in self.told):
            return
        waiting = asyncio.Event()
        self._waits.append((kind, waiting))
        async with asyncio.timeout(20):
            await waiting.wait()

    async def heard_again(self, kind: str) -> None:
        """Until one more event of that type is told."""
        before = sum(e.type == kind for _, e in self.told)
        async with asyncio.timeout(20):
            while sum(e.type == kind for _, e in self.told) == before:
                waiting = asyncio.Event()
                self._waits.append((kind, waiting))
                await waiting.wait()

    def tell(self, conversation_id: str | None, event: Said, seq: int = 0) -> None:
        if conversation_id is not None:
            self.told.append((seq, event))
            for kind, waiting in self._waits:
                if event.type == kind:
                    waiting.set()
        if isinstance(event, UiCommandAsked):
            self.commands.append((event.command, event.payload))
            self._leo.windows.answered(event.id, True, "done", {"confirmed": True})
        if isinstance(event, ApprovalRequest) and self.answer and self.session:
            answer: Any = self.answer
            asyncio.get_running_loop().call_soon(self.session.approvals.answer, event.call.id, answer, "tool")

    def of(self, kind: type[Any]) -> list[Any]:
        return [e for _, e in self.told if isinstance(e, kind)]

    @property
    def messages(self) -> list[Message]:
        return [e.message for e in self.of(MessageEnd)]


@pytest.fixture
def rude(tmp_path: Path) -> ServerConfig:
    """The third-party server, accepted; its runs are counted in `ran.txt`."""
    config = ServerConfig(name="rude", command=sys.executable, args=(str(RUDE), str(tmp_path / "ran.txt")))
    return accept_launch(config)


Opener = Callable[..., Awaitable[LeoChat]]


@pytest.fixture
async def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Opener]:
    """Open a LeoChat on this test's home; a second one after the first was closed finds all it kept."""
    monkeypatch.setenv("LEOCHAT_DOCUMENTS", str(tmp_path / "documents"))
    open_ones: list[LeoChat] = []

    async def opener(*servers: ServerConfig, bundled: tuple[str, ...] = (), **run: Any) -> LeoChat:
        leo = LeoChat(tmp_path / "home", Run(servers=servers, bundled=bundled, offline=True, **run), environ={})
        open_ones.append(leo)
        leo.start()
        assert await leo.host.ready(timeout=90), [s.problem for s in leo.host.statuses()]
        return leo

    yield opener
    for leo in open_ones:
        await leo.close()


async def watched(leo: LeoChat, conversation_id: str | None = None, **given: Any) -> tuple[Session, Watcher]:
    """A session with a window on it."""
    session = await leo.library.session(conversation_id or (await leo.library.new()).id)
    watcher = Watcher(leo, **given)
    watcher.session = session
    leo.windows.add(watcher)
    watcher.watch(session)
    return session, watcher


async def said(session: Session, text: str, **given: Any) -> None:
    """Send and wait until the task rests."""
    await session.send(text, **given)
    await session.tasks.wait()


def last_card(session: Session) -> tuple[str, CardBlock]:
    """The newest card with the id of its message."""
    return next((m.id, b) for m in reversed(session.messages) for b in reversed(m.blocks) if isinstance(b, CardBlock))


def results(session: Session) -> list[ToolResultBlock]:
    return [b for m in session.messages for b in m.blocks if isinstance(b, ToolResultBlock)]


def script(path: Path, *lines: dict[str, Any]) -> str:
    """The message that makes the demo model play these replies."""
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return f"!script {path}"
