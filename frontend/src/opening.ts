/** Which conversation is on show, and the ways to open, start and leave one. */
import { effect, signal } from "@preact/signals";
import { Conversation } from "./conversation";
import { closePages, currentId } from "./desk";
import { carryDraft } from "./drafts";
import { complain } from "./parts/complain";
import { ask, link } from "./socket";

const KEPT_AS = "leochat-conversation";
/** The last messages come with the opening, more than a window draws; the others come after these are painted, so many at a time. */
const FIRST_MESSAGES = 60;
const MORE_MESSAGES = 400;
const PATIENCE_MS = 500;

/** The conversation on show; null is the empty one that begins with its first message. */
export const shown = signal<Conversation | null>(null);

/** Shows a conversation; what it was is asked from the backend. */
export function openConversation(id: string): void {
  closePages();
  if (shown.value?.id === id) return;
  leave();
  show(new Conversation(id));
  ask({ type: "open", conversation_id: id, last: FIRST_MESSAGES }).catch((error: unknown) => {
    if (shown.value?.id === id) startEmpty();
    complain(error);
  });
}

/** Brings what stands before the messages of the conversation on show, whenever something does. */
export function followEarlier(): () => void {
  let brought: Conversation | null = null;
  const bring = async (open: Conversation): Promise<void> => {
    brought = open;
    try {
      while (open === shown.peek() && open.earlier.peek() > 0) {
        await pause();
        const first = open.messages.peek()[0]?.id ?? "";
        const found = await ask({ type: "earlier", conversation_id: open.id, message_id: first, most: MORE_MESSAGES });
        open.precede(first, found.messages, found.earlier);
      }
    } catch {
      // a broken line: the effect below begins again once it stands
    }
    if (brought === open) brought = null;
  };
  return effect(() => {
    const open = shown.value;
    if (open && open !== brought && open.earlier.value > 0 && link.value === "open") void bring(open);
  });
}

/** Until every message of the conversation on show is here. */
export const allHere = (): Promise<void> =>
  new Promise((go) => {
    const stop = effect(() => {
      if ((shown.value?.earlier.value ?? 0) > 0) return;
      go();
      queueMicrotask(() => stop());
    });
  });

/** Until the page has time. */
const pause = (): Promise<unknown> =>
  new Promise((go) => {
    if ("requestIdleCallback" in window) requestIdleCallback(go, { timeout: PATIENCE_MS });
    else setTimeout(go, 0);
  });

/** Shows the empty conversation. Nothing is stored before its first message. */
export function startEmpty(): void {
  closePages();
  leave();
  show(null);
}

/** The id to send to: that of the conversation on show, or of a new one that then is on show. */
export async function ensureConversation(): Promise<string> {
  const there = shown.value?.id;
  if (there) return there;
  const { conversation_id: id } = await ask({ type: "new_conversation" });
  const made = new Conversation(id);
  made.loaded.value = true;
  carryDraft(id);
  show(made);
  return id;
}

/** The conversation this tab showed before it was loaded again. */
export const keptConversation = (): string | null => sessionStorage.getItem(KEPT_AS);

/** What was seen last, for catching up after a break. */
export const resumePoints = (): Record<string, number> => {
  const open = shown.value;
  return open && open.seq > 0 ? { [open.id]: open.seq } : {};
};

function show(conversation: Conversation | null): void {
  shown.value = conversation;
  currentId.value = conversation?.id ?? null;
  if (conversation) sessionStorage.setItem(KEPT_AS, conversation.id);
  else sessionStorage.removeItem(KEPT_AS);
}

function leave(): void {
  const left = shown.value;
  if (left) ask({ type: "close", conversation_id: left.id }).catch(() => undefined); // it is left in any case
}
