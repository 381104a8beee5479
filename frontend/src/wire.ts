// Generated from the Python types by build/wire.py. Do not edit; run `python3 build wire`.

/** `made_with` is LeoChat's own version; `window`: what shows the page; `sbom` a file, only in a package. */
export interface AboutData {
  name: string;
  version: string;
  made_with: string;
  maker: string;
  homepage: string;
  packaged: boolean;
  home: string;
  logs: string;
  keys_where: string;
  window: string;
  parts: PartInfo[];
  sbom: string | null;
  update: UpdateInfo;
}

export interface AgentEventAction {
  name: string;
  payload: Record<string, unknown>;
  type: "agent-event";
}

/** The answer to an elicitation. */
export interface Answer {
  id: string;
  type: "answer";
  request_id: string;
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown> | null;
}

/** A person's word on a server's question to the model. While it is asked: once, always (this server need not ask any more) or deny, with `review` to see the answer before it goes back; once it is answered: send or withhold. */
export interface AnswerSampling {
  id: string;
  type: "answer_sampling";
  request_id: string;
  decision: "once" | "always" | "deny" | "send" | "withhold";
  review?: boolean;
}

export type AnyCommand =
  | NewConversation
  | Open
  | Earlier
  | Close
  | SendMessage
  | Stop
  | Resume
  | Approve
  | Answer
  | EditMessage
  | Regenerate
  | SwitchSibling
  | Branch
  | QueueRemove
  | QueueEdit
  | SendNow
  | SetConversation
  | Rename
  | Delete
  | Undelete
  | ListConversations
  | Search
  | SlashList
  | ExportConversation
  | CardActionCommand
  | UiResultCommand
  | OpenUrlCommand
  | LoadPicture
  | Focus
  | PromptsList
  | PromptFill
  | ResourcesList
  | ResourceRead
  | ResourceAttach
  | ResourceFollow
  | ArgumentComplete
  | AnswerSampling
  | GetSettings
  | SetSetting
  | ProvidersList
  | ProviderSave
  | ProviderTest
  | UsageList
  | GrantsList
  | GrantRemove
  | FoldersList
  | FolderAdd
  | FolderPick
  | FolderRemove
  | FoldersDropped
  | ModelsList
  | LocalModels
  | KnowledgeRead
  | KnowledgeAdd
  | KnowledgePick
  | KnowledgeRemove
  | KnowledgeAgain
  | KnowledgeModelSave
  | KnowledgeModelTest
  | MemoryRead
  | MemorySave
  | MemoryFact
  | MemoryRelate
  | MemoryForget
  | MemoryUndo
  | MemoryExport
  | MemoryImport
  | GetAbout
  | GetLicence
  | GetDiagnosis
  | LookForUpdate
  | BackupsList
  | BackupMake
  | BackupPlan
  | ServersList
  | ServersFind
  | ServersAdd
  | ServersUpdate
  | ServersRemove
  | ServersEnable
  | ServersRestart
  | ServersSignIn
  | ServersSignOut
  | ServersAccept
  | ServersDecline
  | ServersRemedy
  | ServersCopy
  | ServersExport
  | ServersMemory
  | ServersSchema
  | ServersTry
  | ServersGet
  | ServersLaunch
  | ServersTest
  | ServersTool
  | ServersGrant
  | ServersLog;

/** An approval was answered (by whichever window came first) or fell away. */
export interface ApprovalAnswer {
  call_id: string;
  allowed: boolean;
  type: "approval_answer";
}

/** The task waits for a person: for `call`, with `ui_command` for what its result wants of the window, with `folder` for the call and a folder outside the allowed ones that it needs, with `more_folders` for further ones; for the folders alone where `reason` is "folder". For a command and for a folder alone `call.id` has a suffix, so that all can be answered apart. */
export interface ApprovalRequest {
  call: ToolCall;
  reason: string;
  ui_command: UiRequest | null;
  folder: string | null;
  more_folders: string[];
  type: "approval_request";
}

/** `scope` narrows what `always` means: this tool, this path or host, or the server (UI commands: always the server). */
export interface Approve {
  id: string;
  type: "approve";
  conversation_id: string;
  call_id: string;
  decision: "once" | "conversation" | "always" | "deny";
  scope?: "tool" | "path" | "server";
}

/** Gives Proposals for an argument of a prompt (`name`) or of a pattern (`name` is its URI); `given`: the others so far. */
export interface ArgumentComplete {
  id: string;
  type: "argument_complete";
  server: string;
  kind: "prompt" | "resource";
  name: string;
  argument: string;
  value: string;
  given?: Record<string, string>;
}

/** `size` in bytes; the bytes are at GET /attachments/REF. */
export interface Attachment {
  ref: string;
  media_type: string;
  name: string;
  size: number;
}

/** A verified copy of the store; `size` in bytes. */
export interface BackupInfo {
  name: string;
  made_ms: number;
  size: number;
}

/** Make one now; gives Backups. */
export interface BackupMake {
  id: string;
  type: "backup_make";
}

/** Go back to the backup of that name at the next start (null: to none); gives Backups. */
export interface BackupPlan {
  id: string;
  type: "backup_plan";
  name?: string | null;
}

/** Newest first; `planned`: the name of the one that the next start goes back to. */
export interface Backups {
  backups: BackupInfo[];
  planned: string | null;
}

/** Gives Backups. */
export interface BackupsList {
  id: string;
  type: "backups_list";
}

export interface Badge {
  text: string;
  tone: "default" | "info" | "success" | "warning" | "error";
}

/** One thing to fill in. `secret`: not shown while typed. `default`: a text each; `multiple`: several values. `choices`: one of these; `least`, `most`: limits of a number. */
export interface Blank {
  key: string;
  title: string;
  description: string;
  kind: "text" | "number" | "boolean" | "file" | "folder";
  required: boolean;
  secret: boolean;
  multiple: boolean;
  default: string[];
  choices: string[];
  least: number | null;
  most: number | null;
}

export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolCall
  | ToolResultBlock
  | CardBlock
  | UiCommandBlock
  | ImageBlock
  | FileBlock;

/** More text of the block at `index` (for a tool call: raw JSON text of its arguments). */
export interface BlockDelta {
  index: number;
  text: string;
  type: "block_delta";
}

/** The block at `index` is whole. */
export interface BlockEnd {
  index: number;
  block: Block;
  type: "block_end";
}

/** A block begins at `index` of the running message, with what is known of it. */
export interface BlockStart {
  index: number;
  block: Block;
  type: "block_start";
}

/** A new conversation with everything up to this message; gives `{conversation_id}`. */
export interface Branch {
  id: string;
  type: "branch";
  conversation_id: string;
  message_id: string;
}

/** A whole card, already read leniently by `app.core.recognise`; `notes` says what was left out and why. */
export interface Card {
  id: string;
  kind: string;
  title: string;
  subtitle: string;
  tone: "default" | "info" | "success" | "warning" | "error";
  body: CardBody[];
  actions: CardAction[];
  metadata: Record<string, unknown>;
}

/** A button. `action` None: what it should do could not be read; it is drawn disabled. */
export interface CardAction {
  id: string;
  label: string;
  kind: "primary" | "secondary" | "danger";
  action: CardDeed | null;
  confirm: Confirm | null;
}

/** A button of a card was pressed; the card is looked up in the stored message, so a page cannot invent one. Gives `{effect}`: sent, queued, event, called, ui or link. */
export interface CardActionCommand {
  id: string;
  type: "card_action";
  conversation_id: string;
  message_id: string;
  card_id: string;
  action_id: string;
  inputs?: Record<string, unknown>;
}

export interface CardBadge {
  badge: Badge;
  type: "badge";
}

export interface CardBlock {
  tool_call_id: string;
  card: Card;
  server: string;
  type: "card";
}

export type CardBody =
  | CardText
  | CardFields
  | CardImage
  | CardImages
  | CardProgress
  | CardBadge
  | CardDivider
  | CardTable
  | CardCode
  | CardInput
  | CardNote;

export interface CardCode {
  code: Code;
  type: "code";
}

export type CardDeed =
  | UiCommandAction
  | AgentEventAction
  | LinkAction
  | ToolCallAction;

export interface CardDivider {
  type: "divider";
}

/** A card's `agent-event` button was pressed: for whoever embeds LeoChat. */
export interface CardEvent {
  card_id: string;
  action_id: string;
  name: string;
  payload: Record<string, unknown>;
  type: "card_event";
}

export interface CardField {
  label: string;
  value: string;
}

export interface CardFields {
  fields: CardField[];
  type: "fields";
}

export interface CardImage {
  image: Picture;
  type: "image";
}

export interface CardImages {
  images: Picture[];
  type: "images";
}

export interface CardInput {
  input: Input;
  type: "input";
}

/** Stands in place of a block that could not be read: one line that says so. */
export interface CardNote {
  note: string;
  type: "note";
}

export interface CardProgress {
  progress: Progress;
  type: "progress";
}

/** What became of one button: it was pressed, waits in the queue, runs, or failed. */
export interface CardState {
  message_id: string;
  card_id: string;
  action_id: string;
  state: "pressed" | "queued" | "running" | "failed";
  message: string | null;
}

export interface CardStateChanged {
  state: CardState;
  type: "card_state";
}

export interface CardTable {
  table: Table;
  type: "table";
}

export interface CardText {
  text: string;
  format: "plain" | "markdown";
  type: "text";
}

/** All up to here is on disk; `seq` is the conversation's last sequence number. */
export interface Checkpoint {
  reason: "round" | "stop" | "error" | "approval";
  seq: number;
  type: "checkpoint";
}

/** No more frames of this conversation. */
export interface Close {
  id: string;
  type: "close";
  conversation_id: string;
}

export interface ClosePanel {
  panel?: "mcp" | "settings" | "history" | "all";
  command: "close_panel";
}

export interface Code {
  text: string;
  language: string;
}

/** What a server proposes for an argument; `more`: there are others. */
export interface Completion {
  values: string[];
  more: boolean;
}

export interface Confirm {
  title: string;
  message: string;
  confirmText: string;
  cancelText: string;
}

/** Tokens the last request took and the model's window; None is unknown. */
export interface ContextShare {
  used: number | null;
  window: number | null;
}

export interface ConversationChanged {
  conversation: ConversationInfo;
  type: "conversation_changed";
}

/** One row of the list, and the head of the page. `interrupted` names why the last task did not come to its end (killed, stopped, error, round limit…), None after a good end. `usage` sums all replies. `waiting`: an approval or question is open. */
export interface ConversationInfo {
  id: string;
  title: string;
  created_ms: number;
  updated_ms: number;
  running: boolean;
  waiting: boolean;
  pinned: boolean;
  folder: string | null;
  interrupted: "done" | "round_limit" | "loop" | "limit" | "cancelled" | "error" | "killed" | null;
  provider: string | null;
  model: string | null;
  system: string;
  temperature: number | null;
  max_tokens: number | null;
  thinking: string | null;
  usage: Usage;
  context: ContextShare;
}

/** The whole list, newest first, deleted ones left out. */
export interface ConversationsChanged {
  conversations: ConversationInfo[];
  type: "conversations_changed";
}

export interface CopyToClipboard {
  text: string;
  showNotification?: boolean;
  command: "copy_to_clipboard";
}

/** Out of the list at once, gone after 30 days; `undelete` brings it back. */
export interface Delete {
  id: string;
  type: "delete";
  conversation_id: string;
}

/** Gives `{messages, earlier}`: up to `most` that stand before a message of the shown branch, and how many before these. */
export interface Earlier {
  id: string;
  type: "earlier";
  conversation_id: string;
  message_id: string;
  most?: number;
}

/** A new sibling of a user message, with a new task from there; the old one stays. */
export interface EditMessage {
  id: string;
  type: "edit_message";
  conversation_id: string;
  message_id: string;
  text: string;
}

/** What this program is called; `version` the edition's own, else LeoChat's. */
export interface EditionInfo {
  name: string;
  version: string;
  maker: string;
  homepage: string;
  prompts: EditionPromptInfo[];
}

/** Something to try that the edition offers. */
export interface EditionPromptInfo {
  title: string;
  text: string;
}

/** A server asks the person for data; `json_schema` describes the answer's fields. */
export interface Elicitation {
  request_id: string;
  server: string;
  message: string;
  json_schema: Record<string, unknown>;
  url: string | null;
}

export interface ElicitationClosed {
  request_id: string;
  type: "elicitation_closed";
}

export interface ElicitationRequest {
  elicitation: Elicitation;
  type: "elicitation_request";
}

/** A failure in words for a person (`message`, `said` for the page's language) with raw `detail`; kinds as contracted. */
export interface ErrorInfo {
  kind: "auth" | "balance" | "rate_limit" | "overloaded" | "context_overflow" | "bad_request" | "content_filter" | "network" | "timeout" | "protocol" | "internal";
  message: string;
  detail: string | null;
  said: Saying | null;
}

/** Gives an ExportedFile. */
export interface ExportConversation {
  id: string;
  type: "export_conversation";
  conversation_id: string;
  format?: "markdown" | "json";
}

export interface ExportedFile {
  name: string;
  media_type: string;
  text: string;
}

/** Any other file kept as a blob under `ref`; `size` in bytes. */
export interface FileBlock {
  media_type: string;
  ref: string;
  name: string | null;
  size: number | null;
  tool_call_id: string | null;
  type: "file";
}

/** A message of a prompt; what is no text is attached. */
export interface FilledMessage {
  role: "user" | "assistant";
  text: string;
  attachments: Attachment[];
}

/** A prompt with its arguments in place, as it goes before the person's own words. */
export interface FilledPrompt {
  server: string;
  name: string;
  title: string;
  messages: FilledMessage[];
}

/** This window got or lost the focus, or was hidden; UI commands go to the last focused one. */
export interface Focus {
  id: string;
  type: "focus";
  focused: boolean;
  visible?: boolean;
}

/** Allow a folder in every conversation: a person typed its whole path, or dropped it. Gives `{path}`, links followed. */
export interface FolderAdd {
  id: string;
  type: "folder_add";
  path: string;
}

/** A folder that bundled servers may use: LeoChat's `own`, `always` allowed, or in one `conversation` only. `there`: it exists. `closed`: why it is not used although it was allowed. */
export interface FolderInfo {
  path: string;
  kind: "own" | "always" | "conversation";
  there: boolean;
  closed: string | null;
  conversation_id: string | null;
}

/** Let the person choose one in the system's own dialog; gives `{path}`, None where they chose none. */
export interface FolderPick {
  id: string;
  type: "folder_pick";
}

/** Close it again: in every conversation, or in the one it was allowed in. */
export interface FolderRemove {
  id: string;
  type: "folder_remove";
  path: string;
  conversation_id?: string | null;
}

/** `picks`: the window has a dialog to choose a folder with. */
export interface FoldersData {
  folders: FolderInfo[];
  picks: boolean;
}

/** What was dropped on the window just now is called so: gives `{folders}`, which are it or hold it, for the person to allow. Empty in a browser, which tells no paths. */
export interface FoldersDropped {
  id: string;
  type: "folders_dropped";
  names: string[];
}

/** Gives FoldersData. */
export interface FoldersList {
  id: string;
  type: "folders_list";
}

/** A server that a pasted text or picked file would add. `${KEY}` stands where one of the `blanks` goes. */
export interface FoundServer {
  name: string;
  title: string;
  description: string;
  version: string;
  transport: string;
  command: string[];
  url: string | null;
  variables: string[];
  headers: string[];
  blanks: Blank[];
  notes: Told[];
}

/** `seq` rises within a conversation and may skip; 0 where `conversation_id` is None. */
export interface Frame {
  conversation_id: string | null;
  seq: number;
  event: Said;
}

/** Gives AboutData. */
export interface GetAbout {
  id: string;
  type: "get_about";
}

/** Gives WrittenText to send to whoever helps: no keys and no texts of the person's. */
export interface GetDiagnosis {
  id: string;
  type: "get_diagnosis";
}

/** Gives WrittenText: the whole licence of a part. */
export interface GetLicence {
  id: string;
  type: "get_licence";
  name: string;
  kind: string;
}

/** Gives SettingsData. */
export interface GetSettings {
  id: string;
  type: "get_settings";
}

/** A standing yes. `tool` None: all of the server's; `pattern` narrows it to a folder or host, a conversation to itself. */
export interface GrantInfo {
  id: string;
  server: string;
  tool: string | null;
  pattern: string | null;
  conversation_id: string | null;
  created_ms: number;
}

/** Take one back: from now on it asks again. */
export interface GrantRemove {
  id: string;
  type: "grant_remove";
  grant_id: string;
}

/** Gives `{grants: [GrantInfo]}`: what was allowed for good. */
export interface GrantsList {
  id: string;
  type: "grants_list";
}

/** The page's first frame. `languages`: the tags the window's system prefers ("es-MX"), best first. */
export interface Hello {
  token: string;
  resume?: Record<string, number> | null;
  languages?: string[] | null;
  type: "hello";
}

/** A picture kept as a blob under `ref` (attachments and tool results alike). */
export interface ImageBlock {
  media_type: string;
  ref: string;
  name: string | null;
  tool_call_id: string | null;
  type: "image";
}

/** How many conversations and messages of a program's export are new; `already`: conversations that were there before. `notes` say what was not understood, one sentence each. */
export interface Imported {
  program: string;
  conversations: number;
  messages: number;
  already: number;
  notes: Told[];
}

export interface Input {
  name: string;
  label: string;
  kind: "text" | "number" | "select" | "checkbox" | "date";
  options: InputOption[];
  value: string | number | boolean | null;
  required: boolean;
}

export interface InputOption {
  value: string;
  label: string;
}

/** What the model wrote as arguments where it is not a JSON object, and why not. */
export interface InvalidArguments {
  raw: string;
  error: string;
}

export type JsonValue =
  | unknown;

/** Index a folder: a person typed its whole path. Gives KnowledgeView. */
export interface KnowledgeAdd {
  id: string;
  type: "knowledge_add";
  path: string;
}

/** Look through a folder now, and try again what could not be read. Gives KnowledgeView. */
export interface KnowledgeAgain {
  id: string;
  type: "knowledge_again";
  folder: number;
}

/** A file that could not be read, or not whole. `kind` says why in one word, `problem` in a sentence. Kinds: name, large, unreadable, locked, scan, binary, damaged, slow, cut, empty, other. */
export interface KnowledgeFile {
  path: string;
  kind: string;
  problem: string;
}

/** A folder with its counts. `others` are files of kinds that are not read; times are ms since 1970. `problems` are the first of its files that could not be read; `failed` counts them all. */
export interface KnowledgeFolder {
  id: number;
  path: string;
  state: "scanning" | "reading" | "ready" | "missing";
  problem: string;
  files: number;
  indexed: number;
  waiting: number;
  failed: number;
  passages: number;
  others: number;
  scanned_ms: number | null;
  indexed_ms: number | null;
  problems: KnowledgeFile[];
}

/** The embedding model that the person added ("" : none). `has_key`: one is saved for its host. `vectors` of `passages` are compared with it; `problem` is why not more are. */
export interface KnowledgeModel {
  protocol: "openai" | "ollama";
  address: string;
  model: string;
  has_key: boolean;
  vectors: number;
  passages: number;
  problem: string;
}

/** Keep the embedding model; an empty address and model: none. A `key` of "" forgets it. Gives KnowledgeView. */
export interface KnowledgeModelSave {
  id: string;
  protocol: "openai" | "ollama";
  address: string;
  model: string;
  key?: string | null;
  type: "knowledge_model_save";
}

/** Ask the model for one vector. Gives KnowledgeTrial. */
export interface KnowledgeModelTest {
  id: string;
  protocol: "openai" | "ollama";
  address: string;
  model: string;
  key?: string | null;
  type: "knowledge_model_test";
}

/** Let the person choose a folder in the system's own dialog, and index it. Gives KnowledgeView. */
export interface KnowledgePick {
  id: string;
  type: "knowledge_pick";
}

/** Gives KnowledgeView. */
export interface KnowledgeRead {
  id: string;
  type: "knowledge_read";
}

/** Take a folder out of the index with all that is known of it; its files stay. Gives KnowledgeView. */
export interface KnowledgeRemove {
  id: string;
  type: "knowledge_remove";
  folder: number;
}

/** What a test of an embedding model found: the length of its vectors, or why there are none. */
export interface KnowledgeTrial {
  ok: boolean;
  dimensions: number | null;
  message: string;
  duration_ms: number;
}

/** All of the page. `on`: the server runs; `picks`: there is a dialog to choose a folder; `trouble`: what holds it up. */
export interface KnowledgeView {
  on: boolean;
  folders: KnowledgeFolder[];
  model: KnowledgeModel;
  picks: boolean;
  trouble: string;
}

export interface LinkAction {
  url: string;
  type: "link";
}

/** A resource that a result names, to be read from the call's server; with `ref` its text came along and is kept there. */
export interface LinkedResource {
  uri: string;
  name: string;
  media_type: string | null;
  description: string | null;
  ref: string | null;
}

/** Answered by a `conversations_changed` frame to this window. */
export interface ListConversations {
  id: string;
  type: "list_conversations";
}

/** What one server has of a kind; `problem` says why the list could not be had, `said` the same where it is known. `follows`: it tells of changes. */
export interface Listed {
  server: string;
  title: string;
  prompts: PromptInfo[];
  resources: ResourceInfo[];
  problem: string | null;
  said: Saying[];
  follows: boolean;
  followed: string[];
}

/** Fetch a remote picture through the backend (guarded, checked, cached); gives `{ref}` for GET /attachments/REF. `clicked`: the person asked for this one; else only for trusted servers and allowed hosts. */
export interface LoadPicture {
  id: string;
  type: "load_picture";
  url: string;
  server?: string | null;
  clicked?: boolean;
}

/** Gives `{models: [ModelChoice]}` of the model servers found on this computer. */
export interface LocalModels {
  id: string;
  type: "local_models";
}

/** Ask now whether there is a newer version; gives UpdateInfo. */
export interface LookForUpdate {
  id: string;
  type: "look_for_update";
}

/** A server's prompts, its list of resources, or one followed resource (`uri`) is not what it was. */
export interface MaterialChanged {
  server: string;
  what: "prompts" | "resources" | "resource";
  uri: string | null;
  type: "material_changed";
}

/** Prompts or resources of every running server that has some. */
export interface MaterialReport {
  servers: Listed[];
}

/** What is remembered is not what it was: whoever shows it reads it again. */
export interface MemoryChanged {
  type: "memory_changed";
}

/** A change of the memory: `undo` takes it back. The counts say how much an import brought. */
export interface MemoryDone {
  undo: string;
  entities: number;
  facts: number;
  relations: number;
}

/** One entity whole: its facts, oldest first, and the relations to and from it. */
export interface MemoryEntity {
  name: string;
  kind: string;
  facts: string[];
  relations: MemoryRelation[];
}

/** Gives ExportedFile: everything, as the reference memory server keeps it. */
export interface MemoryExport {
  id: string;
  type: "memory_export";
}

/** Add a fact (`old` null), forget it (`new` null), or put another in its place. Gives MemoryDone. */
export interface MemoryFact {
  id: string;
  type: "memory_fact";
  entity: string;
  old?: string | null;
  new?: string | null;
}

/** Forget an entity with its facts and relations; `name` null: everything. Gives MemoryDone. */
export interface MemoryForget {
  id: string;
  type: "memory_forget";
  name: string | null;
}

/** Add what the text of such a file holds; what is known stays as it is. Gives MemoryDone with how much was new. */
export interface MemoryImport {
  id: string;
  type: "memory_import";
  text: string;
}

/** Gives MemoryView: those that fit `query` (all, if it is empty) and the entity called `name`. */
export interface MemoryRead {
  id: string;
  type: "memory_read";
  query?: string;
  name?: string | null;
}

/** Add a relation, or forget it. Gives MemoryDone. */
export interface MemoryRelate {
  id: string;
  type: "memory_relate";
  relation: MemoryRelation;
  remove?: boolean;
}

/** How one entity belongs to another, in active voice. */
export interface MemoryRelation {
  source: string;
  target: string;
  kind: string;
}

/** Something that is remembered, with how many facts. */
export interface MemoryRow {
  name: string;
  kind: string;
  facts: number;
}

/** Add an entity (`old` null), or give one another name and type. Gives MemoryDone. */
export interface MemorySave {
  id: string;
  type: "memory_save";
  old?: string | null;
  name: string;
  kind: string;
}

/** Take a change back by the `undo` of its MemoryDone; what others wrote since stays. */
export interface MemoryUndo {
  id: string;
  type: "memory_undo";
  undo: string;
}

/** The memory's page: `rows` are the first of `found`, `shown` the entity asked for (None: it is not there). `total`, `facts` and `relations` count everything that is remembered. */
export interface MemoryView {
  rows: MemoryRow[];
  found: number;
  total: number;
  facts: number;
  relations: number;
  shown: MemoryEntity | null;
}

/** One speaker's contribution. `parent_id` is the message before it in the tree (None at the root). `covers`: this is a summary, sent to the model in place of everything up to the message of that id. `recalled`: lines of the memory that went along with a person's message, as data. */
export interface Message {
  id: string;
  role: "user" | "assistant" | "tool";
  blocks: Block[];
  parent_id: string | null;
  stop_reason: "end" | "tool_use" | "length" | "content_filter" | "refusal" | "cancelled" | "error" | null;
  stop_detail: string | null;
  error: ErrorInfo | null;
  usage: Usage | null;
  model: string | null;
  provider: string | null;
  origin: Origin | null;
  covers: string | null;
  recalled: string[];
  created_ms: number;
  duration_ms: number | null;
}

/** Carries the whole message: storing this one event stores the conversation. */
export interface MessageEnd {
  message: Message;
  type: "message_end";
}

export interface MessageStart {
  message: Message;
  type: "message_start";
}

/** A model that can be picked; `context` in tokens, prices in USD per million tokens; None is unknown. */
export interface ModelChoice {
  provider: string;
  id: string;
  name: string | null;
  context: number | null;
  vision: boolean | null;
  tools: boolean | null;
  thinking: boolean | null;
  input_price: number | null;
  output_price: number | null;
}

/** The reply is over; the last event of every provider stream that did not raise. */
export interface ModelEnd {
  stop_reason: "end" | "tool_use" | "length" | "content_filter" | "refusal" | "cancelled" | "error";
  usage: Usage;
  stop_detail: string | null;
  model: string | null;
  type: "model_end";
}

/** A provider's models; with an `error` (and `said` for the page's language) where it could not say, those known anyway. */
export interface ModelList {
  models: ModelChoice[];
  error: string | null;
  said: Saying | null;
}

/** Gives the ModelList of one provider, from the endpoint where it can, else what is known. */
export interface ModelsList {
  id: string;
  type: "models_list";
  provider: string;
}

/** Gives `{conversation_id}`; the row appears in the list with its first message. */
export interface NewConversation {
  id: string;
  type: "new_conversation";
}

/** Something to tell the person that belongs to no message; `key` is a name in the window's text table, if it has one. */
export interface Notice {
  level: "info" | "success" | "warning" | "error";
  message: string;
  key: string | null;
  params: Record<string, unknown>;
  type: "notice";
}

/** What a provider must get back verbatim (a signature, `reasoning_details`, …), kept beside the neutral block. `protocol` and `vendor` say who may have it back; everybody else's request leaves it out. */
export interface Opaque {
  protocol: string;
  vendor: string;
  data: JsonValue;
}

/** Frames of this conversation follow: what is missing after `resume`, else `opened`. With `last` it has no more messages than that; what stands before them is asked for by `earlier`. */
export interface Open {
  id: string;
  type: "open";
  conversation_id: string;
  resume?: number | null;
  last?: number | null;
}

/** A file of this computer in its own program, or with `reveal` its folder; only by a person's click on a card. */
export interface OpenFile {
  path: string;
  reveal?: boolean;
  command: "open_file";
}

export interface OpenPanel {
  panel: "mcp" | "settings" | "history";
  tab?: string | null;
  command: "open_panel";
}

export interface OpenUrl {
  url: string;
  newTab?: boolean;
  command: "open_url";
}

/** Open an address outside the window. A person clicked it, so nothing asks again; only http, https and mailto. */
export interface OpenUrlCommand {
  id: string;
  type: "open_url";
  url: string;
}

/** A conversation whole: `messages` from the root to the head, the one being written included (its stop_reason is None). A window that asked for no more than the last ones is told by `earlier` how many stand before them. */
export interface Opened {
  conversation: ConversationInfo;
  messages: Message[];
  running: Running | null;
  approvals: PendingApproval[];
  queue: QueuedMessage[];
  elicitations: Elicitation[];
  samplings: Sampling[];
  card_states: CardState[];
  siblings: Siblings[];
  earlier: number;
  type: "opened";
}

/** Where a message came from when no person typed it: the card of a server whose button was pressed. `prompt`: a server's prompt that the person picked; `label` is its title. */
export interface Origin {
  server: string;
  card_id: string;
  label: string;
  bundled: boolean;
  prompt: boolean;
}

/** A part of the program. `licence` "" is unknown; `has_text`: its licence can be read whole. */
export interface PartInfo {
  name: string;
  version: string;
  kind: "python" | "npm" | "system" | "program";
  licence: string;
  home: string;
  has_text: boolean;
}

/** An approval still open, as its ApprovalRequest told it. */
export interface PendingApproval {
  call: ToolCall;
  reason: string;
  ui_command: UiRequest | null;
  folder: string | null;
  more_folders: string[];
}

/** `url` is https, a `data:` picture, or after keeping `leochat-blob:REF` (an attachment of ours). */
export interface Picture {
  url: string;
  alt: string;
}

export interface Progress {
  value: number;
  max: number;
  label: string;
}

export interface PromptArgument {
  name: string;
  title: string | null;
  description: string;
  required: boolean;
}

/** Gives a FilledPrompt, to be shown and then sent with `send_message`. */
export interface PromptFill {
  id: string;
  type: "prompt_fill";
  server: string;
  name: string;
  arguments?: Record<string, string>;
}

/** A prompt a person can pick; `server` and `name` together are its identity. */
export interface PromptInfo {
  server: string;
  name: string;
  title: string | null;
  description: string;
  arguments: PromptArgument[];
}

/** Gives a MaterialReport: the prompts of all running servers, or of one. `material_changed` says when to ask again. */
export interface PromptsList {
  id: string;
  type: "prompts_list";
  server?: string | null;
}

/** What a server proposes for an argument. */
export interface Proposals {
  values: string[];
  more: boolean;
}

/** A vendor's row with what the person saved for it. The key itself is never told: `key_from` says where one was found. */
export interface ProviderInfo {
  name: string;
  title: string;
  protocol: string;
  base_url: string;
  default_base_url: string;
  local: boolean;
  needs_key: boolean;
  key_from: "none" | "environment" | "stored";
  key_variable: string | null;
  key_url: string | null;
  model: string | null;
  favourites: string[];
}

/** What a test of a provider found, in words for a person. */
export interface ProviderReport {
  ok: boolean;
  message: string;
  said: Saying | null;
  detail: string | null;
  models: ModelChoice[];
  duration_ms: number;
}

/** Save a provider's address, protocol, key, default model and favourites; null stays as it is, empty is the default. `key`: "" forgets the stored key. `use`: make it the default for new conversations. */
export interface ProviderSave {
  id: string;
  type: "provider_save";
  name: string;
  base_url?: string | null;
  protocol?: string | null;
  key?: string | null;
  model?: string | null;
  favourites?: string[] | null;
  use?: boolean;
}

/** Ask the endpoint for its models and a word; gives a ProviderReport that says what is wrong. */
export interface ProviderTest {
  id: string;
  type: "provider_test";
  name: string;
  base_url?: string | null;
  protocol?: string | null;
  key?: string | null;
  model?: string | null;
}

/** Gives `{providers: [ProviderInfo]}`. */
export interface ProvidersList {
  id: string;
  type: "providers_list";
}

export interface QueueChanged {
  queue: QueuedMessage[];
  type: "queue_changed";
}

export interface QueueEdit {
  id: string;
  type: "queue_edit";
  conversation_id: string;
  queued_id: string;
  text: string;
}

export interface QueueRemove {
  id: string;
  type: "queue_remove";
  conversation_id: string;
  queued_id: string;
}

/** Sent while a task ran; joins at the next round. `label` is the button's, where a card sent it. */
export interface QueuedMessage {
  id: string;
  text: string;
  label: string | null;
  attachments: Attachment[];
}

/** A content of a resource, kept whole as `attachment`; `text` where it is one, `cut` to its first part if long. */
export interface ReadContent {
  uri: string;
  attachment: Attachment;
  text: string | null;
  cut: boolean;
}

export interface Refusal {
  kind: string;
  message: string;
  said: Saying[];
}

/** Another reply in place of `message_id`, also with another model. */
export interface Regenerate {
  id: string;
  type: "regenerate";
  conversation_id: string;
  message_id: string;
  provider?: string | null;
  model?: string | null;
}

/** `value` is what a button or line shows: a path, an address, an argument, a number of seconds, a command to copy. `install` is only shown: nothing is installed by LeoChat itself. */
export interface Remedy {
  kind: "program" | "address" | "handshake" | "longer" | "argument" | "install";
  value: string;
}

export interface Rename {
  id: string;
  type: "rename";
  conversation_id: string;
  title: string;
}

/** The answer to a command; `data` as the command's class says, `error` where `ok` is false. */
export interface Reply {
  reply_to: string;
  ok: boolean;
  data: unknown;
  error: Refusal | null;
}

/** One step of a trial: `resolve`, `start`, `handshake` or `tools`, with its time in ms. */
export interface ReportStep {
  name: string;
  ok: boolean;
  ms: number;
}

/** A preset, or width and height in CSS pixels (one alone keeps the other), clamped to at least 800x600. */
export interface ResizeWindow {
  preset?: "small" | "medium" | "large" | "fullscreen" | null;
  width?: number | null;
  height?: number | null;
  command: "resize_window";
}

/** As `resource_read`, for a message: refused where there is nothing to attach. */
export interface ResourceAttach {
  id: string;
  type: "resource_attach";
  server: string;
  uri: string;
  arguments?: Record<string, string> | null;
}

/** What reading a resource gave. */
export interface ResourceContents {
  contents: ReadContent[];
}

/** Be told (`material_changed`) when a resource changes, or no more; gives `{followed}`, false where it cannot be. */
export interface ResourceFollow {
  id: string;
  type: "resource_follow";
  server: string;
  uri: string;
  follow: boolean;
}

/** A resource, or with `template` a pattern of URIs (RFC 6570) with its `arguments`. `size` in bytes. `fault`: why a pattern cannot be filled in. */
export interface ResourceInfo {
  server: string;
  uri: string;
  name: string;
  title: string | null;
  description: string;
  media_type: string | null;
  size: number | null;
  template: boolean;
  arguments: string[];
  fault: string | null;
}

/** Gives ResourceContents. With `arguments`, `uri` is a pattern (RFC 6570) that they fill in. */
export interface ResourceRead {
  id: string;
  type: "resource_read";
  server: string;
  uri: string;
  arguments?: Record<string, string> | null;
}

/** Gives a MaterialReport: resources and patterns of all running servers, or of one. */
export interface ResourcesList {
  id: string;
  type: "resources_list";
  server?: string | null;
}

/** Go on with a task that was cut off, stopped or at its limit. */
export interface Resume {
  id: string;
  type: "resume";
  conversation_id: string;
}

/** The provider failed before it said anything; try `attempt` of `of` follows after `delay_ms`. */
export interface Retry {
  attempt: number;
  of: number;
  delay_ms: number;
  reason: string;
  said: Saying | null;
  type: "retry";
}

export interface RoundStart {
  round: number;
  type: "round_start";
}

/** Do what the action of this id does: it was chosen in a menu outside the page. */
export interface RunAction {
  action: string;
  type: "run_action";
}

/** A task in flight: `message_id` is the message being written, if any; `open_blocks` those of its blocks not yet whole. */
export interface Running {
  task_id: string;
  round: number;
  started_ms: number;
  message_id: string | null;
  open_blocks: number[];
  tools: RunningTool[];
}

export interface RunningTool {
  call_id: string;
  started_ms: number;
  progress: number | null;
  total: number | null;
  message: string | null;
}

export type Said =
  | BlockStart
  | BlockDelta
  | BlockEnd
  | Retry
  | ModelEnd
  | TaskStart
  | RoundStart
  | MessageStart
  | MessageEnd
  | ApprovalRequest
  | ApprovalAnswer
  | ToolStart
  | ToolProgress
  | ToolEnd
  | Checkpoint
  | TaskEnd
  | Opened
  | UiCommandAsked
  | CardEvent
  | CardStateChanged
  | QueueChanged
  | ElicitationRequest
  | ElicitationClosed
  | SamplingRequest
  | SamplingClosed
  | MaterialChanged
  | ConversationChanged
  | ConversationsChanged
  | ServersChanged
  | MemoryChanged
  | SettingsChanged
  | RunAction
  | ShowConversation
  | Notice;

/** A server asks for a model's answer. `asked`: the person decides; `running`; `answered`: they look at the answer first. `tools` are the server's own, by name; `hints`: the models it would like. `input_tokens` and `cost` (USD, with an answer of the longest length) are estimates, None where unknown. */
export interface Sampling {
  request_id: string;
  server: string;
  state: "asked" | "running" | "answered";
  provider: string;
  model: string;
  messages: Message[];
  system: string;
  tools: string[];
  hints: string[];
  max_tokens: number;
  input_tokens: number | null;
  cost: number | null;
  answer: string | null;
  calls: ToolCall[];
}

export interface SamplingClosed {
  request_id: string;
  type: "sampling_closed";
}

/** New, or in another state than before. */
export interface SamplingRequest {
  sampling: Sampling;
  type: "sampling_request";
}

export interface Saying {
  key: string;
  with: Record<string, string | number>;
}

export interface ScrollToMessage {
  messageId?: string | null;
  position?: "top" | "bottom" | null;
  command: "scroll_to_message";
}

/** Gives `{hits: [SearchHit]}` over titles and texts. */
export interface Search {
  id: string;
  type: "search";
  text: string;
}

/** A conversation that matches; `snippet` marks the matching words between U+0002 and U+0003. */
export interface SearchHit {
  conversation_id: string;
  title: string;
  snippet: string;
  message_id: string | null;
  updated_ms: number;
}

/** Start a task, or queue where one runs. `attachments` are refs of POST /attachments, `prompts` those of `prompt_fill`. */
export interface SendMessage {
  id: string;
  type: "send_message";
  conversation_id: string;
  text: string;
  attachments?: string[];
  label?: string | null;
  prompts?: FilledPrompt[];
}

/** Stop what runs and send what is queued. */
export interface SendNow {
  id: string;
  type: "send_now";
  conversation_id: string;
  queued_id: string;
}

/** A third-party server as typed into the form: a command (stdio) or a url (HTTP). `client_id`, `client_secret`: LeoChat's registration at servers that register nobody by themselves; a secret is never told, only that there is one (`has_secret`), and None leaves it as it is. `signs_in` client: these two alone, with no browser. */
export interface ServerForm {
  name: string;
  command?: string | null;
  args?: string[];
  cwd?: string | null;
  env?: Record<string, string>;
  url?: string | null;
  headers?: Record<string, string>;
  client_id?: string | null;
  client_secret?: string | null;
  has_secret?: boolean;
  signs_in?: "person" | "client";
}

/** A row of the servers page. `command` is the whole command as it would start; `hash` is what accepting binds to. */
export interface ServerInfo {
  name: string;
  title: string;
  description: string;
  kind: "bundled" | "demo" | "third_party";
  transport: "builtin" | "stdio" | "http" | "sse" | "tcp";
  state: "disabled" | "starting" | "ready" | "error" | "stopped" | "waiting";
  enabled: boolean;
  message: string | null;
  said: Saying[];
  detail: string | null;
  command: string[];
  cwd: string | null;
  variables: string[];
  url: string | null;
  headers: string[];
  roots: boolean;
  sampling: boolean;
  hash: string | null;
  accepted: boolean;
  changes: string | null;
  sign_in: boolean;
  signed_in: boolean;
  declined: boolean;
  remedies: Remedy[];
  deferred: boolean;
  calls: number;
  used_ms: number | null;
  failed_ms: number | null;
  last_error: string | null;
  last_said: Saying[];
  era: "modern" | "legacy" | null;
  version: string | null;
  ui_commands: boolean;
  trusted: boolean;
  tools: ToolInfo[];
  tokens: number;
  started_ms: number | null;
  protocol: string | null;
}

/** What trying out an unsaved form would start, as a person is shown it; `accepted`: it may start without being shown. A remote server starts nothing here. `variables` are names, with the value where that decides what code runs. */
export interface ServerLaunch {
  name: string;
  hash: string;
  accepted: boolean;
  command: string[];
  cwd: string | null;
  variables: string[];
}

/** What trying a server out found: each step with its time, and cause and cure of a failure. `era`: "modern" is the stateless protocol. `unclean`: lines on its output that were no clean UTF-8 JSON and were mended or left out. `remedies`: what LeoChat can do about the failure. */
export interface ServerReport {
  ok: boolean;
  message: string;
  said: Saying[];
  detail: string | null;
  tools: string[];
  duration_ms: number;
  steps: ReportStep[];
  protocol: string | null;
  era: "modern" | "legacy" | null;
  version: string | null;
  unclean: number;
  remedies: Remedy[];
}

/** The person saw the whole command and accepts exactly this `hash`. */
export interface ServersAccept {
  id: string;
  type: "servers_accept";
  name: string;
  hash: string;
  ui_commands?: boolean | null;
}

/** By form, or by `json_text` or `ref` as `servers_find` read them. Gives `{names, notes}`. `picked`: names of those that are added, all if left out; `values`: what was filled in, by server and blank. What is added waits for acceptance before its first start; what comes from a text or file is switched off besides. */
export interface ServersAdd {
  id: string;
  type: "servers_add";
  server?: ServerForm | null;
  json_text?: string | null;
  ref?: string | null;
  picked?: string[] | null;
  values?: Record<string, Record<string, string | boolean | string[]>>;
}

export interface ServersChanged {
  servers: ServerInfo[];
  type: "servers_changed";
}

/** A second server of the same configuration, switched off and not accepted; gives `{name}`. */
export interface ServersCopy {
  id: string;
  type: "servers_copy";
  name: string;
}

/** The person saw what would start and said no. */
export interface ServersDecline {
  id: string;
  type: "servers_decline";
  name: string;
  hash: string;
}

export interface ServersEnable {
  id: string;
  type: "servers_enable";
  name: string;
  enabled: boolean;
}

/** A server's configuration as other programs read it, without values that may be secrets; gives `{text}`. */
export interface ServersExport {
  id: string;
  type: "servers_export";
  name: string;
}

/** What a pasted `json_text`, or a picked file uploaded as attachment `ref`, would add; gives ServersFound. Adds nothing. */
export interface ServersFind {
  id: string;
  type: "servers_find";
  json_text?: string | null;
  ref?: string | null;
}

/** All of them, and what of the text was not taken as it stood. `bundle`: a program comes with it, and is unpacked. */
export interface ServersFound {
  servers: FoundServer[];
  notes: Told[];
  bundle: boolean;
}

/** A third-party server's configuration for the form; gives a ServerForm (values of variables included). */
export interface ServersGet {
  id: string;
  type: "servers_get";
  name: string;
}

/** Allow or take back a server's UI commands, trust its hints about what only reads, let it know the allowed folders (`roots`), or let it use the model without asking (`sampling`). */
export interface ServersGrant {
  id: string;
  type: "servers_grant";
  name: string;
  ui_commands?: boolean | null;
  trusted?: boolean | null;
  roots?: boolean | null;
  sampling?: boolean | null;
}

/** What testing an unsaved form would start, to be shown before it does; gives a ServerLaunch. Starts nothing. */
export interface ServersLaunch {
  id: string;
  type: "servers_launch";
  server: ServerForm;
}

/** Answered by a `servers_changed` frame to this window. */
export interface ServersList {
  id: string;
  type: "servers_list";
}

/** Gives `{lines: [str]}`: the last of what the server wrote on stderr and of its life. */
export interface ServersLog {
  id: string;
  type: "servers_log";
  name: string;
}

/** Gives `{bytes: {server: int}}`: resident memory of each process of ours with all it has started. */
export interface ServersMemory {
  id: string;
  type: "servers_memory";
}

/** Carry out one of the row's `remedies`; a changed launch asks for acceptance again. */
export interface ServersRemedy {
  id: string;
  type: "servers_remedy";
  name: string;
  remedy: Remedy;
}

export interface ServersRemove {
  id: string;
  type: "servers_remove";
  name: string;
}

export interface ServersRestart {
  id: string;
  type: "servers_restart";
  name: string;
}

/** The arguments and result of one tool; gives ToolSchema. */
export interface ServersSchema {
  id: string;
  type: "servers_schema";
  name: string;
  tool: string;
}

/** Open the person's browser to sign in to a remote server; answered once that worked or failed, within five minutes. */
export interface ServersSignIn {
  id: string;
  type: "servers_sign_in";
  name: string;
}

/** Forget a remote server's tokens. */
export interface ServersSignOut {
  id: string;
  type: "servers_sign_out";
  name: string;
}

/** Start it apart, shake hands, list its tools, stop it; gives a ServerReport. An unsaved form of a local program starts where its launch was accepted: as the saved server's, or by its `hash`, which lets it start this once. */
export interface ServersTest {
  id: string;
  type: "servers_test";
  name?: string | null;
  server?: ServerForm | null;
  hash?: string | null;
}

/** Switch one tool of a server on or off. */
export interface ServersTool {
  id: string;
  type: "servers_tool";
  name: string;
  tool: string;
  enabled: boolean;
}

/** Call a tool at the person's wish, outside of any conversation; gives ToolTrial. */
export interface ServersTry {
  id: string;
  type: "servers_try";
  name: string;
  tool: string;
  arguments?: Record<string, unknown>;
}

/** Replace a server's configuration; a changed launch asks for acceptance again. */
export interface ServersUpdate {
  id: string;
  type: "servers_update";
  name: string;
  server: ServerForm;
}

/** Only the fields that are there are changed; null takes back to the default of the settings. */
export interface SetConversation {
  id: string;
  type: "set_conversation";
  conversation_id: string;
  options: Record<string, unknown>;
}

export interface SetInput {
  text: string;
  append?: boolean;
  command: "set_input";
}

/** `name` is dotted (`general.theme`); refused with words where the value does not fit. */
export interface SetSetting {
  id: string;
  type: "set_setting";
  name: string;
  value: unknown;
}

/** `values` by dotted name, secrets never. */
export interface SettingsChanged {
  values: Record<string, unknown>;
  type: "settings_changed";
}

/** All settings: the JSON schema the dialog is drawn from (titles and descriptions inside) and values by dotted name. */
export interface SettingsData {
  json_schema: Record<string, unknown>;
  values: Record<string, unknown>;
  keys_where: string;
  keys_said: Saying[];
  home: string;
  version: string;
  edition: EditionInfo;
}

export interface ShowConfirm {
  title: string;
  message: string;
  confirmText?: string | null;
  cancelText?: string | null;
  onConfirmCommand?: Record<string, JsonValue> | null;
  command: "show_confirm";
}

/** Bring this conversation on show: its notification was clicked. */
export interface ShowConversation {
  conversation_id: string;
  type: "show_conversation";
}

/** `duration` in milliseconds. */
export interface ShowNotification {
  message: string;
  type?: "info" | "success" | "warning" | "error";
  duration?: number;
  command: "show_notification";
}

/** The alternatives at one place of the tree, oldest first; the shown one is in `messages`. */
export interface Siblings {
  ids: string[];
}

/** A slash command; `hint` names what may follow it. */
export interface SlashInfo {
  name: string;
  title: string;
  hint: string | null;
}

/** Gives `{commands: [SlashInfo]}`: what a line that begins with / can do. */
export interface SlashList {
  id: string;
  type: "slash_list";
}

export interface Stop {
  id: string;
  type: "stop";
  conversation_id: string;
}

/** Show the branch through this message. */
export interface SwitchSibling {
  id: string;
  type: "switch_sibling";
  conversation_id: string;
  message_id: string;
}

export interface Table {
  columns: string[];
  rows: string[][];
  caption: string;
}

export interface TaskEnd {
  reason: "done" | "round_limit" | "loop" | "limit" | "cancelled" | "error";
  error: ErrorInfo | null;
  type: "task_end";
}

export interface TaskStart {
  task_id: string;
  started_ms: number;
  type: "task_start";
}

export interface TextBlock {
  text: string;
  opaque: Opaque | null;
  type: "text";
}

export interface ThinkingBlock {
  text: string;
  opaque: Opaque | null;
  duration_ms: number | null;
  type: "thinking";
}

/** A sentence or a few in English (`message`), and the same as `said` where they are known, for the page's language. */
export interface Told {
  message: string;
  said: Saying[];
}

/** The model asks for a tool. `name` is the name offered to it; `server` and `tool` are known once it was resolved. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  server: string | null;
  tool: string | null;
  invalid: InvalidArguments | null;
  opaque: Opaque | null;
  type: "tool_call";
}

export interface ToolCallAction {
  tool: string;
  arguments: Record<string, unknown>;
  type: "tool-call";
}

export interface ToolEnd {
  result: ToolResult;
  duration_ms: number;
  type: "tool_end";
}

/** A tool in the servers page; `tokens` is what its definition costs a round (estimate). */
export interface ToolInfo {
  name: string;
  title: string | null;
  description: string;
  enabled: boolean;
  asks: boolean;
  tokens: number;
}

/** `progress` of `total` (None: unknown), in the server's own unit. */
export interface ToolProgress {
  call_id: string;
  progress: number;
  total: number | null;
  message: string | null;
  type: "tool_progress";
}

/** One call's outcome: `text` for the model, `blocks` as they stand in the tool message (result first). */
export interface ToolResult {
  tool_call_id: string;
  text: string;
  is_error: boolean;
  blocks: Block[];
}

/** What came back for one call; `text` is exactly what the model sees, `for_user` what only the person does. */
export interface ToolResultBlock {
  tool_call_id: string;
  text: string;
  is_error: boolean;
  for_user: string | null;
  truncated: Truncated | null;
  links: LinkedResource[];
  duration_ms: number | null;
  type: "tool_result";
}

/** A tool's arguments and result, as JSON schemas. */
export interface ToolSchema {
  input_schema: Record<string, unknown>;
  output_schema: Record<string, unknown> | null;
}

export interface ToolStart {
  call: ToolCall;
  type: "tool_start";
}

/** What a tool gave that was tried on the servers page: texts, and what else came in words. */
export interface ToolTrial {
  text: string;
  is_error: boolean;
  duration_ms: number;
  structured: unknown;
  pictures: string[];
}

/** A result longer than the model gets: `chars` in all, `kept` of them shown, the whole under `ref`. */
export interface Truncated {
  chars: number;
  kept: number;
  ref: string;
}

export type UiCommand =
  | UpdateTheme
  | ResizeWindow
  | ShowNotification
  | ShowConfirm
  | OpenPanel
  | ClosePanel
  | SetInput
  | ScrollToMessage
  | CopyToClipboard
  | OpenUrl
  | OpenFile
  | UiSendMessage;

export interface UiCommandAction {
  command: string;
  payload: Record<string, unknown>;
  type: "ui-command";
}

/** This window shall do it and answer `ui_result {ui_id: id}`; with `ask`, only after the person allowed it. */
export interface UiCommandAsked {
  id: string;
  command: string;
  payload: Record<string, unknown>;
  server: string;
  type: "ui_command";
}

export interface UiCommandBlock {
  tool_call_id: string;
  command: string;
  payload: Record<string, unknown>;
  server: string;
  result: UiResult;
  type: "ui_command";
}

/** A UI command as a tool result or a card button asks for it. */
export interface UiRequest {
  command: string;
  payload: Record<string, unknown>;
}

/** What became of a UI command; this is also the tool's result for the model. */
export interface UiResult {
  executed: boolean;
  message: string;
  data: Record<string, unknown> | null;
}

/** What became of a `ui_command` frame. */
export interface UiResultCommand {
  id: string;
  type: "ui_result";
  ui_id: string;
  executed: boolean;
  message: string;
  data?: Record<string, unknown> | null;
}

export interface UiSendMessage {
  text: string;
  label?: string | null;
  command: "send_message";
}

export interface Undelete {
  id: string;
  type: "undelete";
  conversation_id: string;
}

/** The last question for a newer version, None: never asked; `newer` None: there was none. */
export interface UpdateInfo {
  asked_ms: number | null;
  newer: string | null;
  url: string;
  problem: string | null;
}

/** `mode` alone keeps the hue; an unknown `themeId` is answered by the window with the list of ids. */
export interface UpdateTheme {
  themeId?: string | null;
  mode?: "light" | "dark" | null;
  command: "update_theme";
}

/** Tokens of one reply. None is unknown, never 0. Input counts cached tokens too, output thinking too; cost in USD. */
export interface Usage {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_input_tokens: number | null;
  cache_write_tokens: number | null;
  thinking_tokens: number | null;
  cost: number | null;
}

/** Gives UsageReport: tokens and cost of the last `days` days by day and by model. */
export interface UsageList {
  id: string;
  type: "usage_list";
  days?: number;
}

/** What was used, days newest first, models dearest first; `prices_as_of`: the day LeoChat's price table was written. */
export interface UsageReport {
  days: UsageRow[];
  models: UsageRow[];
  prices_as_of: string;
}

/** Sums of a day (`label`: YYYY-MM-DD) or a model (`provider/model`): `replies`, of which `priced` have a cost. */
export interface UsageRow {
  label: string;
  replies: number;
  priced: number;
  usage: Usage;
}

/** A text to read or to copy. */
export interface WrittenText {
  text: string;
}
