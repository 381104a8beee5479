import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CommandError, Socket } from "../src/socket";

class FakeSocket {
  static made: FakeSocket[] = [];
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason?: string }) => void) | null = null;

  constructor() {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const hooks = { onFrame: vi.fn(), resume: () => ({ c1: 41 }), onOpen: vi.fn() };
const make = () => new Socket("key", hooks, () => new FakeSocket() as unknown as WebSocket);
const latest = (): FakeSocket => {
  const socket = FakeSocket.made.at(-1);
  if (!socket) throw new Error("no socket was made");
  return socket;
};

beforeEach(() => {
  FakeSocket.made = [];
  vi.clearAllMocks();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the socket", () => {
  it("greets with the token and what was seen last", () => {
    make().connect();
    latest().onopen?.();
    expect(latest().sent).toEqual([
      { type: "hello", token: "key", languages: navigator.languages, resume: { c1: 41 } },
    ]);
    expect(hooks.onOpen).toHaveBeenCalledWith(false);
  });

  it("answers find their commands, in any order", async () => {
    const socket = make();
    socket.connect();
    latest().onopen?.();
    const one = socket.ask({ type: "new_conversation" });
    const two = socket.ask({ type: "stop", conversation_id: "c1" });
    const [, first, second] = latest().sent;
    latest().receive({ reply_to: second?.id, ok: false, data: null, error: { kind: "busy", message: "Not now." } });
    latest().receive({ reply_to: first?.id, ok: true, data: { conversation_id: "c2" }, error: null });
    await expect(one).resolves.toEqual({ conversation_id: "c2" });
    await expect(two).rejects.toThrow(new CommandError("busy", "Not now."));
  });

  it("hands frames on", () => {
    make().connect();
    latest().onopen?.();
    const frame = { conversation_id: "c1", seq: 42, event: { type: "round_start", round: 1 } };
    latest().receive(frame);
    expect(hooks.onFrame).toHaveBeenCalledWith(frame);
  });

  it("tries again where its hello came too late, and says all of it again", async () => {
    const socket = make();
    socket.connect();
    latest().onopen?.();
    const asked = socket.ask({ type: "new_conversation" });
    latest().onclose?.({ code: 4401, reason: "late" });
    expect(socket.link.value).toBe("waiting");
    vi.advanceTimersByTime(5000);
    latest().onopen?.();
    const [hello, command] = latest().sent;
    expect(hello?.type).toBe("hello");
    latest().receive({ reply_to: command?.id, ok: true, data: { conversation_id: "c2" }, error: null });
    await expect(asked).resolves.toEqual({ conversation_id: "c2" });
  });

  it("comes back after a break, waits longer each time, and says what it was", () => {
    const socket = make();
    socket.connect();
    latest().onopen?.();
    for (let made = 2; made < 6; made += 1) {
      latest().onclose?.({ code: 1006 });
      expect(socket.link.value).toBe("waiting");
      vi.advanceTimersByTime(5000);
      expect(FakeSocket.made).toHaveLength(made);
    }
    latest().onopen?.();
    expect(socket.link.value).toBe("open");
    expect(hooks.onOpen).toHaveBeenLastCalledWith(true);
    expect(latest().sent[0]).toMatchObject({ type: "hello", resume: { c1: 41 } });
  });

  it("a command without its answer fails when the line breaks; one that was not sent waits for the next line", async () => {
    const socket = make();
    socket.connect();
    latest().onopen?.();
    const lost = socket.ask({ type: "stop", conversation_id: "c1" });
    latest().onclose?.({ code: 1006 });
    await expect(lost).rejects.toMatchObject({ kind: "lost" });
    const later = socket.ask({ type: "list_conversations" });
    vi.advanceTimersByTime(5000);
    latest().onopen?.();
    const sent = latest().sent.at(-1);
    expect(sent).toMatchObject({ type: "list_conversations" });
    latest().receive({ reply_to: sent?.id, ok: true, data: null, error: null });
    await expect(later).resolves.toBeNull();
  });

  it("a refused token ends it: nothing is tried again and every command fails", async () => {
    const socket = make();
    const waiting = socket.ask({ type: "list_conversations" });
    socket.connect();
    latest().onopen?.();
    latest().onclose?.({ code: 4401 });
    expect(socket.link.value).toBe("refused");
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.made).toHaveLength(1);
    await expect(waiting).rejects.toMatchObject({ kind: "lost" });
    await expect(socket.ask({ type: "list_conversations" })).rejects.toMatchObject({ kind: "lost" });
  });
});
