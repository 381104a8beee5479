"""The question before the browser reaches a place inside this computer or its network."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from mcp.server.mcpserver import AcceptedElicitation, Context, DeclinedElicitation, Elicit, ElicitationResult
from pydantic import BaseModel

from mcp_servers.addresses import AddressError
from mcp_servers.browser.call import PageError
from mcp_servers.browser.gate import private_host
from mcp_servers.browser.going import whole_address
from mcp_servers.browser.keeper import Keeper

QUESTION = {
    "en": "May the browser open {host}? It is inside this computer or its network. A yes holds until the browser server ends.",
    "es": "¿Puede el navegador abrir {host}? Está dentro de este ordenador o de su red. Un sí vale hasta que se cierre.",
}
SETTING = (
    "The user can open the host for good in the settings, under Network (hosts that may be read although they are not public)."
)


class Leave(BaseModel):
    """The question has nothing to fill in."""


class Closed(BaseModel):
    """Nobody can be asked about this host."""

    host: str


Question = Elicit[Leave] | Closed | None


def question(keeper: Keeper) -> Callable[[str | None, Context[Any, Any]], Awaitable[Question]]:
    """What to ask about an address, if anything; a resolver for the tools' `url`."""

    async def leave(url: str | None, context: Context[Any, Any]) -> Question:
        host = await _private(keeper, url)
        if host is None:
            return None
        if not _can_ask(context):
            return Closed(host=host)
        return Elicit((QUESTION.get(keeper.language) or QUESTION["en"]).format(host=host), Leave)

    return leave


async def settle_question(keeper: Keeper, url: str | None, answer: ElicitationResult[Leave]) -> str | None:
    """Keep a person's yes; in words why not, where there is none."""
    if isinstance(answer, AcceptedElicitation):
        said = cast("Leave | Closed | None", answer.data)
        if isinstance(said, Closed):
            return f"{said.host} is inside this computer or its network, and nobody can be asked about it here. {SETTING}"
        if said is not None and (host := await _private(keeper, url)):
            keeper.approve(host)
        return None
    if isinstance(answer, DeclinedElicitation):
        return "The user did not allow this address. Do not try it again unless they ask for it."
    return f"This address is inside this computer or its network, and nobody allowed it. {SETTING}"


async def _private(keeper: Keeper, url: str | None) -> str | None:
    """The host to ask about; what is wrong with an address otherwise is told when it is opened."""
    if not url:
        return None
    try:
        return await private_host(whole_address(url), keeper.opened())
    except (AddressError, PageError):
        return None


def _can_ask(context: Context[Any, Any]) -> bool:
    able = context.client_capabilities
    asking = able.elicitation if able is not None else None
    return asking is not None and (asking.form is not None or asking.url is None)
