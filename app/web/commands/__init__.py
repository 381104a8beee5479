"""One union of commands: everything the window can do goes through these."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType

from app.web.commands import card, conversation, folders, material, memory, safekeeping, servers, settings

AnyCommand = TypeAliasType(
    "AnyCommand",
    Annotated[
        conversation.NewConversation
        | conversation.Open
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
        | memory.MemoryRead
        | memory.MemorySave
        | memory.MemoryFact
        | memory.MemoryRelate
        | memory.MemoryForget
        | memory.MemoryUndo
        | memory.MemoryExport
        | memory.MemoryImport
        | safekeeping.BackupsList
        | safekeeping.BackupMake
        | safekeeping.BackupPlan
        | servers.ServersList
        | servers.ServersAdd
        | servers.ServersUpdate
        | servers.ServersRemove
        | servers.ServersEnable
        | servers.ServersRestart
        | servers.ServersSignIn
        | servers.ServersSignOut
        | servers.ServersAccept
        | servers.ServersGet
        | servers.ServersTest
        | servers.ServersTool
        | servers.ServersGrant
        | servers.ServersLog,
        Field(discriminator="type"),
    ],
)
