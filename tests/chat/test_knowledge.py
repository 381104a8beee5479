"""The knowledge page's side: folders a person adds and takes out, the embedding model and its key, files that a click opens."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.chat.shell import NoShell
from tests.chat.conftest import Opener, last_card, results, said, watched
from tests.mcp_host.desk import eventually

KEY = "embedding-key-7c1d"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    made.mkdir()
    (made / "otters.txt").write_text("Article 1. Otters.\nOtters sleep hand in hand.\n")
    return made


async def ready(leo: LeoChat) -> None:
    async def read() -> bool:
        return all(one.state == "ready" for one in (await leo.knowledge.view()).folders)

    await eventually(read, 50)


class Opening(NoShell):
    """A shell that keeps what it was to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    async def open_file(self, path: str, *, reveal: bool) -> None:
        await asyncio.sleep(0)
        self.opened.append(f"{path} {reveal}")


async def test_a_persons_folder_is_searched_without_asking_and_its_file_opens_by_a_click(opened: Opener, folder: Path):
    leo = await opened(bundled=("knowledge",))
    shell = Opening()
    leo.rooms.shell = shell
    await leo.knowledge.add(str(folder))
    await ready(leo)
    session, watcher = await watched(leo)
    await said(session, '[search_knowledge query="otters"]')
    assert "hand in hand" in results(session)[-1].text
    message, block = last_card(session)
    await session.cards.press(message, block.card.id, "show_0", {}, watcher)
    await session.tasks.wait()
    await eventually(lambda: last_card(session)[1].card.title == "otters.txt")
    message, block = last_card(session)
    await session.cards.press(message, block.card.id, "open", {}, watcher)
    assert shell.opened == [f"{folder / 'otters.txt'} False"]


async def test_what_a_model_adds_stays_in_the_allowed_folders_and_asks(opened: Opener, folder: Path):
    leo = await opened(bundled=("knowledge",))
    session, _ = await watched(leo)
    await session.send(f'[add_folder path="{folder}"]')
    await eventually(lambda: bool(session.live.approvals))
    assert (await leo.knowledge.view()).folders == ()
    await session.stop()


@pytest.mark.parametrize("path", ["papers", "", "/", "~", "~/.ssh", "/etc", "/nowhere/at/all"])
async def test_what_is_not_indexed_is_refused_with_words(opened: Opener, path: str):
    leo = await opened()
    with pytest.raises(Refused):
        await leo.knowledge.add(path)
    with pytest.raises(Refused, match="LeoChat"):
        await leo.knowledge.add(str(leo.home))


async def test_with_the_server_off_a_removed_folder_still_leaves_nothing(opened: Opener, folder: Path):
    leo = await opened(bundled=("knowledge",))
    await leo.knowledge.add(str(folder))
    await ready(leo)
    await leo.servers.enable("knowledge", False)
    view = await leo.knowledge.view()
    assert not view.on
    assert view.folders[0].indexed == 1
    await leo.knowledge.remove(view.folders[0].id)
    assert (await leo.knowledge.view()).folders == ()
    assert b"hand in hand" not in b"".join(path.read_bytes() for path in leo.home.glob("knowledge.*"))
    with pytest.raises(Refused, match="not in the index"):
        await leo.knowledge.remove(view.folders[0].id)


@asynccontextmanager
async def endpoint(heard: list[str | None]) -> AsyncGenerator[str]:
    """An embedding endpoint that wants the key."""

    async def answer(request: web.Request) -> web.Response:
        heard.append(request.headers.get("Authorization"))
        if heard[-1] != f"Bearer {KEY}":
            return web.json_response({"error": {"message": "who are you"}}, status=401)
        texts = (await request.json())["input"]
        return web.json_response({"data": [{"index": n, "embedding": [1.0, 0.5]} for n in range(len(texts))]})

    app = web.Application()
    app.router.add_post("/v1/embeddings", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


async def test_the_embedding_model_is_tried_kept_and_used_and_its_key_is_told_nobody(opened: Opener, folder: Path):
    leo = await opened(bundled=("knowledge",))
    heard: list[str | None] = []
    async with endpoint(heard) as address:
        refused = await leo.knowledge.try_model("openai", address, "toy", None)
        assert (refused.ok, "Check the key" in refused.message) == (False, True)
        tried = await leo.knowledge.try_model("openai", address, "toy", KEY)
        assert (tried.ok, tried.dimensions) == (True, 2)
        await leo.knowledge.save_model("openai", address, "toy", KEY)
        assert (await leo.knowledge.try_model("openai", address, "toy", None)).ok
        await leo.knowledge.add(str(folder))

        async def compared() -> bool:
            model = (await leo.knowledge.view()).model
            return model.vectors == model.passages == 1

        await eventually(compared, 50)
        view = await leo.knowledge.view()
        assert view.model.has_key
        assert KEY not in repr(view) + (leo.home / "settings.json").read_text("utf-8") + repr(leo.settings_data())
        await leo.knowledge.save_model("openai", address, "toy", "")
        assert not (await leo.knowledge.view()).model.has_key
    await leo.knowledge.save_model("openai", "", "", None)
    assert leo.knowledge.embedding() is None


@pytest.mark.parametrize(
    ("address", "model"), [("ftp://x/v1", "m"), ("http://", "m"), ("http://u@h/v1", "m"), ("http://h", "")]
)
async def test_a_model_that_cannot_be_is_refused(opened: Opener, address: str, model: str):
    leo = await opened()
    with pytest.raises(Refused):
        await leo.knowledge.save_model("openai", address, model, None)
    with pytest.raises(Refused):
        await leo.knowledge.try_model("openai", address, model, None)
