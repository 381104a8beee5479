"""One union of commands: everything the window can do goes through these."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType

from app.web.commands import card, conversation, folders, knowledge, material, memory, program, safekeeping, servers, settings

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
        | servers.ServersTest
        | servers.ServersTool
        | servers.ServersGrant
        | servers.ServersLog,
        Field(discriminator="type"),
    ],
)
