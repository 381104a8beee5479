"""Reading prompts and resources over an open link, page by page."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol, TypeVar

import mcp_types as types

from app.core.tools import OutputItem
from app.mcp_host.content import items_of, resource_item
from app.mcp_host.link import PAGES_LIMIT, Link
from app.mcp_host.material import PromptArgument, PromptInfo, PromptMessage, ResourceInfo

Page = TypeVar("Page", bound="Paged")


class Paged(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


async def prompts(server: str, link: Link) -> tuple[PromptInfo, ...]:
    if link.client.server_capabilities.prompts is None:
        return ()
    pages = await _pages(lambda cursor: link.client.list_prompts(cursor=cursor))
    return tuple(_prompt(server, p) for page in pages for p in page.prompts)


async def prompt(link: Link, name: str, arguments: Mapping[str, str]) -> tuple[PromptMessage, ...]:
    result = await link.client.get_prompt(name, dict(arguments))
    return tuple(PromptMessage(m.role, items_of([m.content])) for m in result.messages)


async def resources(server: str, link: Link) -> tuple[ResourceInfo, ...]:
    if link.client.server_capabilities.resources is None:
        return ()
    listed = await _pages(lambda cursor: link.client.list_resources(cursor=cursor))
    patterns = await _pages(lambda cursor: link.client.list_resource_templates(cursor=cursor))
    return (
        *(_resource(server, r) for page in listed for r in page.resources),
        *(_template(server, t) for page in patterns for t in page.resource_templates),
    )


async def resource(link: Link, uri: str) -> tuple[OutputItem, ...]:
    result = await link.client.read_resource(uri)
    return tuple(resource_item(content, None) for content in result.contents)


async def _pages(fetch: Callable[[str | None], Awaitable[Page]]) -> list[Page]:
    pages: list[Page] = []
    seen: set[str] = set()
    cursor: str | None = None
    while len(pages) < PAGES_LIMIT:
        pages.append(await fetch(cursor))
        cursor = pages[-1].next_cursor
        if not cursor or cursor in seen:
            break
        seen.add(cursor)
    return pages


def _prompt(server: str, prompt: types.Prompt) -> PromptInfo:
    return PromptInfo(
        server=server,
        name=prompt.name,
        title=prompt.title,
        description=prompt.description or "",
        arguments=tuple(_arguments(prompt.arguments or ())),
    )


def _arguments(listed: Iterable[types.PromptArgument]) -> Iterable[PromptArgument]:
    for argument in listed:
        yield PromptArgument(
            name=argument.name,
            title=argument.title,
            description=argument.description or "",
            required=bool(argument.required),
        )


def _resource(server: str, resource: types.Resource) -> ResourceInfo:
    return ResourceInfo(
        server=server,
        uri=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description or "",
        media_type=resource.mime_type,
        size=resource.size,
    )


def _template(server: str, template: types.ResourceTemplate) -> ResourceInfo:
    return ResourceInfo(
        server=server,
        uri=template.uri_template,
        name=template.name,
        title=template.title,
        description=template.description or "",
        media_type=template.mime_type,
        template=True,
    )
