"""Trouble in words: sentences with `{…}` where the values go, each under the key by which the page knows it."""

from app.mcp_host.status import Problem, ProblemKind

# The key in the page's tables, to the sentence as written in the code; a test finds what is missing.
CAUSES = {
    "server.noCommand": "The command {command} was not found.",
    "server.noProgram": "There is no program at {command}.",
    "server.cure.wholePath": "Install it, or write the whole path of the program.",
    "server.cure.node": "Install Node.js, which brings {command}.",
    "server.cure.uv": "Install uv, which brings {command}.",
    "server.cure.docker": "Install Docker and start it.",
    "server.cure.python": "Install Python, or write python3.",
    "server.cure.deno": "Install Deno.",
    "server.cure.bun": "Install Bun, which brings {command}.",
    "server.notStarted": "{name} could not be started: {reason}.",
    "server.cure.commandFolder": "Check the command and its folder.",
    "server.cure.command": "Check the command.",
    "server.ended": "{name} ended with exit code {code}.",
    "server.signal": "{name} was ended by signal {code}.",
    "server.cure.lastLines": "Its last lines say why.",
    "server.cure.silent": "It wrote nothing about why; run the command in a terminal.",
    "server.late": "{name} did not answer within {seconds} s.",
    "server.cure.longer": "Try again, or give it a longer time limit.",
    "server.noHandshake": "{name} did not shake hands as MCP servers do: {reason}.",
    "server.cure.update": "Check that the command starts an MCP server, and update it.",
    "server.noTools": "{name} runs, but could not list its tools: {reason}.",
    "server.notConnected": "{name} could not be connected: {reason}.",
    "server.http": "{name} answered HTTP {status}.",
    "server.cure.signInOrToken": "Sign in, or put a token into its headers: it wants to know who asks.",
    "server.wantsSignIn": "{name} wants you to sign in.",
    "server.signInFailed": "Signing in to {name} failed: {reason}.",
    "server.cure.signIn": "Sign in.",
    "server.cure.signInAgain": "Sign in again.",
    "server.cure.forbidden": "Check the token in its headers: it is not allowed to use this server.",
    "server.cure.noPath": "Check the URL: there is no MCP server at this path.",
    "server.cure.noMessages": "Check the URL: this path takes no MCP messages.",
    "server.cure.tooMany": "It gets too many requests: wait a while.",
    "server.cure.theirs": "Try again later; the trouble is at the server.",
    "server.cure.url": "Check the URL.",
    "server.unreachable": "{name} cannot be reached: {reason}.",
    "server.unheard": "{name} did not answer in time.",
    "server.cure.address": "Check the address, and that the server runs.",
    "server.unset": "{where} needs {reference}, which is not set.",
    "server.cure.set": "Set this environment variable, or write the value itself into the server's settings.",
    "server.notAccepted": "Its command was not accepted yet, so it was not started.",
    "server.cure.accept": "Look at the whole command and accept it.",
    "server.bundled": "The server {name} that comes with LeoChat could not start: {reason}.",
    "server.cure.log": "Its log says more.",
    "server.noLibrary": "The MCP library cannot be loaded: {reason}.",
    "server.cure.reinstall": "Install LeoChat again.",
    "server.closedOutput": "{name} closed its output.",
    "server.lost": "The connection to {name} was lost.",
    "server.closed": "{name} was closed.",
}


def problem(kind: ProblemKind, cause: str, cure: str = "", *, detail: str = "", retry: bool = True, **values: str) -> Problem:
    """A problem whose sentences have `{…}` where the values go."""
    return Problem(
        kind=kind,
        cause=cause.format_map(values),
        cure=cure.format_map(values),
        detail=detail,
        retry=retry,
    )
