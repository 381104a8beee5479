"""Answers to a window's questions: what providers, models and settings there are."""

from typing import Any, Literal

from app.chat.program_facts import EditionInfo
from app.chat.recognised import Told
from app.chat.said import Attachment
from app.core.frozen import Frozen
from app.core.messages import Usage
from app.core.saying import Saying
from app.mcp_host.blanks import Blank
from app.mcp_host.material import Completion, Listed
from app.mcp_host.status import Era, Remedy


class ProviderInfo(Frozen):
    """A vendor's row with what the person saved for it. The key itself is never told: `key_from` says where one was found."""

    name: str
    title: str
    protocol: str
    base_url: str
    default_base_url: str
    local: bool
    needs_key: bool
    key_from: Literal["none", "environment", "stored"] = "none"
    key_variable: str | None = None
    key_url: str | None = None
    model: str | None = None
    favourites: tuple[str, ...] = ()


class ModelChoice(Frozen):
    """A model that can be picked; `context` in tokens, prices in USD per million tokens; None is unknown."""

    provider: str
    id: str
    name: str | None = None
    context: int | None = None
    vision: bool | None = None
    tools: bool | None = None
    thinking: bool | None = None
    input_price: float | None = None
    output_price: float | None = None


class ModelList(Frozen):
    """A provider's models; with an `error` (and `said` for the page's language) where it could not say, those known anyway."""

    models: tuple[ModelChoice, ...] = ()
    error: str | None = None
    said: Saying | None = None


class ProviderReport(Frozen):
    """What a test of a provider found, in words for a person."""

    ok: bool
    message: str
    said: Saying | None = None
    detail: str | None = None
    models: tuple[ModelChoice, ...] = ()
    duration_ms: int = 0


class BackupInfo(Frozen):
    """A verified copy of the store; `size` in bytes."""

    name: str
    made_ms: int
    size: int


class Backups(Frozen):
    """Newest first; `planned`: the name of the one that the next start goes back to."""

    backups: tuple[BackupInfo, ...] = ()
    planned: str | None = None


class Imported(Frozen):
    """How many conversations and messages of a program's export are new; `already`: conversations that were there before.

    `notes` say what was not understood, one sentence each.
    """

    program: str
    conversations: int
    messages: int
    already: int = 0
    notes: tuple[Told, ...] = ()


class UsageRow(Frozen):
    """Sums of a day (`label`: YYYY-MM-DD) or a model (`provider/model`): `replies`, of which `priced` have a cost."""

    label: str
    replies: int
    priced: int
    usage: Usage


class UsageReport(Frozen):
    """What was used, days newest first, models dearest first; `prices_as_of`: the day LeoChat's price table was written."""

    days: tuple[UsageRow, ...]
    models: tuple[UsageRow, ...]
    prices_as_of: str


class GrantInfo(Frozen):
    """A standing yes. `tool` None: all of the server's; `pattern` narrows it to a folder or host, a conversation to itself."""

    id: str
    server: str
    tool: str | None = None
    pattern: str | None = None
    conversation_id: str | None = None
    created_ms: int


class MemoryRow(Frozen):
    """Something that is remembered, with how many facts."""

    name: str
    kind: str
    facts: int


class MemoryRelation(Frozen):
    """How one entity belongs to another, in active voice."""

    source: str
    target: str
    kind: str


class MemoryEntity(Frozen):
    """One entity whole: its facts, oldest first, and the relations to and from it."""

    name: str
    kind: str
    facts: tuple[str, ...] = ()
    relations: tuple[MemoryRelation, ...] = ()


class MemoryView(Frozen):
    """The memory's page: `rows` are the first of `found`, `shown` the entity asked for (None: it is not there).

    `total`, `facts` and `relations` count everything that is remembered.
    """

    rows: tuple[MemoryRow, ...]
    found: int
    total: int
    facts: int
    relations: int
    shown: MemoryEntity | None = None


class MemoryDone(Frozen):
    """A change of the memory: `undo` takes it back. The counts say how much an import brought."""

    undo: str
    entities: int = 0
    facts: int = 0
    relations: int = 0


class SettingsData(Frozen):
    """All settings: the JSON schema the dialog is drawn from (titles and descriptions inside) and values by dotted name."""

    json_schema: dict[str, Any]
    values: dict[str, Any]
    keys_where: str
    keys_said: tuple[Saying, ...] = ()
    home: str
    version: str
    edition: EditionInfo = EditionInfo()


class FolderInfo(Frozen):
    """A folder that bundled servers may use: LeoChat's `own`, `always` allowed, or in one `conversation` only.

    `there`: it exists. `closed`: why it is not used although it was allowed.
    """

    path: str
    kind: Literal["own", "always", "conversation"]
    there: bool = True
    closed: str | None = None
    conversation_id: str | None = None


class FoldersData(Frozen):
    """`picks`: the window has a dialog to choose a folder with."""

    folders: tuple[FolderInfo, ...]
    picks: bool = False


class ReportStep(Frozen):
    """One step of a trial: `resolve`, `start`, `handshake` or `tools`, with its time in ms."""

    name: str
    ok: bool
    ms: int


class ServerLaunch(Frozen):
    """What trying out an unsaved form would start, as a person is shown it; `accepted`: it may start without being shown.

    A remote server starts nothing here. `variables` are names, with the value where that decides what code runs.
    """

    name: str
    hash: str
    accepted: bool
    command: tuple[str, ...] = ()
    cwd: str | None = None
    variables: tuple[str, ...] = ()


class ServerReport(Frozen):
    """What trying a server out found: each step with its time, and cause and cure of a failure.

    `era`: "modern" is the stateless protocol. `unclean`: lines on its output that were no clean UTF-8 JSON and were mended
    or left out. `remedies`: what LeoChat can do about the failure.
    """

    ok: bool
    message: str
    said: tuple[Saying, ...] = ()
    detail: str | None = None
    tools: tuple[str, ...] = ()
    duration_ms: int = 0
    steps: tuple[ReportStep, ...] = ()
    protocol: str | None = None
    era: Era | None = None
    version: str | None = None
    unclean: int = 0
    remedies: tuple[Remedy, ...] = ()


class FoundServer(Frozen):
    """A server that a pasted text or picked file would add. `${KEY}` stands where one of the `blanks` goes."""

    name: str
    title: str = ""
    description: str = ""
    version: str = ""
    transport: str = "stdio"
    command: tuple[str, ...] = ()
    url: str | None = None
    variables: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    blanks: tuple[Blank, ...] = ()
    notes: tuple[Told, ...] = ()


class ServersFound(Frozen):
    """All of them, and what of the text was not taken as it stood. `bundle`: a program comes with it, and is unpacked."""

    servers: tuple[FoundServer, ...]
    notes: tuple[Told, ...] = ()
    bundle: bool = False


class ToolSchema(Frozen):
    """A tool's arguments and result, as JSON schemas."""

    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None = None


class ToolTrial(Frozen):
    """What a tool gave that was tried on the servers page: texts, and what else came in words."""

    text: str
    is_error: bool
    duration_ms: int
    structured: Any = None
    pictures: tuple[str, ...] = ()
    """As `data:` addresses."""


class SearchHit(Frozen):
    """A conversation that matches; `snippet` marks the matching words between U+0002 and U+0003."""

    conversation_id: str
    title: str
    snippet: str
    message_id: str | None = None
    updated_ms: int


class SlashInfo(Frozen):
    """A slash command; `hint` names what may follow it."""

    name: str
    title: str
    hint: str | None = None


class ExportedFile(Frozen):
    name: str
    media_type: str
    text: str


class MaterialReport(Frozen):
    """Prompts or resources of every running server that has some."""

    servers: tuple[Listed, ...] = ()


class FilledMessage(Frozen):
    """A message of a prompt; what is no text is attached."""

    role: Literal["user", "assistant"]
    text: str = ""
    attachments: tuple[Attachment, ...] = ()


class FilledPrompt(Frozen):
    """A prompt with its arguments in place, as it goes before the person's own words."""

    server: str
    name: str
    title: str
    messages: tuple[FilledMessage, ...]


class ReadContent(Frozen):
    """A content of a resource, kept whole as `attachment`; `text` where it is one, `cut` to its first part if long."""

    uri: str
    attachment: Attachment
    text: str | None = None
    cut: bool = False


class ResourceContents(Frozen):
    """What reading a resource gave."""

    contents: tuple[ReadContent, ...]


class Proposals(Completion):
    """What a server proposes for an argument."""
