"""Servers' prompts and resources as the window uses them: listed, filled in, read, and made attachments of."""

import mimetypes
from collections.abc import Awaitable, Mapping
from pathlib import PurePosixPath
from typing import Literal, TypeVar
from urllib.parse import unquote, urlsplit

from app.chat.facts import FilledMessage, FilledPrompt, MaterialReport, Proposals, ReadContent, ResourceContents
from app.chat.recognised import recognised
from app.chat.refused import Refused
from app.chat.said import Attachment
from app.core.messages import Block, FileBlock, ImageBlock, Message, Origin, TextBlock, new_id
from app.core.results import PICTURES
from app.core.tools import LinkItem, MediaItem, OutputItem, ResourceItem, TextItem
from app.mcp_host.host import McpHost
from app.mcp_host.material import MaterialError, PromptInfo, PromptMessage
from app.mcp_host.servers import NoSuchServerError
from app.store.blobs import StoredBlobs

T = TypeVar("T")
SHOWN_CHARS = 200_000
NAME_CHARS = 120


class MaterialDesk:
    """Refused with the server's or the host's words where something cannot be had."""

    def __init__(self, host: McpHost, blobs: StoredBlobs) -> None:
        self._host = host
        self._blobs = blobs

    async def listed(self, what: Literal["prompts", "resources"], server: str | None) -> MaterialReport:
        """Of all running servers, or of one; servers that have none are left out, those that failed are not."""
        heard = await _had(self._host.listed(what, server))
        found = [one.model_copy(update={"said": recognised(one.problem)}) if one.problem else one for one in heard]
        return MaterialReport(servers=tuple(one for one in found if one.problem or getattr(one, what)))

    async def fill(self, server: str, name: str, arguments: Mapping[str, str]) -> FilledPrompt:
        """A prompt with these arguments; required ones that are empty are named before the server is asked."""
        info = next((p for p in await self._prompts(server) if p.name == name), None)
        if info is None:
            raise Refused("not_found", f"{server} has no prompt {name} any more.")
        given = {k: v for k, v in arguments.items() if v.strip()}
        if missing := [a.title or a.name for a in info.arguments if a.required and a.name not in given]:
            raise Refused("invalid", f"Fill in {', '.join(missing)}.")
        messages = await _had(self._host.prompt(server, name, given))
        filled = [await self._message(m) for m in messages]
        if not filled:
            raise Refused("invalid", f"The prompt {name} of {server} is empty.")
        return FilledPrompt(server=server, name=name, title=info.title or name, messages=tuple(filled))

    async def _prompts(self, server: str) -> tuple[PromptInfo, ...]:
        for listed in await _had(self._host.listed("prompts", server)):
            if listed.problem:
                raise Refused("unavailable", listed.problem)
            return listed.prompts
        raise Refused("unavailable", f"{server} is not running.")

    async def _message(self, message: PromptMessage) -> FilledMessage:
        texts: list[str] = []
        attachments: list[Attachment] = []
        for item in message.items:
            match item:
                case TextItem(text=text):
                    texts.append(text)
                case LinkItem(uri=uri, name=name):
                    texts.append(f"[{name}]({uri})")
                case ResourceItem() | MediaItem():
                    attachments.append((await self._kept(item, "")).attachment)
        return FilledMessage(role=message.role, text="\n\n".join(texts), attachments=tuple(attachments))

    async def read(self, server: str, uri: str, arguments: Mapping[str, str] | None) -> ResourceContents:
        """A resource, or with `arguments` what a pattern becomes; everything is kept, so that it can be attached or saved."""
        if arguments is not None:
            uri = await _had(self._host.resource_uri(uri, arguments))
        items = await _had(self._host.read_resource(server, uri))
        return ResourceContents(contents=tuple([await self._kept(item, uri) for item in items]))

    async def attach(self, server: str, uri: str, arguments: Mapping[str, str] | None) -> ResourceContents:
        """What `read` gives; there must be something to attach."""
        found = await self.read(server, uri, arguments)
        if not found.contents:
            raise Refused("invalid", f"{uri} is empty: there is nothing to attach.")
        return found

    async def _kept(self, item: OutputItem, uri: str) -> ReadContent:
        if isinstance(item, MediaItem):
            data, media_type, text = item.data, item.media_type, None
            name = item.name or _name(uri, media_type)
        else:
            text = item.text if isinstance(item, TextItem | ResourceItem) else item.uri
            uri = item.uri if isinstance(item, ResourceItem) else uri
            media_type = (item.media_type if isinstance(item, ResourceItem) else None) or "text/plain"
            data, name = text.encode("utf-8", "replace"), _name(uri, media_type)
        ref = await self._blobs.put(data, media_type, name)
        attachment = Attachment(ref=ref, media_type=media_type, name=name, size=len(data))
        cut = text is not None and len(text) > SHOWN_CHARS
        return ReadContent(uri=uri, attachment=attachment, text=text[:SHOWN_CHARS] if text else text, cut=cut)

    async def complete(
        self, server: str, kind: Literal["prompt", "resource"], name: str, argument: str, value: str, given: Mapping[str, str]
    ) -> Proposals:
        """What the server proposes; a server that fails at it proposes nothing, since a person can type on."""
        try:
            found = await self._host.complete(server, kind, name, argument, value, given)
        except (MaterialError, NoSuchServerError):
            return Proposals()
        return Proposals(values=found.values, more=found.more)

    async def follow(self, server: str, uri: str, on: bool) -> bool:
        """Whether the server now tells of changes of this resource."""
        return await _had(self._host.follow(server, uri, on))


async def _had(work: Awaitable[T]) -> T:
    try:
        return await work
    except NoSuchServerError as error:
        raise Refused("not_found", str(error)) from error
    except MaterialError as error:
        raise Refused("unavailable", str(error)) from error


def _name(uri: str, media_type: str) -> str:
    """A file's name for a resource: the end of its URI, with an ending by its type where it has none."""
    try:
        parts = urlsplit(uri)
        name = PurePosixPath(unquote(parts.path)).name or parts.netloc or parts.scheme
    except ValueError:
        name = ""
    name = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in name)[:NAME_CHARS] or "resource"
    ending = mimetypes.guess_extension(media_type.split(";", maxsplit=1)[0].strip()) or ""
    return name if PurePosixPath(name).suffix else name + ending


def messages_of(prompt: FilledPrompt, bundled: bool) -> list[Message]:
    """A filled prompt as messages of the conversation, each marked with where it comes from."""
    origin = Origin(server=prompt.server, card_id="", label=prompt.title, bundled=bundled, prompt=True)
    return [
        Message(
            id=new_id("msg"), role=m.role, blocks=blocks, origin=origin, stop_reason="end" if m.role == "assistant" else None
        )
        for m in prompt.messages
        if (blocks := _blocks(m))
    ]


def _blocks(message: FilledMessage) -> tuple[Block, ...]:
    text: tuple[Block, ...] = (TextBlock(text=message.text),) if message.text.strip() else ()
    if message.role == "assistant":
        # What a model says is text in every protocol: a picture in it is named.
        notes = [TextBlock(text=f"[{a.name}, {a.media_type}]") for a in message.attachments]
        return (*text, *notes)
    return (*(attached(a) for a in message.attachments), *text)


def attached(one: Attachment) -> Block:
    """An attachment as a block of a message: a picture where models can see it, else a file."""
    if one.media_type in PICTURES:
        return ImageBlock(media_type=one.media_type, ref=one.ref, name=one.name)
    return FileBlock(media_type=one.media_type, ref=one.ref, name=one.name, size=one.size)


def flattened(prompt: FilledPrompt) -> tuple[Block, ...]:
    """A filled prompt within one message of the person's, for where no answer may stand between: in the queue."""
    blocks: list[Block] = []
    for message in prompt.messages:
        blocks += [attached(a) for a in message.attachments]
        if message.text.strip():
            blocks.append(TextBlock(text=message.text if message.role == "user" else f"Assistant: {message.text}"))
    return tuple(blocks)
