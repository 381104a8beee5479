/** A page against a scripted backend: a WebSocket that records commands and answers them as told. */
import { vi } from "vitest";
import { takeFrame } from "../src/frames";
import { openSocket } from "../src/socket";
import type { Said } from "../src/wire";

type Command = { type: string; id: string } & Record<string, unknown>;

export class Backend {
  sent: Command[] = [];
  answers: Record<string, (command: Command) => unknown> = {};
  socket: {
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    onclose?: (event: { code: number }) => void;
  } = {};

  /** Takes the place of the browser's WebSocket and connects the page. */
  connect(): void {
    const backend = this;
    class Fake {
      constructor() {
        backend.socket = this as typeof backend.socket;
      }
      send(text: string): void {
        backend.receive(JSON.parse(text));
      }
    }
    vi.stubGlobal("WebSocket", Fake);
    openSocket("key", { onFrame: takeFrame, resume: () => ({}), onOpen: () => undefined });
    this.socket.onopen?.();
  }

  tell(conversationId: string | null, seq: number, event: Said): void {
    this.socket.onmessage?.({ data: JSON.stringify({ conversation_id: conversationId, seq, event }) });
  }

  of(type: string): Command[] {
    return this.sent.filter((command) => command.type === type);
  }

  private receive(command: Command): void {
    this.sent.push(command);
    if (command.type === "hello") return;
    const data = this.answers[command.type]?.(command) ?? null;
    queueMicrotask(() => {
      this.socket.onmessage?.({ data: JSON.stringify({ reply_to: command.id, ok: true, data, error: null }) });
    });
  }
}
