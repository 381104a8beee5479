"""From what went wrong to words a person can act on: cause and cure, one sentence each."""

import asyncio

import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from app.mcp_host import link as links
from app.mcp_host import remote
from app.mcp_host.causes import leaves, misfit_words
from app.mcp_host.command import CommandNotFoundError
from app.mcp_host.config import ServerConfig
from app.mcp_host.environment import UnfilledVariableError
from app.mcp_host.serverlog import ServerLog
from app.mcp_host.status import Problem
from app.mcp_host.tokens import SignInNeededError
from app.mcp_host.wording import problem


def problem_of(error: BaseException, config: ServerConfig, seen: links.Seen, log: ServerLog) -> Problem:
    """The most telling of what is known: our own checks, the process, HTTP, then the protocol."""
    found = leaves(error)
    for one in found:
        if isinstance(one, CommandNotFoundError | UnfilledVariableError):
            return one.problem
        if isinstance(one, SignInNeededError | OAuthFlowError):
            return _sign_in_problem(one, config)
    if config.transport == "stdio":
        return _child_problem(found, config, seen, log)
    if config.url and config.transport in ("http", "sse"):
        status = links.refused_status(error, seen.heard)
        if status is not None:
            reason = seen.heard.reason if seen.heard else ""
            return remote.http_problem(config.url, status, reason)
    for one in found:
        if isinstance(one, httpx2.TransportError | OSError) and not isinstance(one, TimeoutError):
            return remote.unreachable_problem(config.url or config.name, one)
    return _general_problem(found, config)


def _sign_in_problem(error: BaseException, config: ServerConfig) -> Problem:
    failed = isinstance(error, OAuthFlowError)
    return problem(
        "sign_in",
        "Signing in to {name} failed: {reason}." if failed else "{name} wants you to sign in.",
        "Sign in again." if failed else "Sign in.",
        retry=False,
        name=config.name,
        reason=_first_line(error),
    )


def _child_problem(found: list[BaseException], config: ServerConfig, seen: links.Seen, log: ServerLog) -> Problem:
    if seen.child is not None and seen.child.exit_code is not None:
        return exit_problem(config, seen.child.exit_code, log)
    for one in found:
        if isinstance(one, OSError) and not isinstance(one, TimeoutError):
            return problem(
                "spawn",
                "{name} could not be started: {reason}.",
                "Check the command and its folder." if config.cwd else "Check the command.",
                detail=str(one),
                retry=False,
                name=config.command,
                reason=str(one.strerror or one),
            )
    general = _general_problem(found, config)
    wrote = log.tail("stderr") or log.tail("stdout")
    return general.model_copy(update={"detail": "\n".join(wrote) or general.detail})


def exit_problem(config: ServerConfig, code: int, log: ServerLog) -> Problem:
    """A server that ended, with the last lines it wrote to stderr."""
    wrote = log.tail("stderr", 8) or log.tail("stdout", 8)
    return problem(
        "exited",
        "{name} was ended by signal {code}." if code < 0 else "{name} ended with exit code {code}.",
        "Its last lines say why." if wrote else "It wrote nothing about why; run the command in a terminal.",
        detail="\n".join(wrote),
        name=config.name,
        code=str(abs(code)),
    )


NO_TOOLS = ("{name} runs, but could not list its tools: {reason}.", "Its log says more.")
NO_HANDSHAKE = (
    "{name} did not shake hands as MCP servers do: {reason}.",
    "Check that the command starts an MCP server, and update it.",
)


def _general_problem(found: list[BaseException], config: ServerConfig) -> Problem:
    for one in found:
        if isinstance(one, TimeoutError | asyncio.TimeoutError):
            return problem(
                "timeout",
                "{name} did not answer within {seconds} s.",
                "Try again, or give it a longer time limit.",
                name=config.name,
                seconds=f"{config.start_timeout:g}",
            )
        if isinstance(one, MCPError | ValidationError):
            what, cure = NO_TOOLS if isinstance(one, links.ListingError) else NO_HANDSHAKE
            return problem(
                "protocol",
                what,
                cure,
                detail=str(one)[:2000],
                name=config.name,
                reason=_first_line(one),
            )
    one = found[0]
    return problem(
        "protocol",
        "{name} could not be connected: {reason}.",
        detail=f"{type(one).__name__}: {one}"[:2000],
        name=config.name,
        reason=_first_line(one),
    )


def _first_line(error: BaseException) -> str:
    text = misfit_words(error) or str(error).strip() or type(error).__name__
    return text.splitlines()[0][:200].rstrip(".: ")
