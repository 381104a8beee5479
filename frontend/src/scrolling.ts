/** The thread's scroll position: following the end, and going to a message. */
import { signal } from "@preact/signals";

/** Given by the thread on show. */
export interface Scroller {
  toMessage: (id: string) => boolean;
  toEnd: () => void;
  toTop: () => void;
}

export const scroller = signal<Scroller | null>(null);

/** Goes to a message, or to the top or the end; false if there is nothing to go to. */
export function scrollThread(messageId: string | null, position: "top" | "bottom" | null): boolean {
  const thread = scroller.value;
  if (!thread) return false;
  if (messageId) return thread.toMessage(messageId);
  if (position === "top") thread.toTop();
  else thread.toEnd();
  return true;
}
