"""The knowledge page's side of the index: folders added and removed by a person, and the embedding model they chose."""

import asyncio
import functools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar
from urllib.parse import urlsplit

from app.chat.closed_folders import why_closed
from app.chat.knowledge_facts import KnowledgeFile, KnowledgeFolder, KnowledgeModel, KnowledgeTrial, KnowledgeView, Protocol
from app.chat.refused import Refused
from app.settings import Secrets, SettingError, SettingsFile

if TYPE_CHECKING:
    from mcp_servers.knowledge.index import FolderState, Index

P = ParamSpec("P")
R = TypeVar("R")

VENDOR = "embedding"
"""The name under which the key is kept in the key ring."""

PROBLEMS = 50


class KnowledgeDesk:
    """The index in `home`, beside the server that fills it, in this process or another one.

    `running` says whether the knowledge server is on, `picks` whether the window can let a person choose a folder.
    """

    def __init__(
        self, home: Path, settings: SettingsFile, secrets: Secrets, running: Callable[[], bool], picks: Callable[[], bool]
    ):
        self._home = home
        self._settings = settings
        self._secrets = secrets
        self._running = running
        self._picks = picks
        self._index: Index | None = None

    async def close(self) -> None:
        if self._index is not None:
            await asyncio.to_thread(self._index.close)

    # What a person sees

    async def view(self) -> KnowledgeView:
        return await self._do(self._view)

    def _view(self) -> KnowledgeView:
        from mcp_servers.knowledge.indexer import TROUBLE
        from mcp_servers.knowledge.meaning import Meaning

        index, saved = self._opened(), self._settings.value.knowledge
        vectors, passages, problem = Meaning(index, lambda: None).progress()
        model = KnowledgeModel(
            protocol=saved.embedding_protocol,
            address=saved.embedding_address,
            model=saved.embedding_model,
            has_key=self._key(saved.embedding_address) is not None,
            vectors=vectors if saved.embedding_model else 0,
            passages=passages,
            problem=problem if saved.embedding_model else "",
        )
        folders = tuple(self._folder(one) for one in index.folders())
        return KnowledgeView(
            on=self._running(), folders=folders, model=model, picks=self._picks(), trouble=index.noted(TROUBLE)
        )

    def _folder(self, one: "FolderState") -> KnowledgeFolder:
        from dataclasses import asdict

        found = self._opened().files(one.id, failed=True, limit=PROBLEMS) if one.files else []
        problems = tuple(KnowledgeFile(path=file.path, kind=file.kind or "other", problem=file.problem) for file in found)
        return KnowledgeFolder.model_validate({**asdict(one), "problems": problems})

    def paths(self) -> list[str]:
        """The folders whose files a click may open."""
        from mcp_servers.knowledge.index import KnowledgeError

        try:
            return [one.path for one in self._opened().brief()]
        except KnowledgeError:
            return []

    # What a person changes

    async def add(self, path: str) -> None:
        """Index a folder from now on; Refused where it is none, or holds what no tool may see."""
        await self._do(self._add, path.strip())

    def _add(self, path: str) -> None:
        whole = Path(path).expanduser()
        if not path or not whole.is_absolute():
            raise Refused("invalid", "Give the whole path of a folder, from its beginning.")
        real = os.path.realpath(whole)
        if why := why_closed(real, str(self._home)):
            raise Refused("denied", f"{real} is not indexed: {why}.")
        self._opened().add(path)

    async def remove(self, folder: int) -> None:
        """Take a folder out of the index; nothing of it is left on the disk, also where the server is off."""
        await self._do(lambda: self._opened().remove(folder))
        if not self._running():
            await self._do(self._sweep)

    def _sweep(self) -> None:
        from mcp_servers.knowledge.turn import Turn

        turn = Turn(self._opened().path.with_suffix(".lock"))
        if turn.take():  # else another process has it in hand
            try:
                while self._opened().sweep():
                    pass
            finally:
                turn.release()

    async def again(self, folder: int) -> None:
        """Look through a folder now, and try once more what could not be read."""
        await self._do(lambda: self._opened().again(folder))

    # The embedding model

    async def save_model(self, protocol: Protocol, address: str, model: str, key: str | None) -> None:
        """Keep the model; `key` None leaves the saved one, "" forgets it. Without address and model there is none."""
        address = _checked(address) if address.strip() or model.strip() else ""
        if address and not model.strip():
            raise Refused("invalid", "Name the model, as its endpoint calls it.")
        try:
            for name, value in (("protocol", protocol), ("address", address), ("model", model.strip())):
                self._settings.set(f"knowledge.embedding_{name}", value)
            if key is not None and address:
                await asyncio.to_thread(self._keep_key, address, key)
        except SettingError as error:
            raise Refused("invalid", str(error)) from error
        except OSError as error:
            raise Refused("unavailable", f"The key could not be kept: {error}.") from error

    def _keep_key(self, address: str, key: str) -> None:
        if key.strip():
            self._secrets.set(VENDOR, address, key)
        else:
            self._secrets.delete(VENDOR, address)

    async def try_model(self, protocol: Protocol, address: str, model: str, key: str | None) -> KnowledgeTrial:
        """Ask it for one vector; `key` None: the saved one of that host."""
        from mcp_servers.knowledge.embedding import EmbeddingError, Model, embed

        address = _checked(address)
        if not model.strip():
            raise Refused("invalid", "Name the model, as its endpoint calls it.")
        known = await asyncio.to_thread(self._key, address) if key is None else key
        began = time.monotonic()
        try:
            vector = (await embed(Model(protocol, address, model.strip(), known or ""), ["LeoChat"], 30.0))[0]
        except EmbeddingError as error:
            return KnowledgeTrial(ok=False, message=str(error), duration_ms=_since(began))
        return KnowledgeTrial(ok=True, dimensions=len(vector), duration_ms=_since(began))

    def embedding(self) -> dict[str, str] | None:
        """The model for the server, as it is now; may wait for the key ring."""
        saved = self._settings.value.knowledge
        if not saved.embedding_address or not saved.embedding_model:
            return None
        key = self._key(saved.embedding_address) or ""
        chosen = {"protocol": saved.embedding_protocol, "address": saved.embedding_address, "model": saved.embedding_model}
        return {**chosen, "key": key}

    def _key(self, address: str) -> str | None:
        try:
            found = self._secrets.get(VENDOR, address) if address else None
        except ValueError:  # no address: saving it was refused already
            return None
        return found.get_secret_value() if found else None

    def _opened(self) -> "Index":
        from mcp_servers.knowledge.index import Index

        if self._index is None:
            self._index = Index(self._home)
        return self._index

    async def _do(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Off the loop; what the index refuses as Refused."""
        from mcp_servers.knowledge.index import KnowledgeError

        try:
            return await asyncio.to_thread(functools.partial(work, *args, **kwargs))
        except KnowledgeError as error:
            raise Refused("invalid", str(error)) from error


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _checked(address: str) -> str:
    """The address of an endpoint; Refused where it can be none."""
    text = address.strip()
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        fits = False
    if not fits or any(letter.isspace() for letter in text):
        raise Refused("invalid", "The address is like http://127.0.0.1:11434 or https://host/v1.")
    return text.rstrip("/")
