import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { attach, parkedUploads, uploads } from "../../src/attachments";
import { Conversation } from "../../src/conversation";
import { currentId } from "../../src/desk";
import { draft, keepDrafts } from "../../src/drafts";
import { shown } from "../../src/opening";
import { helpOpen, offered } from "../../src/slash";
import { Composer } from "../../src/views/conversation/Composer";
import { Backend } from "../page";

let backend: Backend;

function draw(conversation: Conversation | null = null) {
  shown.value = conversation;
  currentId.value = conversation?.id ?? null;
  const { container } = render(<Composer conversation={conversation} />);
  const one = <T extends HTMLElement>(id: string) => container.querySelector<T>(`[data-testid="${id}"]`);
  const area = one<HTMLTextAreaElement>("composer") as HTMLTextAreaElement;
  const type = (text: string) => fireEvent.input(area, { target: { value: text } });
  return { one, area, type };
}

beforeEach(() => {
  backend = new Backend();
  backend.answers = { new_conversation: () => ({ conversation_id: "c1" }), send_message: () => ({ message_id: "m1" }) };
  backend.connect();
  draft.value = "";
  uploads.value = [];
  parkedUploads.clear();
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("the composer", () => {
  it("Enter sends, to a new conversation where there is none, and empties the field", async () => {
    const { area, type } = draw();
    type("hello");
    fireEvent.keyDown(area, { key: "Enter" });
    await expect
      .poll(() => backend.of("send_message"))
      .toMatchObject([{ conversation_id: "c1", text: "hello", attachments: [] }]);
    expect(draft.value).toBe("");
  });

  it("Shift+Enter breaks the line, and an input method keeps its own Enter", () => {
    const { area, type } = draw();
    type("ni");
    for (const more of [{ shiftKey: true }, { isComposing: true }, { keyCode: 229 }]) {
      expect(fireEvent.keyDown(area, { key: "Enter", ...more })).toBe(true);
    }
    expect(backend.of("new_conversation")).toEqual([]);
    expect(draft.value).toBe("ni");
  });

  it("what could not be sent comes back", async () => {
    const { area, type } = draw(new Conversation("c2"));
    type("precious");
    backend.socket.onclose?.({ code: 4401 });
    fireEvent.keyDown(area, { key: "Enter" });
    await expect.poll(() => draft.value).toBe("precious");
  });

  it("nothing to send, nothing sent", () => {
    const { area, one } = draw(new Conversation("c2"));
    expect(one<HTMLButtonElement>("send")?.disabled).toBe(true);
    fireEvent.keyDown(area, { key: "Enter" });
    expect(backend.of("send_message")).toEqual([]);
  });

  it("while a task runs there is Stop, and Enter still sends: the backend queues it", async () => {
    const conversation = new Conversation("c2");
    conversation.running.value = { round: 1, startedMs: Date.now() };
    const { one, area, type } = draw(conversation);
    fireEvent.click(one("stop") as Element);
    expect(one("stop")?.textContent).toBe("Stopping…");
    await expect.poll(() => backend.of("stop")).toMatchObject([{ conversation_id: "c2" }]);
    fireEvent.click(one("stop") as Element);
    conversation.running.value = { round: 2, startedMs: conversation.running.value.startedMs };
    expect(backend.of("stop")).toHaveLength(1);
    conversation.running.value = { round: 1, startedMs: 1 };
    await expect.poll(() => one("stop")?.textContent).toBe("Stop");
    type("and then");
    fireEvent.keyDown(area, { key: "Enter" });
    await expect.poll(() => backend.of("send_message")).toMatchObject([{ conversation_id: "c2", text: "and then" }]);
  });

  it("keeps a draft for each conversation", () => {
    keepDrafts();
    currentId.value = "c7";
    draft.value = "for seven";
    currentId.value = "c8";
    expect(draft.value).toBe("");
    draft.value = "for eight";
    currentId.value = "c7";
    expect(draft.value).toBe("for seven");
    expect(localStorage.getItem("leochat-draft:c8")).toBe("for eight");
  });

  it("keeps the files of each conversation, one still on its way too, and over a reload", async () => {
    const answers = new Map<string, (response: Response) => void>();
    const sent = (_path: string, { body }: { body: FormData }) =>
      new Promise<Response>((done) => answers.set((body.get("file") as File).name, done));
    vi.stubGlobal("fetch", sent);
    const arrive = (name: string) => answers.get(name)?.(new Response(JSON.stringify({ ref: `ref of ${name}` })));
    const names = () => uploads.value.map(({ name, ref }) => [name, ref]);
    keepDrafts();
    currentId.value = "c7";
    const done = attach([new File(["x"], "early.txt"), new File(["x"], "late.txt")]);
    arrive("early.txt");
    await expect.poll(names).toEqual([
      ["early.txt", "ref of early.txt"],
      ["late.txt", null],
    ]);
    currentId.value = "c8";
    expect(names()).toEqual([]);
    arrive("late.txt");
    await done;
    expect(names()).toEqual([]);
    currentId.value = "c7";
    const both = [
      ["early.txt", "ref of early.txt"],
      ["late.txt", "ref of late.txt"],
    ];
    expect(names()).toEqual(both);
    uploads.value.forEach(({ key }, at) => {
      expect(uploads.value.findIndex((each) => each.key === key)).toBe(at);
    });
    const kept = localStorage.getItem("leochat-draft-files:c7") ?? "";
    uploads.value = []; // as a new page begins
    localStorage.setItem("leochat-draft-files:c7", kept);
    keepDrafts();
    expect(names()).toEqual(both);
  });

  it("a text larger than the browser keeps is in the composer all the same", () => {
    keepDrafts();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const { area, type } = draw(new Conversation("c2"));
    type("long ".repeat(100));
    expect(area.value).toBe("long ".repeat(100));
  });

  it("what is written while the first message goes out stays when the conversation has its id", async () => {
    keepDrafts();
    const { area, type } = draw();
    type("first");
    fireEvent.keyDown(area, { key: "Enter" });
    type("half a thought");
    await expect.poll(() => currentId.value).toBe("c1");
    expect(draft.value).toBe("half a thought");
    expect(localStorage.getItem("leochat-draft:c1")).toBe("half a thought");
    expect(localStorage.getItem("leochat-draft:new")).toBeNull();
  });

  it("pasted files are uploaded and sent by reference", async () => {
    const upload = vi.fn().mockResolvedValue(new Response(JSON.stringify({ ref: "r1" })));
    vi.stubGlobal("fetch", upload);
    const { area, type } = draw(new Conversation("c2"));
    fireEvent.paste(area, { clipboardData: { files: [new File(["x"], "notes.txt")] } });
    await expect.poll(() => uploads.value[0]?.ref).toBe("r1");
    expect(upload.mock.calls[0]?.[0]).toBe("/attachments");
    type("see this");
    fireEvent.keyDown(area, { key: "Enter" });
    await expect.poll(() => backend.of("send_message")).toMatchObject([{ attachments: ["r1"] }]);
  });
});

describe("slash commands", () => {
  const list = () => [...document.querySelectorAll<HTMLElement>("[data-testid=slash-list] [role=option]")];
  const names = () => list().map(({ dataset }) => dataset.name);
  const chosen = () => list().find((option) => option.getAttribute("aria-selected") === "true")?.dataset.name;

  beforeEach(() => {
    offered.value = [
      { name: "compact", title: "Sum up", hint: null },
      { name: "model", title: "Change the model", hint: "NAME" },
    ];
  });

  it("a slash lists them, letters narrow the list, and a space ends it", async () => {
    const { type } = draw();
    type("/");
    await expect.poll(names).toEqual(["compact", "export", "help", "model", "new", "servers", "settings"]);
    type("/s");
    await expect.poll(names).toEqual(["servers", "settings"]);
    type("/s x");
    await expect.poll(names).toEqual([]);
    type("about /s");
    await expect.poll(names).toEqual([]);
  });

  it("Tab completes, arrows choose, and one that takes words waits for them", async () => {
    const { area, type } = draw(new Conversation("c2"));
    type("/");
    await expect.poll(chosen).toBe("compact");
    for (let step = 0; step < 3; step += 1) fireEvent.keyDown(area, { key: "ArrowDown" });
    await expect.poll(chosen).toBe("model");
    fireEvent.keyDown(area, { key: "Enter" });
    expect(draft.value).toBe("/model ");
    expect(backend.of("send_message")).toEqual([]);
    type("/co");
    await expect.poll(chosen).toBe("compact");
    fireEvent.keyDown(area, { key: "Tab" });
    expect(draft.value).toBe("/compact");
  });

  it("the backend's are sent as they stand, the page's own never are", async () => {
    const { area, type } = draw(new Conversation("c2"));
    type("/compact");
    await expect.poll(chosen).toBe("compact");
    fireEvent.keyDown(area, { key: "Enter" });
    await expect.poll(() => backend.of("send_message")).toMatchObject([{ text: "/compact" }]);
    type("/help");
    await expect.poll(chosen).toBe("help");
    fireEvent.keyDown(area, { key: "Enter" });
    expect(helpOpen.value).toBe(true);
    expect(draft.value).toBe("");
    expect(backend.of("send_message")).toHaveLength(1);
  });

  it("Escape closes the list and is not taken for a stop; Enter then sends", async () => {
    const conversation = new Conversation("c2");
    conversation.running.value = { round: 1, startedMs: Date.now() };
    const { area, type } = draw(conversation);
    type("/m");
    await expect.poll(names).toEqual(["model"]);
    expect(fireEvent.keyDown(area, { key: "Escape" })).toBe(false);
    await expect.poll(names).toEqual([]);
    expect(draft.value).toBe("/m");
  });

  it("a path is a message like any other", async () => {
    const { area, type } = draw(new Conversation("c2"));
    type("/usr/bin is a folder");
    fireEvent.keyDown(area, { key: "Enter" });
    await expect.poll(() => backend.of("send_message")).toMatchObject([{ text: "/usr/bin is a folder" }]);
  });
});
