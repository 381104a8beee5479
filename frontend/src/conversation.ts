/** One conversation as the page knows it: every event is folded into signals; `opened` replaces all. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { MessageView } from "./message";
import type {
  Card,
  CardState,
  ConversationInfo,
  Elicitation,
  ErrorInfo,
  Message,
  Opened,
  PendingApproval,
  QueuedMessage,
  Retry,
  Said,
  Sampling,
  TaskEnd,
  ToolResultBlock,
} from "./wire";

/** A tool call at work. */
export interface ToolRun {
  startedMs: number;
  progress: number | null;
  total: number | null;
  message: string | null;
}

export interface RunningTask {
  round: number;
  startedMs: number;
}

export interface RetryWait {
  retry: Retry;
  /** When the next try begins, in this computer's time. */
  atMs: number;
}

export interface Ended {
  reason: TaskEnd["reason"];
  error: ErrorInfo | null;
}

export const cardKey = (messageId: string, cardId: string, actionId: string): string =>
  JSON.stringify([messageId, cardId, actionId]);

export class Conversation {
  readonly info: Signal<ConversationInfo | null> = signal(null);
  /** From the root to the head of the shown branch. */
  readonly messages: Signal<readonly MessageView[]> = signal([]);
  readonly running: Signal<RunningTask | null> = signal(null);
  /** The start of the task that was told to stop, so that the next one is not meant. */
  readonly stopped: Signal<number | null> = signal(null);
  readonly stopping: ReadonlySignal<boolean> = computed(
    () => this.running.value !== null && this.running.value.startedMs === this.stopped.value,
  );
  /** Tool calls at work, by call id. */
  readonly runs: Signal<ReadonlyMap<string, ToolRun>> = signal(new Map());
  /** What came back for a call, by call id. */
  readonly results: Signal<ReadonlyMap<string, ToolResultBlock>> = signal(new Map());
  readonly approvals: Signal<readonly PendingApproval[]> = signal([]);
  readonly elicitations: Signal<readonly Elicitation[]> = signal([]);
  /** Servers' questions to the model. */
  readonly samplings: Signal<readonly Sampling[]> = signal([]);
  readonly queue: Signal<readonly QueuedMessage[]> = signal([]);
  readonly cardStates: Signal<ReadonlyMap<string, CardState>> = signal(new Map());
  /** The alternatives of a message, by the id of the shown one. */
  readonly siblings: Signal<ReadonlyMap<string, readonly string[]>> = signal(new Map());
  readonly retry: Signal<RetryWait | null> = signal(null);
  /** How the last task of this window's time ended; null while one runs and before the first. */
  readonly ended: Signal<Ended | null> = signal(null);
  /** The message under the pen, by id. */
  readonly editing: Signal<string | null> = signal(null);
  /** True once its messages are here, or the last ones. */
  readonly loaded = signal(false);
  /** How many messages stand before the first one that is here. */
  readonly earlier = signal(0);
  /** How far messages moved down the list since its first ones came, because others came before them. */
  moved = 0;
  /** The last sequence number folded in. */
  seq = 0;
  /** All messages seen below a parent, oldest first: a new reply's alternatives are told only when it is opened again. */
  private readonly children = new Map<string | null, string[]>();

  /** For each card (by server and id) the message that has its newest version. */
  readonly newestCards: ReadonlySignal<ReadonlyMap<string, string>> = computed(() => {
    const newest = new Map<string, string>();
    for (const message of this.messages.value) {
      for (const block of message.contents) {
        if (block.type !== "card") continue;
        for (const id of [block.card.id, ...replaced(block.card)]) newest.set(`${block.server} ${id}`, message.id);
      }
    }
    return newest;
  });

  constructor(readonly id: string) {}

  /** Folds an event in; one that was folded before does nothing. */
  take(seq: number, event: Said): void {
    if (event.type !== "opened" && seq !== 0 && seq <= this.seq) return;
    this.seq = event.type === "opened" ? seq : Math.max(seq, this.seq);
    if (event.type === "block_delta") this.last?.delta(event.index, event.text);
    else batch(() => this.fold(event));
  }

  private get last(): MessageView | undefined {
    const last = this.messages.value.at(-1);
    return last?.open.value ? last : undefined;
  }

  private fold(event: Said): void {
    switch (event.type) {
      case "opened":
        return this.opened(event);
      case "block_start":
        this.retry.value = null;
        return this.last?.start(event.index, event.block);
      case "block_delta":
        return this.last?.delta(event.index, event.text);
      case "block_end":
        return this.last?.end(event.index, event.block);
      case "message_start":
        return this.place(event.message, true);
      case "message_end":
        return this.messageEnd(event.message);
      case "task_start":
        this.ended.value = this.retry.value = null;
        this.running.value = { round: 0, startedMs: event.started_ms };
        return;
      case "round_start":
        this.running.value = { startedMs: this.running.value?.startedMs ?? Date.now(), round: event.round };
        return;
      case "retry":
        this.retry.value = { retry: event, atMs: Date.now() + event.delay_ms };
        return;
      case "task_end":
        return this.taskEnd(event);
      case "tool_start":
        return this.run(event.call.id, { startedMs: Date.now(), progress: null, total: null, message: null });
      case "tool_progress": {
        const { progress, total, message } = event;
        const startedMs = this.runs.value.get(event.call_id)?.startedMs ?? Date.now();
        return this.run(event.call_id, { startedMs, progress, total, message });
      }
      case "tool_end":
        this.run(event.result.tool_call_id, null);
        this.last?.add(event.result.blocks);
        return this.keepResults(event.result.blocks, event.duration_ms);
      case "approval_request":
        this.approvals.value = [...without(this.approvals.value, event.call.id), event];
        return;
      case "approval_answer":
        this.approvals.value = without(this.approvals.value, event.call_id);
        return;
      case "elicitation_request":
        this.elicitations.value = [...this.elicitations.value, event.elicitation];
        return;
      case "elicitation_closed":
        this.elicitations.value = this.elicitations.value.filter(({ request_id }) => request_id !== event.request_id);
        return;
      case "sampling_request": {
        const { sampling } = event;
        const others = this.samplings.value.filter(({ request_id }) => request_id !== sampling.request_id);
        this.samplings.value = [...others, sampling];
        return;
      }
      case "sampling_closed":
        this.samplings.value = this.samplings.value.filter(({ request_id }) => request_id !== event.request_id);
        return;
      case "queue_changed":
        this.queue.value = event.queue;
        return;
      case "card_state":
        this.cardStates.value = new Map(this.cardStates.value).set(stateKey(event.state), event.state);
        return;
      case "conversation_changed":
        this.info.value = event.conversation;
        return;
      case "model_end":
      case "checkpoint":
      case "card_event":
      case "ui_command":
      case "conversations_changed":
      case "servers_changed":
      case "material_changed":
      case "memory_changed":
      case "settings_changed":
      case "run_action":
      case "show_conversation":
      case "notice":
        return; // nothing of the conversation's own
      default:
        return event satisfies never;
    }
  }

  /** Whether a message may be one of those that are still to come. */
  awaits(id: string): boolean {
    return this.earlier.value > 0 && !this.messages.value.some((message) => message.id === id);
  }

  /** Puts messages before the first one, whose id is `first`; `left` still stand before these. */
  precede(first: string, messages: readonly Message[], left: number): void {
    const now = this.messages.value;
    if (now[0]?.id !== first) return;
    batch(() => {
      this.messages.value = [...messages.map((message) => new MessageView(message, false)), ...now];
      this.moved += messages.length;
      this.earlier.value = messages.length ? left : 0;
      this.keepResults(messages.flatMap(({ blocks }) => blocks));
      for (const message of messages) this.see(message);
    });
  }

  private opened(event: Opened): void {
    const { running } = event;
    const writing = running?.message_id ?? null;
    const first = this.messages.value[0]?.id;
    this.moved += Math.max(0, first === undefined ? 0 : event.messages.findIndex(({ id }) => id === first));
    this.earlier.value = event.earlier;
    this.info.value = event.conversation;
    this.messages.value = event.messages.map(
      (message) => new MessageView(message, message.id === writing, message.id === writing ? running?.open_blocks : []),
    );
    this.results.value = new Map();
    this.keepResults(event.messages.flatMap(({ blocks }) => blocks));
    this.running.value = running && { round: running.round, startedMs: running.started_ms };
    const tools = running?.tools ?? [];
    this.runs.value = new Map(
      tools.map(({ call_id, started_ms, ...rest }) => [call_id, { startedMs: started_ms, ...rest }]),
    );
    this.approvals.value = event.approvals;
    this.elicitations.value = event.elicitations;
    this.samplings.value = event.samplings;
    this.queue.value = event.queue;
    this.cardStates.value = new Map(event.card_states.map((state) => [stateKey(state), state]));
    this.siblings.value = new Map(event.siblings.flatMap(({ ids }) => ids.map((id) => [id, ids] as const)));
    for (const message of event.messages) if (message.id !== writing) this.see(message);
    this.retry.value = null;
    if (running) this.ended.value = null;
    this.loaded.value = true;
  }

  private place(message: Message, open: boolean): void {
    this.retry.value = null;
    const before = this.messages.value;
    const parent = message.parent_id === null ? -1 : before.findIndex(({ id }) => id === message.parent_id);
    const unknown = parent < 0 && message.parent_id !== null;
    // below one that is not here yet: what stands before it comes anew
    const kept = !unknown ? before.slice(0, parent + 1) : this.earlier.value > 0 ? [] : before;
    this.messages.value = [...kept.filter(({ id }) => id !== message.id), new MessageView(message, open)];
  }

  private messageEnd(message: Message): void {
    const shown = this.messages.value.find(({ id }) => id === message.id);
    if (shown) {
      shown.finish(message);
      if (shown !== this.messages.value.at(-1)) this.messages.value = [...this.messages.value];
    } else this.place(message, false);
    this.keepResults(message.blocks);
    this.see(message);
  }

  private see(message: Message): void {
    const told = this.siblings.value.get(message.id) ?? [];
    const before = this.children.get(message.parent_id) ?? [];
    if (told.length === 0 && before.length === 0) {
      this.children.set(message.parent_id, [message.id]);
      return;
    }
    const known = [...new Set([...told, ...before, message.id])];
    this.children.set(message.parent_id, known);
    if (known.length > told.length && known.length > 1) {
      this.siblings.value = new Map([...this.siblings.value, ...known.map((id) => [id, known] as const)]);
    }
  }

  private taskEnd(event: TaskEnd): void {
    this.running.value = this.retry.value = null;
    this.ended.value = { reason: event.reason, error: event.error };
    this.runs.value = new Map();
    this.approvals.value = [];
    this.elicitations.value = [];
    this.samplings.value = [];
    for (const message of this.messages.value) message.close();
  }

  private run(callId: string, run: ToolRun | null): void {
    const next = new Map(this.runs.value);
    if (run) next.set(callId, run);
    else next.delete(callId);
    this.runs.value = next;
  }

  private keepResults(blocks: readonly Message["blocks"][number][], durationMs: number | null = null): void {
    const found = blocks.filter((block) => block.type === "tool_result");
    if (!found.length) return;
    const next = new Map(this.results.value);
    for (const block of found) next.set(block.tool_call_id, { ...block, duration_ms: block.duration_ms ?? durationMs });
    this.results.value = next;
  }
}

/** Ids of other cards of the same server that a card stands for from now on, which it names in its metadata. */
function replaced({ metadata }: Card): string[] {
  const ids = metadata?.replaces;
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}

const stateKey = (state: CardState): string => cardKey(state.message_id, state.card_id, state.action_id);

const without = (approvals: readonly PendingApproval[], callId: string): PendingApproval[] =>
  approvals.filter(({ call }) => call.id !== callId);
