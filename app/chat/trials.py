"""What trying out brought, as the servers page shows it; and a server's configuration to be taken elsewhere."""

import base64
import json
import re
from typing import Any

from app.chat.facts import ReportStep, ServerLaunch, ServerReport, ToolTrial
from app.chat.recognised import recognised
from app.core.tools import LinkItem, MediaItem, OutputItem, ResourceItem, TextItem, ToolOutput
from app.mcp_host.config import ServerConfig, is_accepted, launch_hash, shown_variables, visible
from app.mcp_host.remedies import remedies_for
from app.mcp_host.status import TestReport

SHOWN = 100_000
"""Characters of a result."""
PICTURE_BYTES = 2 * 1024 * 1024
STATELESS = "2026-07-28"
# Values that say where, how or how much, and no secret, can be recognised; everything else stays at home.
_OPEN = re.compile(r"(?i)^(true|false|\d{1,9}|[a-z]{1,12}|\$\{[^}]*\}|https?://[^\s@?]*|/[\w./ -]*|[a-z]:\\[\w.\\ -]*)$")


def launch_of(config: ServerConfig, kept: ServerConfig | None) -> ServerLaunch:
    """What a trial of `config` would start; accepted where it is what was accepted of the server as `kept`."""
    local, launch = config.transport == "stdio", launch_hash(config)
    return ServerLaunch(
        name=config.name,
        hash=launch,
        accepted=not local or (kept is not None and is_accepted(kept) and launch_hash(kept) == launch),
        command=tuple(visible(word) for word in (config.command, *config.args)) if local else (),
        cwd=config.cwd and visible(config.cwd),
        variables=shown_variables(config),
    )


def report_of(config: ServerConfig, report: TestReport) -> ServerReport:
    version = report.protocol_version
    unclean = sum(" stdout: " in line for line in report.log)
    steps = tuple(ReportStep(name=s.name, ok=s.ok, ms=s.ms) for s in report.steps)
    shared: dict[str, Any] = {
        "steps": steps,
        "duration_ms": sum(s.ms for s in steps),
        "protocol": version,
        "era": version and ("modern" if version >= STATELESS else "legacy"),
        "version": report.server_version,
        "unclean": unclean,
    }
    if report.ok:
        return ServerReport(ok=True, message=f"{len(report.tools)} tools", tools=report.tools, **shared)
    problem = report.problem
    detail = "\n".join([problem.detail if problem else "", *report.log]).strip()
    return ServerReport(
        ok=False,
        message=problem.sentence if problem else "It did not start.",
        said=recognised(problem.sentence) if problem else (),
        detail=detail or None,
        remedies=remedies_for(config, problem),
        **shared,
    )


def trial_of(output: ToolOutput, duration_ms: int) -> ToolTrial:
    pictures = [i for i in output.items if isinstance(i, MediaItem) and i.kind == "image" and len(i.data) <= PICTURE_BYTES]
    words = "\n".join(_words(item) for item in output.items if item not in pictures)
    return ToolTrial(
        text=words if len(words) <= SHOWN else words[:SHOWN] + "…",
        is_error=output.is_error,
        duration_ms=duration_ms,
        structured=output.structured,
        pictures=tuple(f"data:{p.media_type};base64,{base64.b64encode(p.data).decode()}" for p in pictures),
    )


def _words(item: OutputItem) -> str:
    match item:
        case TextItem(text=text):
            return text
        case ResourceItem(uri=uri, text=text):
            return f"{uri}\n{text}"
        case LinkItem(uri=uri, name=name):
            return f"{name}: {uri}"
        case MediaItem(media_type=media_type, data=data):
            return f"[{media_type}, {len(data)} bytes]"


def exported(config: ServerConfig) -> str:
    """The usual `mcpServers` text of one server, without values that may be secrets."""
    entry: dict[str, Any] = {"command": config.command, "args": list(config.args)} if config.transport == "stdio" else {}
    if config.transport == "stdio":
        entry |= {"cwd": config.cwd} if config.cwd else {}
        entry |= {"env": {n: _open(n, v) for n, v in config.env.items()}} if config.env else {}
    else:
        entry = {"type": "streamable-http" if config.transport == "http" else config.transport, "url": config.url}
        entry |= {"headers": {n: _open(n, v) for n, v in config.headers.items()}} if config.headers else {}
    return json.dumps({"mcpServers": {config.name: entry}}, indent=2, ensure_ascii=False) + "\n"


def _open(name: str, value: str) -> str:
    if _OPEN.match(value) and not re.search(r"(?i)key|token|secret|passw|auth|credential", name):
        return value
    return f"${{{re.sub(r'[^A-Za-z0-9]+', '_', name).upper()}}}"
