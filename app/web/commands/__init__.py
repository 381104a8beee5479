"""One union of commands: everything the window can do goes through these."""

import functools
from typing import Annotated, Any, cast, get_args

from pydantic import Field, TypeAdapter
from typing_extensions import TypeAliasType

from app.web.commands import card, conversation, folders, knowledge, material, memory, program, safekeeping, servers, settings
from app.web.commands.command import Command, Runnable

AnyCommand = TypeAliasType(
    "AnyCommand",
    Annotated[
        conversation.NewConversation
        | conversation.Open
        | conversation.Earlier
        | conversation.Close
        | conversation.SendMessage
        | conversation.Stop
        | conversation.Resume
        | conversation.Approve
        | conversation.Answer
        | conversation.EditMessage
        | conversation.Regenerate
        | conversation.SwitchSibling
        | conversation.Branch
        | conversation.QueueRemove
        | conversation.QueueEdit
        | conversation.SendNow
        | conversation.SetConversation
        | conversation.Rename
        | conversation.Delete
        | conversation.Undelete
        | conversation.ListConversations
        | conversation.Search
        | conversation.SlashList
        | conversation.ExportConversation
        | card.CardActionCommand
        | card.UiResultCommand
        | card.OpenUrlCommand
        | card.LoadPicture
        | card.Focus
        | material.PromptsList
        | material.PromptFill
        | material.ResourcesList
        | material.ResourceRead
        | material.ResourceAttach
        | material.ResourceFollow
        | material.ArgumentComplete
        | material.AnswerSampling
        | settings.GetSettings
        | settings.SetSetting
        | settings.ProvidersList
        | settings.ProviderSave
        | settings.ProviderTest
        | settings.UsageList
        | settings.GrantsList
        | settings.GrantRemove
        | folders.FoldersList
        | folders.FolderAdd
        | folders.FolderPick
        | folders.FolderRemove
        | folders.FoldersDropped
        | settings.ModelsList
        | settings.LocalModels
        | knowledge.KnowledgeRead
        | knowledge.KnowledgeAdd
        | knowledge.KnowledgePick
        | knowledge.KnowledgeRemove
        | knowledge.KnowledgeAgain
        | knowledge.KnowledgeModelSave
        | knowledge.KnowledgeModelTest
        | memory.MemoryRead
        | memory.MemorySave
        | memory.MemoryFact
        | memory.MemoryRelate
        | memory.MemoryForget
        | memory.MemoryUndo
        | memory.MemoryExport
        | memory.MemoryImport
        | program.GetAbout
        | program.GetLicence
        | program.GetDiagnosis
        | program.LookForUpdate
        | safekeeping.BackupsList
        | safekeeping.BackupMake
        | safekeeping.BackupPlan
        | servers.ServersList
        | servers.ServersFind
        | servers.ServersAdd
        | servers.ServersUpdate
        | servers.ServersRemove
        | servers.ServersEnable
        | servers.ServersRestart
        | servers.ServersSignIn
        | servers.ServersSignOut
        | servers.ServersAccept
        | servers.ServersDecline
        | servers.ServersRemedy
        | servers.ServersCopy
        | servers.ServersExport
        | servers.ServersMemory
        | servers.ServersSchema
        | servers.ServersTry
        | servers.ServersGet
        | servers.ServersLaunch
        | servers.ServersTest
        | servers.ServersTool
        | servers.ServersGrant
        | servers.ServersLog,
        Field(discriminator="type"),
    ],
)


def read_command(raw: Any) -> Runnable:
    """The command that a frame asks for. Raises pydantic's ValidationError.

    Its own class reads it, so that a page's first commands need not wait until the validators of all the others are built.
    """
    asked = cast("dict[str, Any]", raw).get("type") if isinstance(raw, dict) else None
    kind = _kinds().get(asked) if isinstance(asked, str) else None
    return cast("Runnable", kind.model_validate(raw)) if kind else _any().validate_python(raw)


@functools.cache
def _kinds() -> dict[str, type[Command]]:
    union: tuple[type[Command], ...] = get_args(get_args(AnyCommand.__value__)[0])
    return {kind.model_fields["type"].default: kind for kind in union}


@functools.cache
def _any() -> TypeAdapter[AnyCommand]:
    """Says in its error which commands there are."""
    return TypeAdapter(AnyCommand)
