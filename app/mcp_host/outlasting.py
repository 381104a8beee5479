"""A call that its server took over as a task: followed to its end over lost connections, and taken up again after a restart."""

import asyncio
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND
from pydantic import ValidationError

from app.core.messages import now_ms
from app.core.tools import CallContext, ToolOutput
from app.mcp_host import errand_link
from app.mcp_host.config import launch_hash
from app.mcp_host.connection import Connection
from app.mcp_host.content import output_of
from app.mcp_host.errand_link import TaskBegun, TaskFailedError
from app.mcp_host.errands import Errand, ErrandBook
from app.mcp_host.link import Link
from app.mcp_host.opencall import OpenCall, open_call

LOST_LIMIT = 10
"""Times in a row that a server may be away before it is given up; the pause between them doubles up to a minute."""


def begun(
    book: ErrandBook, connection: Connection, tool: str, arguments: dict[str, Any], context: CallContext, task: TaskBegun
) -> Errand:
    """Kept before anybody waits for it."""
    errand = Errand(
        id=task.task_id,
        server=connection.config.name,
        launch=launch_hash(connection.config),
        tool=tool,
        arguments=arguments,
        conversation_id=context.conversation_id,
        call_id=context.call_id,
        begun_ms=now_ms(),
        ttl_ms=task.ttl_ms,
        poll_ms=task.poll_interval_ms,
    )
    book.begin(errand)
    connection.log.add("host", f"{tool} goes on as a task of the server's: {task.task_id}")
    return errand


def taken_up(
    book: ErrandBook, connection: Connection, link: Link, tool: str, arguments: dict[str, Any], context: CallContext
) -> Errand | None:
    """The errand this call is, or would begin a second time while the first goes on with nobody waiting."""
    if not link.modern or not book:
        return None
    launch = launch_hash(connection.config)
    own = book.call(context.conversation_id, context.call_id)
    if own is not None and (own.launch, own.tool) == (launch, tool):
        return own
    return book.alike(launch, tool, arguments, context.conversation_id)


async def outlasting(book: ErrandBook, connection: Connection, errand: Errand, context: CallContext) -> ToolOutput:
    """Its end as an output. A stop cancels it at the server; where we end it stays in the book."""
    book.follow(errand, True)
    try:
        output = await _to_the_end(connection, errand, context)
    except asyncio.CancelledError:
        if not book.leaving:
            book.end(errand)
            _dismiss(connection, errand)
        raise
    finally:
        book.follow(errand, False)
    book.end(errand)
    return output


async def _to_the_end(connection: Connection, errand: Errand, context: CallContext) -> ToolOutput:
    name, lost = errand.server, 0

    def tell(message: str) -> None:
        nonlocal lost
        lost = 0
        context.progress(0, None, message or None)

    while lost < LOST_LIMIT:
        link = await connection.linked()
        if link is not None:
            try:
                with open_call(connection.open_calls, OpenCall(context.conversation_id, lambda seconds: None)):
                    return output_of(await errand_link.followed(link.client, errand.id, errand.poll_ms, tell))
            except TaskFailedError as error:
                return ToolOutput.error(f"{name} could not finish {errand.tool}: {error}."[:4000])
            except ValidationError as error:
                return ToolOutput.error(f"The answer of {name} to {errand.tool} was not understood: {error}"[:2000])
            except MCPError as error:
                if error.code in (INVALID_PARAMS, METHOD_NOT_FOUND):
                    return _unknown(errand, error)
                connection.log.add("host", f"its task {errand.id} cannot be asked after: {error}")
            except (TimeoutError, RuntimeError, ExceptionGroup) as error:
                connection.log.add("host", f"its task {errand.id} cannot be asked after: {error}")
        elif connection.problem is not None and not connection.problem.retry:
            break
        lost += 1
        await asyncio.sleep(min(2.0**lost / 2, 60.0))
    return ToolOutput.error(
        f"{connection.unavailable()} It was working on {errand.tool} as a task; what that may have done is unknown: "
        "check before repeating."
    )


def _unknown(errand: Errand, error: MCPError) -> ToolOutput:
    return ToolOutput.error(
        f"{errand.server} does not know its task for {errand.tool} any more ({error.message}). "
        "What it may have done is unknown: check before repeating."
    )


def _dismiss(connection: Connection, errand: Errand) -> None:
    """Beside: whoever stops does not wait for it."""
    if connection.link is not None:
        connection.beside(errand_link.cancel(connection.link.client, errand.id))
