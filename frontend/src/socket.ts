/** The one WebSocket: commands out and their answers, frames in, and a way back after every break. */
import { type Signal, signal } from "@preact/signals";
import { t } from "./i18n";
import type { Replies } from "./replies";
import { allWorded } from "./sayings";
import type { AnyCommand, Frame, Reply } from "./wire";

/** `waiting`: broken, the next try is planned. `refused`: the token is not valid, no try will help. */
export type Link = "connecting" | "open" | "waiting" | "refused";

/** A command that failed: `kind` and words from the backend, or `lost` when the line broke before its answer. */
export class CommandError extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

type WithoutId<C> = C extends AnyCommand ? Omit<C, "id"> : never;
/** A command as it is asked: its `id` is given on the way out. */
export type Asked = WithoutId<AnyCommand>;
type Answer<T extends string> = T extends keyof Replies ? Replies[T] : unknown;

export interface SocketHooks {
  onFrame: (frame: Frame) => void;
  /** The last sequence number of each conversation on show, for catching up. */
  resume: () => Record<string, number>;
  /** The line stands (again); `again` is false for the first time. */
  onOpen: (again: boolean) => void;
}

const REFUSED = 4401;
/** The reason beside it where the hello came too late, as from a page that is slow to load: nothing was read, so it is tried again. */
const LATE = "late";
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

interface Pending {
  resolve: (data: unknown) => void;
  reject: (error: CommandError) => void;
  text: string;
  /** Unsent commands wait for the line. */
  sent: boolean;
}

/** A socket to `url`; `open` makes the WebSocket, so that tests can give their own. */
export class Socket {
  readonly link: Signal<Link> = signal<Link>("connecting");
  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private count = 0;
  private tries = 0;
  private stood = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly token: string,
    private readonly hooks: SocketHooks,
    private readonly open: () => WebSocket,
  ) {}

  /** Starts; from here on the socket keeps itself open. */
  connect(): void {
    clearTimeout(this.timer);
    if (this.socket || this.link.value === "refused") return;
    this.link.value = this.tries ? "waiting" : "connecting";
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => this.greet(socket);
    socket.onmessage = (event) => this.take(JSON.parse(String(event.data)));
    socket.onclose = (event) => this.broken(socket, event.code, event.reason);
  }

  /** Sends a command and gives its answer's data. Rejects with a CommandError. */
  ask<C extends Asked>(command: C): Promise<Answer<C["type"]>> {
    this.count += 1;
    const id = `c${this.count}`;
    const text = JSON.stringify({ ...command, id });
    return new Promise((resolve, reject) => {
      const live = this.link.value === "open" && this.socket;
      this.pending.set(id, { resolve: resolve as (data: unknown) => void, reject, text, sent: Boolean(live) });
      if (live) live.send(text);
      else if (this.link.value === "refused") this.drop(id);
    });
  }

  /** Tries at once instead of waiting for the next planned try. */
  hurry(): void {
    if (this.link.value === "waiting" && !this.socket) this.connect();
  }

  private greet(socket: WebSocket): void {
    const resume = this.hooks.resume();
    socket.send(
      JSON.stringify({
        type: "hello",
        token: this.token,
        languages: navigator.languages,
        ...(Object.keys(resume).length ? { resume } : {}),
      }),
    );
    this.tries = 0;
    this.link.value = "open";
    this.hooks.onOpen(this.stood);
    this.stood = true;
    for (const waiting of this.pending.values()) {
      if (waiting.sent) continue;
      socket.send(waiting.text);
      waiting.sent = true;
    }
  }

  private take(message: Frame | Reply): void {
    if ("reply_to" in message) this.answer(message);
    else this.hooks.onFrame(message);
  }

  private answer(reply: Reply): void {
    const waiting = this.pending.get(reply.reply_to);
    this.pending.delete(reply.reply_to);
    if (reply.ok) waiting?.resolve(reply.data);
    else
      waiting?.reject(
        new CommandError(reply.error?.kind ?? "internal", allWorded(reply.error?.message ?? "", reply.error?.said)),
      );
  }

  private broken(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.socket) return;
    this.socket = null;
    const late = code === REFUSED && reason === LATE;
    const refused = code === REFUSED && !late;
    for (const [id, waiting] of this.pending) {
      if (late) waiting.sent = false;
      else if (waiting.sent || refused) this.drop(id);
    }
    if (refused) {
      this.link.value = "refused";
      return;
    }
    this.link.value = "waiting";
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.tries);
    this.tries += 1;
    this.timer = setTimeout(() => this.connect(), longest / 2 + (Math.random() * longest) / 2);
  }

  private drop(id: string): void {
    this.pending.get(id)?.reject(new CommandError("lost", t("link.lost")));
    this.pending.delete(id);
  }
}

let page: Socket | null = null;

/** The state of the page's line. */
export const link = signal<Link>("connecting");

/** Opens the page's socket. */
export function openSocket(token: string, hooks: SocketHooks): void {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
  page = new Socket(token, hooks, () => new WebSocket(address));
  page.link.subscribe((state) => {
    link.value = state;
  });
  page.connect();
  addEventListener("online", () => page?.hurry());
  document.addEventListener("visibilitychange", () => page?.hurry());
}

/** Sends a command to the backend and gives its answer's data. Rejects with a CommandError that has words for the person. */
export function ask<C extends Asked>(command: C): Promise<Answer<C["type"]>> {
  return page ? page.ask(command) : Promise.reject(new CommandError("lost", t("link.lost")));
}
