import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Conversation } from "../../src/conversation";
import { Thread } from "../../src/views/conversation/Thread";
import type { Block, ConversationInfo, Message, Said, ToolCall } from "../../src/wire";
import { conversationInfo } from "../info";
import { Backend } from "../page";

let backend: Backend;
let seq = 0;

const call: ToolCall = {
  type: "tool_call",
  id: "k1",
  name: "filesystem__write_file",
  arguments: { path: "a.md", content: "one\ntwo\n" },
  server: "filesystem",
  tool: "write_file",
  invalid: null,
  opaque: null,
};

function message(id: string, role: Message["role"], blocks: Block[], more: Partial<Message> = {}): Message {
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
  return { id, role, blocks, parent_id: null, created_ms: 1, duration_ms: null, ...rest, ...more };
}

const text = (words: string): Block => ({ type: "text", text: words, opaque: null });
const result = (words: string, is_error: boolean): Block => ({
  type: "tool_result",
  tool_call_id: "k1",
  text: words,
  is_error,
  for_user: null,
  truncated: null,
  links: [],
  duration_ms: 5,
});

function draw(...events: Said[]) {
  const conversation = new Conversation("c1");
  conversation.loaded.value = true;
  const take = (event: Said) => {
    seq += 1;
    conversation.take(seq, event);
  };
  events.forEach(take);
  const { container } = render(<Thread conversation={conversation} onScrolled={() => undefined} />);
  const one = (id: string) => container.querySelector<HTMLElement>(`[data-testid="${id}"]`);
  return { conversation, container, one, take };
}

/** How the backend tells, after a task's end, that it can go on. */
const cutOff = (interrupted: ConversationInfo["interrupted"]): Said => ({
  type: "conversation_changed",
  conversation: conversationInfo({ id: "c1", interrupted }),
});

const said: Said = { type: "message_end", message: message("u1", "user", [text("write it")]) };
const started: Said = { type: "task_start", task_id: "t", started_ms: 1 };
const called: Said = {
  type: "message_end",
  message: message("a1", "assistant", [call], { parent_id: "u1", stop_reason: "tool_use" }),
};
const answering: Said = { type: "message_start", message: message("t1", "tool", [], { parent_id: "a1" }) };

beforeEach(() => {
  backend = new Backend();
  backend.connect();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the thread", () => {
  it("marks who said what", () => {
    const { container } = draw(said, {
      type: "message_end",
      message: message("a1", "assistant", [text("Hello")], { parent_id: "u1" }),
    });
    const marks = [...container.querySelectorAll<HTMLElement>("[data-testid=message]")];
    expect(marks.map(({ dataset }) => [dataset.role, dataset.messageId])).toEqual([
      ["user", "u1"],
      ["assistant", "a1"],
    ]);
  });

  it("a tool's row goes from pending over running to its end", async () => {
    const { one, take } = draw(said, started, called);
    const row = () => one("tool-call")?.dataset;
    expect(row()).toMatchObject({ tool: "filesystem__write_file", state: "pending" });
    take(answering);
    take({ type: "tool_start", call });
    await expect.poll(() => row()?.state).toBe("running");
    take({ type: "tool_progress", call_id: "k1", progress: 3, total: 4, message: "row 3" });
    await expect.poll(() => one("tool-call")?.querySelector("progress")?.value).toBe(0.75);
    expect(one("tool-call")?.textContent).toContain("row 3");
    take({
      type: "tool_end",
      result: { tool_call_id: "k1", text: "No space left", is_error: true, blocks: [result("No space left", true)] },
      duration_ms: 5,
    });
    await expect.poll(() => row()?.state).toBe("error");
    expect(one("tool-call")?.textContent).toContain("No space left");
  });

  it("what a stop kept from running is shown as stopped", () => {
    const stopped = message("t1", "tool", [result("The user stopped the task before this call was run.", true)], {
      parent_id: "a1",
    });
    const { one } = draw(said, started, called, { type: "message_end", message: stopped });
    expect(one("tool-call")?.dataset.state).toBe("cancelled");
  });

  it("asks before a call with the exact change and call, and sends the answer once", async () => {
    const { one, take } = draw(said, started, called, {
      type: "approval_request",
      call,
      reason: "writes",
      ui_command: null,
      folder: null,
      more_folders: [],
    });
    expect(one("tool-call")?.dataset.state).toBe("approval");
    const asked = one("approval");
    expect(asked?.textContent).toContain("a.md");
    expect([...(asked?.querySelectorAll(".ln.add") ?? [])].map((line) => line.textContent)).toEqual(["+one", "+two"]);
    expect(asked?.querySelector(".exact code")?.textContent).toBe(
      'filesystem__write_file {"path": "a.md", "content": "one\\ntwo\\n"}',
    );
    fireEvent.click(one("approve-conversation") as Element);
    await expect
      .poll(() => backend.of("approve"))
      .toMatchObject([{ conversation_id: "c1", call_id: "k1", decision: "conversation" }]);
    expect((one("approve") as HTMLButtonElement).disabled).toBe(true);
    take({ type: "approval_answer", call_id: "k1", allowed: true });
    await expect.poll(() => one("approval")).toBeNull();
  });

  it.each([
    ["approve", "once"],
    ["approve-always", "always"],
    ["deny", "deny"],
  ])("%s answers %s", async (mark, decision) => {
    const { one } = draw(said, started, called, {
      type: "approval_request",
      call,
      reason: "writes",
      ui_command: null,
      folder: null,
      more_folders: [],
    });
    fireEvent.click(one(mark) as Element);
    await expect.poll(() => backend.of("approve")).toMatchObject([{ decision }]);
  });

  it("what a card of somebody else's server sent is shown whole, what ours sent is one click away", () => {
    const sent = (bundled: boolean) =>
      message("u1", "user", [text("[order_pay orderId=1]")], {
        origin: { server: "acme", card_id: "x", label: "Pay", bundled, prompt: false },
      });
    const foreign = draw({ type: "message_end", message: sent(false) }).container.querySelector("details.via");
    expect(foreign?.hasAttribute("open")).toBe(true);
    expect(foreign?.textContent).toContain("from a card of acme");
    cleanup();
    const ours = draw({ type: "message_end", message: sent(true) }).container.querySelector("details.via");
    expect(ours?.hasAttribute("open")).toBe(false);
    expect(ours?.textContent).toContain("[order_pay orderId=1]");
  });

  it("an error names its cause and offers the way on", async () => {
    const error = { kind: "auth" as const, message: "The key was refused.", detail: "HTTP 401", said: null };
    const broken = message("a1", "assistant", [text("I beg")], { parent_id: "u1", stop_reason: "error", error });
    const { one } = draw(
      said,
      started,
      { type: "message_end", message: broken },
      { type: "task_end", reason: "error", error },
      cutOff("error"),
    );
    expect(one("task-error")?.textContent).toContain("The key was refused.");
    fireEvent.click(one("resume") as Element);
    await expect.poll(() => backend.of("resume")).toMatchObject([{ conversation_id: "c1" }]);
  });

  it("a long conversation is drawn from its end", () => {
    const many = Array.from(
      { length: 300 },
      (_, at): Said => ({
        type: "message_end",
        message: message(`u${at}`, "user", [text(`message ${at}`)], { parent_id: at ? `u${at - 1}` : null }),
      }),
    );
    const { container } = draw(...many);
    const marks = [...container.querySelectorAll<HTMLElement>("[data-testid=message]")];
    expect(marks.length).toBeLessThan(100);
    expect(marks.at(-1)?.textContent).toContain("message 299");
  });

  it("a summary is a quiet line that opens to its words and can be put right", async () => {
    const { one, container } = draw(said, {
      type: "message_end",
      message: message("s1", "user", [text("Ana likes tea.")], {
        parent_id: "u1",
        covers: "u1",
        origin: { server: "", card_id: "", label: "summary", bundled: true, prompt: false },
      }),
    });
    expect(one("summary")?.hasAttribute("open")).toBe(false);
    expect(one("summary")?.textContent).toContain("Earlier messages were summed up");
    fireEvent.click(one("edit-summary") as Element);
    await expect.poll(() => container.querySelector("textarea")?.value).toBe("Ana likes tea.");
    fireEvent.input(container.querySelector("textarea") as Element, { target: { value: "Ana likes coffee." } });
    fireEvent.submit(container.querySelector("form") as Element);
    await expect
      .poll(() => backend.of("edit_message"))
      .toMatchObject([{ message_id: "s1", text: "Ana likes coffee." }]);
  });

  it("the wish to go on is a chip, its words one click away", () => {
    const { container } = draw(said, {
      type: "message_end",
      message: message("u2", "user", [text("Go on where you stopped.")], {
        parent_id: "u1",
        origin: { server: "", card_id: "", label: "continue", bundled: true, prompt: false },
      }),
    });
    const chip = container.querySelector("details.via");
    expect(chip?.querySelector("summary")?.textContent).toBe("Continue");
    expect(chip?.hasAttribute("open")).toBe(false);
  });

  it("thinking that came to nothing is left out, but not while it lasts", async () => {
    const empty: Block = { type: "thinking", text: "", opaque: null, duration_ms: null };
    const { one, take } = draw(
      said,
      started,
      { type: "message_start", message: message("a1", "assistant", [], { parent_id: "u1" }) },
      { type: "block_start", index: 0, block: empty },
    );
    expect(one("thinking")?.dataset.state).toBe("running");
    take({ type: "block_end", index: 0, block: { ...empty, duration_ms: 900 } });
    await expect.poll(() => one("thinking")).toBeNull();
  });

  it("an answer of several messages has its alternatives where it begins, and they are walked from its foot", async () => {
    const answer = (n: number): Said[] => [
      {
        type: "message_end",
        message: message(`a${n}`, "assistant", [call], { parent_id: "u1", stop_reason: "tool_use" }),
      },
      { type: "message_end", message: message(`t${n}`, "tool", [result("done", false)], { parent_id: `a${n}` }) },
      { type: "message_end", message: message(`b${n}`, "assistant", [text(`answer ${n}`)], { parent_id: `t${n}` }) },
    ];
    const { container } = draw(said, ...answer(1), ...answer(2));
    const walkers = [...container.querySelectorAll("[data-testid=siblings]")];
    expect(walkers.map((walker) => walker.textContent)).toEqual(["2/2"]);
    fireEvent.click(walkers[0]?.querySelector("button") as Element);
    await expect.poll(() => backend.of("switch_sibling")).toMatchObject([{ message_id: "a1" }]);
  });

  it("what a tool gave for the person alone stands under its row", () => {
    const shown: Block = { ...result("shown to the user", false), for_user: "A **secret**" } as Block;
    const { one } = draw(said, called, {
      type: "message_end",
      message: message("t1", "tool", [shown], { parent_id: "a1" }),
    });
    expect(one("for-user")?.textContent).toBe("A secret");
    expect(one("tool-call")?.nextElementSibling).toBe(one("for-user"));
  });

  it("an answer without a word and without a reason for people is told in our words", () => {
    const silent = message("a1", "assistant", [], { parent_id: "u1", stop_reason: "end", stop_detail: "stop" });
    const { container } = draw(said, { type: "message_end", message: silent });
    expect(container.querySelector(".hint-row")?.textContent).toMatch(/^The model ended its turn without a word/);
    expect(container.querySelectorAll(".hint-row button")).toHaveLength(2);
  });

  it("an answer without a word says the provider's reason, and the question can be put under the pen", async () => {
    const silent = message("a1", "assistant", [text("")], {
      parent_id: "u1",
      stop_reason: "end",
      stop_detail: "I can't help with that.",
    });
    const { container } = draw(said, { type: "message_end", message: silent });
    const note = container.querySelector(".hint-row");
    expect(note?.textContent).toContain("I can't help with that.");
    const [edit, again] = [...(note?.querySelectorAll("button") ?? [])];
    fireEvent.click(edit as Element);
    await expect.poll(() => container.querySelector("textarea")?.value).toBe("write it");
    fireEvent.click(again as Element);
    await expect.poll(() => backend.of("regenerate")).toMatchObject([{ message_id: "a1" }]);
  });

  it.each(["round_limit", "limit", "loop"] as const)("a task that ended by %s can go on", async (reason) => {
    const { one } = draw(said, started, { type: "task_end", reason, error: null }, cutOff(reason));
    fireEvent.click(one("resume") as Element);
    await expect.poll(() => backend.of("resume")).toMatchObject([{ conversation_id: "c1" }]);
  });
});
