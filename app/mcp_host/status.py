"""What the host tells the window about a server: its state, its tools, its trouble, its questions."""

from typing import Literal, TypeAlias

from app.core.frozen import Frozen
from app.mcp_host.config import Kind, Transport

State: TypeAlias = Literal["disabled", "starting", "ready", "error", "stopped", "waiting"]
ProblemKind: TypeAlias = Literal[
    "command_not_found", "spawn", "exited", "timeout", "http", "unreachable", "sign_in",
    "protocol", "refused", "not_accepted", "variable", "bundled", "closed",
]  # fmt: skip


Era: TypeAlias = Literal["modern", "legacy"]


class Problem(Frozen):
    """Trouble with a server: what happened (`cause`), what helps (`cure`), and the raw `detail`.

    `cause` and `cure` are one sentence each; `retry` says whether trying again by itself can help.
    """

    kind: ProblemKind
    cause: str
    cure: str = ""
    detail: str = ""
    retry: bool = True

    @property
    def sentence(self) -> str:
        return f"{self.cause} {self.cure}".strip()


RemedyKind: TypeAlias = Literal["program", "address", "handshake", "longer", "argument", "install"]


class Remedy(Frozen):
    """`value` is what a button or line shows: a path, an address, an argument, a number of seconds, a command to copy.

    `install` is only shown: nothing is installed by LeoChat itself.
    """

    kind: RemedyKind
    value: str


class Question(Frozen):
    """What a server waits for. Answer with `accept(name, hash)` after showing `shown`.

    `kind` launch: it was never accepted, or its launch changed; tools: definitions changed after
    they were accepted. `difference` has lines that begin with `+ ` or `- `.
    """

    kind: Literal["launch", "tools"]
    hash: str
    shown: tuple[str, ...]
    difference: tuple[str, ...] = ()


class ToolStatus(Frozen):
    """A tool of a server; `tokens` is roughly what its definition costs in every round."""

    name: str
    title: str | None
    description: str
    enabled: bool
    tokens: int
    read_only: bool
    changed: bool = False


class ServerStatus(Frozen):
    """A server as the window lists it. `started_ms`: when it became ready, since 1970.

    `calls`, `used_ms` (the last call), `failed_ms` with `last_error`: over all starts. `era`: "modern" is the
    stateless protocol. `signed_in`: tokens are kept for it. `declined`: the person did not want what would start.
    `remedies`: what LeoChat can do about its trouble.
    """

    name: str
    kind: Kind
    title: str
    description: str
    transport: Transport
    state: State
    command: str
    enabled: bool
    problem: Problem | None = None
    question: Question | None = None
    tools: tuple[ToolStatus, ...] = ()
    started_ms: int | None = None
    protocol_version: str | None = None
    server_version: str | None = None
    pid: int | None = None
    calls: int = 0
    used_ms: int | None = None
    failed_ms: int | None = None
    last_error: str | None = None
    era: Era | None = None
    signed_in: bool = False
    declined: bool = False
    remedies: tuple[Remedy, ...] = ()
    ui_commands_allowed: bool = False
    trusted: bool = False


class TestStep(Frozen):
    """One step of a trial: `resolve`, `start`, `handshake` or `tools`, with its time in ms."""

    __test__ = False

    name: str
    ok: bool
    ms: int
    detail: str = ""


class TestReport(Frozen):
    """What a trial start showed; `log` has the last lines the server wrote."""

    __test__ = False

    ok: bool
    steps: tuple[TestStep, ...]
    problem: Problem | None = None
    tools: tuple[str, ...] = ()
    protocol_version: str | None = None
    server_version: str | None = None
    log: tuple[str, ...] = ()
