import { describe, expect, it } from "vitest";
import { Conversation } from "../src/conversation";
import type { Block, Card, Message, Opened, Said, ToolCall, Usage } from "../src/wire";
import { conversationInfo } from "./info";

const usage: Usage = {
  input_tokens: 10,
  output_tokens: 5,
  cached_input_tokens: null,
  cache_write_tokens: null,
  thinking_tokens: null,
  cost: null,
};

function message(
  id: string,
  role: Message["role"],
  parent: string | null,
  blocks: Block[] = [],
  more: Partial<Message> = {},
): Message {
  const rest = {
    stop_reason: null,
    stop_detail: null,
    error: null,
    usage: null,
    model: null,
    provider: null,
    origin: null,
    covers: null,
    recalled: [],
  };
  return { id, role, blocks, parent_id: parent, created_ms: 1, duration_ms: null, ...rest, ...more };
}

const text = (words: string): Block => ({ type: "text", text: words, opaque: null });
const thinking = (words: string): Block => ({ type: "thinking", text: words, opaque: null, duration_ms: 7 });
const call = (id: string): ToolCall => ({
  type: "tool_call",
  id,
  name: "shop__search",
  arguments: { q: "x" },
  server: "shop",
  tool: "search",
  invalid: null,
  opaque: null,
});
const result = (id: string, words = "ok"): Block => ({
  type: "tool_result",
  tool_call_id: id,
  text: words,
  is_error: false,
  for_user: null,
  truncated: null,
  links: [],
  duration_ms: 12,
});
const card = (id: string, callId: string): Block => {
  const it: Card = {
    id,
    kind: "summary",
    title: id,
    subtitle: "",
    tone: "default",
    body: [],
    actions: [],
    metadata: {},
  };
  return { type: "card", tool_call_id: callId, card: it, server: "shop" };
};

const info = conversationInfo({ usage });

const first = message("a1", "assistant", "u1", [thinking("hm"), text("Let me look."), call("k1")], {
  stop_reason: "tool_use",
  usage,
});
const tools = message("t1", "tool", "a1", [result("k1"), card("s", "k1")]);
const second = message("a2", "assistant", "t1", [text("Here **it** is.")], { stop_reason: "end", usage });

/** A task with thinking, a tool and a card, as the backend tells it. */
const task: Said[] = [
  { type: "message_end", message: message("u1", "user", null, [text("find x")]) },
  { type: "task_start", task_id: "t", started_ms: 5 },
  { type: "round_start", round: 1 },
  { type: "message_start", message: message("a1", "assistant", "u1") },
  { type: "block_start", index: 0, block: { ...thinking(""), duration_ms: null } as Block },
  { type: "block_delta", index: 0, text: "h" },
  { type: "block_delta", index: 0, text: "m" },
  { type: "block_end", index: 0, block: thinking("hm") },
  { type: "block_start", index: 1, block: text("") },
  { type: "block_delta", index: 1, text: "Let me " },
  { type: "block_delta", index: 1, text: "look." },
  { type: "block_end", index: 1, block: text("Let me look.") },
  { type: "block_start", index: 2, block: { ...call("k1"), arguments: {} } },
  { type: "block_delta", index: 2, text: '{"q": "x"}' },
  { type: "block_end", index: 2, block: call("k1") },
  { type: "model_end", stop_reason: "tool_use", usage, stop_detail: null, model: null },
  { type: "message_end", message: first },
  { type: "message_start", message: message("t1", "tool", "a1") },
  { type: "tool_start", call: call("k1") },
  { type: "tool_progress", call_id: "k1", progress: 1, total: 2, message: "half" },
  {
    type: "tool_end",
    result: { tool_call_id: "k1", text: "ok", is_error: false, blocks: tools.blocks },
    duration_ms: 12,
  },
  { type: "message_end", message: tools },
  { type: "checkpoint", reason: "round", seq: 1 },
  { type: "round_start", round: 2 },
  { type: "message_start", message: message("a2", "assistant", "t1") },
  { type: "block_start", index: 0, block: text("") },
  { type: "block_delta", index: 0, text: "Here **it** is." },
  { type: "block_end", index: 0, block: text("Here **it** is.") },
  { type: "message_end", message: second },
  { type: "task_end", reason: "done", error: null },
];

function folded(events: readonly Said[]): Conversation {
  const conversation = new Conversation("c");
  events.forEach((event, at) => {
    conversation.take(at + 1, event);
  });
  return conversation;
}

const opened = (messages: Message[], earlier = 0, running: Opened["running"] = null): Opened => ({
  type: "opened",
  conversation: info,
  messages,
  running,
  approvals: [],
  queue: [],
  elicitations: [],
  samplings: [],
  card_states: [],
  siblings: [],
  earlier,
});

const shown = (conversation: Conversation) => conversation.messages.value.map((each) => each.snapshot());

describe("folding", () => {
  it("deltas give the same message as its end carries", () => {
    for (const [at, event] of task.entries()) {
      if (event.type !== "message_end") continue;
      const before = folded(task.slice(0, at)).messages.value.at(-1);
      if (before?.id !== event.message.id) continue;
      expect(before.snapshot().blocks).toEqual(event.message.blocks);
    }
    expect(shown(folded(task)).slice(1)).toEqual([first, tools, second]);
  });

  it("opened in the middle and going on gives the same as seeing it all", () => {
    for (let cut = 4; cut < task.length; cut += 1) {
      const before = folded(task.slice(0, cut));
      const writing = before.messages.value.find(({ open }) => open.value);
      const conversation = new Conversation("c");
      const running = {
        task_id: "t",
        round: 1,
        started_ms: 5,
        message_id: writing?.id ?? null,
        open_blocks: openBlocks(cut),
        tools: [],
      };
      conversation.take(cut, opened(shown(before), 0, running));
      task.slice(cut).forEach((event, at) => {
        conversation.take(cut + at + 1, event);
      });
      expect(shown(conversation)).toEqual(shown(folded(task)));
    }
  });

  it("opened with its last messages only, it is the whole once the earlier ones came, whenever that is", () => {
    const tail = (from: number) => {
      const conversation = new Conversation("c");
      conversation.take(40, opened(shown(folded(task)).slice(from), from));
      return conversation;
    };
    for (let from = 1; from < 4; from += 1) {
      const conversation = tail(from);
      const whole = shown(folded(task));
      const [newest] = conversation.messages.value.slice(-1);
      expect(conversation.awaits("u1")).toBe(true);
      conversation.precede("another", whole.slice(0, from), 0); // asked before a branch was changed
      expect(conversation.messages.value).toHaveLength(whole.length - from);
      for (let at = from - 1; at >= 0; at -= 1)
        conversation.precede(whole[at + 1]?.id ?? "", whole.slice(at, at + 1), at);
      expect(shown(conversation)).toEqual(whole);
      expect(conversation.messages.value.at(-1)).toBe(newest);
      expect(conversation.moved).toBe(from);
      expect(conversation.results.value.get("k1")?.text).toBe("ok");
      expect(conversation.awaits("u1")).toBe(false);
    }
    const edited = tail(2); // in another window, where the question was on show
    edited.take(41, { type: "message_end", message: message("u2", "user", "u1", [text("find y")]) });
    edited.precede("u2", shown(folded(task)).slice(0, 1), 0);
    expect(shown(edited).map(({ id }) => id)).toEqual(["u1", "u2"]);
  });

  it("an event that was folded before does nothing, so that a reconnect doubles nothing", () => {
    const conversation = folded(task.slice(0, 11));
    task.slice(4, 11).forEach((event, at) => {
      conversation.take(at + 5, event);
    });
    expect(conversation.messages.value.at(-1)?.blocks.value[1]?.live.text).toBe("Let me look.");
  });

  it("a token changes one text and no list", () => {
    const conversation = folded(task.slice(0, 10));
    const [messages, blocks] = [conversation.messages.value, conversation.messages.value.at(-1)?.blocks.value];
    conversation.take(100, { type: "block_delta", index: 1, text: "!" });
    expect(conversation.messages.value).toBe(messages);
    expect(conversation.messages.value.at(-1)?.blocks.value).toBe(blocks);
  });

  it("keeps the blocks on show when the message ends", () => {
    const conversation = folded(task.slice(0, 16));
    const keys = conversation.messages.value.at(-1)?.blocks.value.map(({ key }) => key);
    conversation.take(100, { type: "message_end", message: first });
    expect(conversation.messages.value.at(-1)?.blocks.value.map(({ key }) => key)).toEqual(keys);
    expect(conversation.messages.value.at(-1)?.blocks.value[1]?.live.epoch).toBe(0);
  });
});

describe("what stands around the messages", () => {
  it("tools at work, their progress and their results", () => {
    const at = task.findIndex(({ type }) => type === "tool_end");
    const running = folded(task.slice(0, at));
    expect(running.runs.value.get("k1")).toMatchObject({ progress: 1, total: 2, message: "half" });
    const after = folded(task.slice(0, at + 1));
    expect(after.runs.value.size).toBe(0);
    expect(after.results.value.get("k1")).toMatchObject({ text: "ok", duration_ms: 12 });
  });

  it("approvals come and go, and none outlives its task", () => {
    const ask: Said = {
      type: "approval_request",
      call: call("k1"),
      reason: "writes",
      ui_command: null,
      folder: null,
      more_folders: [],
    };
    const conversation = folded([...task.slice(0, 17), ask]);
    expect(conversation.approvals.value).toHaveLength(1);
    conversation.take(200, { type: "approval_answer", call_id: "k1", allowed: true });
    expect(conversation.approvals.value).toEqual([]);
    conversation.take(201, ask);
    conversation.take(202, { type: "task_end", reason: "cancelled", error: null });
    expect(conversation.approvals.value).toEqual([]);
    expect(conversation.running.value).toBeNull();
  });

  it("a retry is counted down until something comes", () => {
    const conversation = folded([
      ...task.slice(0, 4),
      { type: "retry", attempt: 2, of: 5, delay_ms: 4000, reason: "Overloaded.", said: null },
    ]);
    expect(conversation.retry.value?.retry.attempt).toBe(2);
    conversation.take(100, { type: "block_start", index: 0, block: text("") });
    expect(conversation.retry.value).toBeNull();
  });

  it("the newest card of an id replaces the ones before", () => {
    const conversation = folded(task);
    conversation.take(300, {
      type: "message_end",
      message: message("t9", "tool", "a2", [result("k9"), card("s", "k9")]),
    });
    expect(conversation.newestCards.value.get("shop s")).toBe("t9");
    const other = card("undone", "k10");
    if (other.type === "card") other.card.metadata = { replaces: ["s", 7] };
    conversation.take(301, {
      type: "message_end",
      message: message("t10", "tool", "t9", [result("k10"), other]),
    });
    expect(conversation.newestCards.value.get("shop s")).toBe("t10");
  });

  it("another reply to the same question is an alternative of the first", () => {
    const conversation = folded(task);
    conversation.take(300, {
      type: "message_end",
      message: message("a9", "assistant", "u1", [text("again")], { stop_reason: "end" }),
    });
    expect(conversation.siblings.value.get("a9")).toEqual(["a1", "a9"]);
    expect(conversation.messages.value.map(({ id }) => id)).toEqual(["u1", "a9"]);
  });

  it("a message placed at an earlier parent leaves the branch that was shown", () => {
    const conversation = folded(task);
    conversation.take(300, { type: "message_end", message: message("u2", "user", null, [text("other")]) });
    expect(conversation.messages.value.map(({ id }) => id)).toEqual(["u2"]);
  });
});

function openBlocks(cut: number): number[] {
  const open = new Set<number>();
  for (const event of task.slice(0, cut)) {
    if (event.type === "message_start" || event.type === "message_end") open.clear();
    if (event.type === "block_start") open.add(event.index);
    if (event.type === "block_end") open.delete(event.index);
  }
  return [...open];
}
