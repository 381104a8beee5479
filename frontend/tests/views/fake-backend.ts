/** A backend that answers by script, at the other end of a real socket of the page. */
import { vi } from "vitest";
import { settings } from "../../src/desk";
import { openSocket } from "../../src/socket";

export interface Sent {
  type: string;
  id: string;
  [field: string]: unknown;
}

/** What a command gets: its data, or a refusal thrown as an Error. */
export type Answers = Record<string, (command: Sent) => unknown>;

/** Opens the page's socket to a script; `sent` grows with each command. */
export function startBackend(answers: Answers): { sent: Sent[] } {
  const sent: Sent[] = [];
  class Scripted {
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number }) => void) | null = null;
    constructor() {
      queueMicrotask(() => this.onopen?.());
    }
    send(text: string): void {
      const command = JSON.parse(text) as Sent;
      if (command.type === "hello") return;
      sent.push(command);
      queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(reply(answers, command)) }));
    }
    close(): void {}
  }
  vi.stubGlobal("WebSocket", Scripted);
  openSocket("token", { onFrame: () => undefined, resume: () => ({}), onOpen: () => undefined });
  return { sent };
}

function reply(answers: Answers, command: Sent): object {
  try {
    return { reply_to: command.id, ok: true, data: answers[command.type]?.(command) ?? null };
  } catch (error) {
    return { reply_to: command.id, ok: false, error: { kind: "invalid", message: (error as Error).message } };
  }
}

/** Tells the page its settings, with a schema of one section. */
export function tellSettings(values: Record<string, unknown>, properties: Record<string, unknown> = {}): void {
  settings.value = {
    json_schema: { properties },
    values,
    keys_where: "Keys are kept in the key ring.",
    keys_said: [],
    home: "/home/ana/LeoChat",
    version: "1.2.3",
    edition: { name: "LeoChat", version: "1.2.3", maker: "", homepage: "", prompts: [] },
  };
}
