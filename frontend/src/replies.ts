/** What each command's answer carries as `data`, as the command's class says; commands not listed here answer with nothing. */
import type {
  AboutData,
  Backups,
  ExportedFile,
  FilledPrompt,
  FoldersData,
  GrantInfo,
  KnowledgeTrial,
  KnowledgeView,
  MaterialReport,
  MemoryDone,
  MemoryView,
  Message,
  ModelChoice,
  ModelList,
  Proposals,
  ProviderInfo,
  ProviderReport,
  ResourceContents,
  SearchHit,
  ServerForm,
  ServerLaunch,
  ServerReport,
  SettingsData,
  SlashInfo,
  Told,
  UpdateInfo,
  UsageReport,
  WrittenText,
} from "./wire";

export interface Replies {
  new_conversation: { conversation_id: string };
  send_message: { message_id: string };
  edit_message: { message_id: string };
  branch: { conversation_id: string };
  earlier: { messages: Message[]; earlier: number };
  search: { hits: SearchHit[] };
  slash_list: { commands: SlashInfo[] };
  prompts_list: MaterialReport;
  prompt_fill: FilledPrompt;
  resources_list: MaterialReport;
  resource_read: ResourceContents;
  resource_attach: ResourceContents;
  resource_follow: { followed: boolean };
  argument_complete: Proposals;
  export_conversation: ExportedFile;
  card_action: { effect: "sent" | "queued" | "event" | "called" | "ui" | "link"; url?: string };
  load_picture: { ref: string };
  get_about: AboutData;
  get_licence: WrittenText;
  get_diagnosis: WrittenText;
  look_for_update: UpdateInfo;
  get_settings: SettingsData;
  providers_list: { providers: ProviderInfo[] };
  provider_test: ProviderReport;
  usage_list: UsageReport;
  backups_list: Backups;
  backup_make: Backups;
  backup_plan: Backups;
  folders_list: FoldersData;
  folder_add: { path: string };
  folder_pick: { path: string | null };
  folders_dropped: { folders: string[] };
  grants_list: { grants: GrantInfo[] };
  models_list: ModelList;
  local_models: { models: ModelChoice[] };
  knowledge_read: KnowledgeView;
  knowledge_add: KnowledgeView;
  knowledge_pick: KnowledgeView;
  knowledge_remove: KnowledgeView;
  knowledge_again: KnowledgeView;
  knowledge_model_save: KnowledgeView;
  knowledge_model_test: KnowledgeTrial;
  memory_read: MemoryView;
  memory_save: MemoryDone;
  memory_fact: MemoryDone;
  memory_relate: MemoryDone;
  memory_forget: MemoryDone;
  memory_export: ExportedFile;
  memory_import: MemoryDone;
  servers_add: { names: string[]; notes: Told[] };
  servers_get: ServerForm;
  servers_log: { lines: string[] };
  servers_launch: ServerLaunch;
  servers_test: ServerReport;
}
