"""Reading prompts and resources over an open link, page by page."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Literal, Protocol, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

from app.core.tools import OutputItem
from app.mcp_host.content import items_of, resource_item
from app.mcp_host.link import PAGES_LIMIT, Link
from app.mcp_host.material import Completion, PromptArgument, PromptInfo, PromptMessage, ResourceInfo

COMPLETIONS_LIMIT = 100
LISTED_LIMIT = 5000
Page = TypeVar("Page", bound="Paged")


class Paged(Protocol):
    @property
    def next_cursor(self) -> str | None: ...


async def prompts(server: str, link: Link) -> tuple[PromptInfo, ...]:
    if link.client.server_capabilities.prompts is None:
        return ()
    pages = await _pages(lambda cursor: link.client.list_prompts(cursor=cursor, cache_mode="refresh"))
    return tuple(_prompt(server, p) for page in pages for p in page.prompts)[:LISTED_LIMIT]


async def prompt(link: Link, name: str, arguments: Mapping[str, str]) -> tuple[PromptMessage, ...]:
    result = await link.client.get_prompt(name, dict(arguments))
    return tuple(PromptMessage(m.role, items_of([m.content])) for m in result.messages)


async def resources(server: str, link: Link) -> tuple[ResourceInfo, ...]:
    if link.client.server_capabilities.resources is None:
        return ()
    listed = await _pages(lambda cursor: link.client.list_resources(cursor=cursor, cache_mode="refresh"))
    patterns = await _pages(lambda cursor: link.client.list_resource_templates(cursor=cursor, cache_mode="refresh"))
    found = [_resource(server, r) for page in listed for r in page.resources][:LISTED_LIMIT]
    return (*found, *(_template(server, t) for page in patterns for t in page.resource_templates))


async def resource(link: Link, uri: str) -> tuple[OutputItem, ...]:
    result = await link.client.read_resource(uri, cache_mode="refresh")
    return tuple(resource_item(content, None) for content in result.contents)


def filled(template: str, arguments: Mapping[str, str]) -> str:
    """The URI that a pattern becomes. Raises `ValueError` in words where it cannot be filled in."""
    try:
        pattern = UriTemplate.parse(template)
        return pattern.expand({name: value for name in pattern.variable_names if (value := arguments.get(name))})
    except InvalidUriTemplate as error:
        raise ValueError(f"The pattern {template} cannot be filled in: {error}") from error


async def complete(
    link: Link, kind: Literal["prompt", "resource"], name: str, argument: str, value: str, given: Mapping[str, str]
) -> Completion:
    """Proposals for one argument of a prompt (by name) or of a pattern (by URI); none where the server has none."""
    if link.client.server_capabilities.completions is None:
        return Completion()
    ref = types.PromptReference(name=name) if kind == "prompt" else types.ResourceTemplateReference(uri=name)
    result = await link.client.complete(ref, {"name": argument, "value": value}, dict(given) or None)
    values = tuple(dict.fromkeys(result.completion.values))
    more = bool(result.completion.has_more) or len(values) > COMPLETIONS_LIMIT
    return Completion(values=values[:COMPLETIONS_LIMIT], more=more)


async def _pages(fetch: Callable[[str | None], Awaitable[Page]]) -> list[Page]:
    """All pages. Many servers have resources and no handler for patterns: what is not known there is an empty list."""
    pages: list[Page] = []
    seen: set[str] = set()
    cursor: str | None = None
    while len(pages) < PAGES_LIMIT:
        try:
            pages.append(await fetch(cursor))
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND and not pages:
                break
            raise
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
    arguments: tuple[str, ...] = ()
    fault: str | None = None
    try:
        arguments = tuple(UriTemplate.parse(template.uri_template).variable_names)
    except InvalidUriTemplate as error:
        fault = str(error)
    return ResourceInfo(
        server=server,
        uri=template.uri_template,
        name=template.name,
        title=template.title,
        description=template.description or "",
        media_type=template.mime_type,
        template=True,
        arguments=arguments,
        fault=fault,
    )
