/** Which conversation is on show, and the ways to open, start and leave one. */
import { signal } from "@preact/signals";
import { Conversation } from "./conversation";
import { closePages, currentId } from "./desk";
import { carryDraft } from "./drafts";
import { complain } from "./parts/complain";
import { ask } from "./socket";

const KEPT_AS = "leochat-conversation";

/** The conversation on show; null is the empty one that begins with its first message. */
export const shown = signal<Conversation | null>(null);

/** Shows a conversation; what it was is asked from the backend. */
export function openConversation(id: string): void {
  closePages();
  if (shown.value?.id === id) return;
  leave();
  show(new Conversation(id));
  ask({ type: "open", conversation_id: id }).catch((error: unknown) => {
    if (shown.value?.id === id) startEmpty();
    complain(error);
  });
}

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
