"""The client that the conformance suite runs: LeoChat's host, driven as a window would, against one scenario's server."""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from app.core.messages import ToolCall  # noqa: E402 (found by the line above)
from app.core.tools import CallContext, ToolSpec  # noqa: E402 (found by the line above)
from app.mcp_host.asking import Answered, Asked  # noqa: E402 (found by the line above)
from app.mcp_host.config import Identity, ServerConfig, accept_launch  # noqa: E402 (found by the line above)
from app.mcp_host.host import McpHost  # noqa: E402 (found by the line above)
from app.mcp_host.tokens import Signing, TokensInMemory  # noqa: E402 (found by the line above)

SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
REVISION = os.environ.get("LEOCHAT_CONFORMANCE_REVISION") or os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "")
CONTEXT: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
# What the suite's authorization servers take in place of a registration.
METADATA_URL = "https://conformance-test.local/client-metadata.json"
ALONE = ("auth/client-credentials", "auth/wif", "auth/enterprise")
FIRST: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "tools_call": [("add_numbers", {"a": 5, "b": 3})],
    "sse-retry": [("test_reconnection", {})],
    "elicitation-sep1034-client-defaults": [("test_client_elicitation_defaults", {})],
    "sep-2322-client-request-state": [
        ("test_mrtr_echo_state", {}),
        ("test_mrtr_no_state", {}),
        ("test_mrtr_no_result_type", {}),
    ],
}


class Person:
    """Somebody who signs in wherever asked and takes a form as it is offered."""

    def __init__(self) -> None:
        self.host: McpHost | None = None

    async def browse(self, url: str) -> None:
        async with httpx2.AsyncClient(follow_redirects=True) as browser:
            await browser.get(url)

    async def answer(self, asked: Asked) -> Answered:
        if asked.url:
            await self.browse(asked.url)
            return Answered(action="accept")
        if self.host and SCENARIO == "sep-2322-client-request-state":
            await call(self.host, "test_mrtr_unrelated", {})  # a call beside one that waits for its answer
        fields: dict[str, Any] = asked.json_schema.get("properties", {})
        content = {n: f["default"] for n, f in fields.items() if "default" in f}
        content |= {n: True for n, f in fields.items() if n not in content and f.get("type") == "boolean"}
        return Answered(action="accept", content=content)


async def call(host: McpHost, tool: str, arguments: dict[str, Any]) -> None:
    spec = next((s for s in host.specs() if s.tool == tool), None)
    if spec is None:
        print(f"no tool {tool} among {[s.tool for s in host.specs()]}", file=sys.stderr)
        return
    output = await host.call(
        spec,
        ToolCall(id="c", name=spec.name, arguments=arguments),
        CallContext("conformance", lambda _done, _total, _text: None),
    )
    print(tool, output, file=sys.stderr)


def calls_for(specs: list[ToolSpec]) -> list[tuple[str, dict[str, Any]]]:
    if SCENARIO in FIRST:
        return FIRST[SCENARIO]
    if given := CONTEXT.get("toolCalls"):
        return [(c["name"], c["arguments"]) for c in given]
    if SCENARIO == "json-schema-2020-12-preservation":
        echo = next(s for s in specs if "echo" in s.tool)
        focal = next(s for s in specs if s is not echo)
        return [(echo.tool, {"schema": focal.input_schema})]
    if SCENARIO.startswith("auth/"):
        return [(s.tool, {}) for s in specs[:1]]
    return [(s.tool, {}) for s in specs]


def identity() -> Identity | None:
    """Who vouches for the person, where the scenario has a company's identity provider."""
    if "idp_id_token" not in CONTEXT:
        return None
    given = {"client_id": CONTEXT["idp_client_id"], "token": CONTEXT["idp_id_token"]}
    return Identity(token_endpoint=CONTEXT["idp_token_endpoint"], **given)


async def run(url: str) -> int:
    person = Person()
    signing = Signing(TokensInMemory(), person.browse, METADATA_URL)
    legacy = "legacy" if REVISION and REVISION < "2026" else "auto"
    config = ServerConfig(
        name="suite",
        transport="http",
        url=url,
        era=legacy,
        timeout=90,
        start_timeout=90,
        client_id=CONTEXT.get("client_id"),
        client_secret=CONTEXT.get("client_secret") or CONTEXT.get("private_key_pem") or CONTEXT.get("valid_jwt"),
        identity=identity(),
        signs_in="client" if SCENARIO.startswith(ALONE) else "person",
    )
    with tempfile.TemporaryDirectory() as folder:
        host = McpHost(
            [accept_launch(config)], data_dir=Path(folder), bundled=(), ask=person.answer, signing=signing, version="1"
        )
        person.host = host
        try:
            if SCENARIO.startswith("auth/"):
                await host.sign_in("suite")
            else:
                host.start()
                await host.ready(timeout=120)
            return await use(host)
        finally:
            await host.stop()


async def use(host: McpHost) -> int:
    status = host.status("suite")
    if status.state != "ready":
        print(status.problem, *host.log("suite"), sep="\n", file=sys.stderr)
        return 1
    for tool, arguments in calls_for(list(host.specs())):
        await call(host, tool, arguments)
    if SCENARIO == "http-standard-headers":
        for resource in await host.resources():
            await host.read_resource("suite", resource.uri)
        for prompt in await host.prompts():
            await host.prompt("suite", prompt.name, {a.name: "x" for a in prompt.arguments})
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(run(sys.argv[-1])))
