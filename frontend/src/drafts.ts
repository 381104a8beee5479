/** What stands in the composer, kept for each conversation and over a reload. */
import { effect, signal } from "@preact/signals";
import { currentId } from "./desk";

const NEW = "new";
const keyOf = (id: string | null): string => `leochat-draft:${id ?? NEW}`;

/** The text in the composer. */
export const draft = signal("");

/** Rises when the composer should take the focus. */
export const focusAsked = signal(0);

let of: string | null = null;

/** Loads and keeps drafts from now on. */
export function keepDrafts(): void {
  of = currentId.value;
  draft.value = localStorage.getItem(keyOf(of)) ?? "";
  effect(() => {
    const id = currentId.value;
    if (id === of) return;
    of = id;
    draft.value = localStorage.getItem(keyOf(id)) ?? "";
  });
  effect(() => {
    const text = draft.value;
    if (text) localStorage.setItem(keyOf(of), text);
    else localStorage.removeItem(keyOf(of));
  });
}

/** The empty conversation became this one: what was written meanwhile is its draft. */
export function carryDraft(id: string): void {
  if (of !== null) return;
  localStorage.removeItem(keyOf(of));
  of = id;
  if (draft.value) localStorage.setItem(keyOf(of), draft.value);
}

/** Puts a text into the composer, after what is there if `append`; gives what undoes it. */
export function setInput(text: string, append: boolean): () => void {
  const before = draft.value;
  const gap = append && before && !/\s$/.test(before) ? " " : "";
  draft.value = append ? before + gap + text : text;
  focusAsked.value += 1;
  return () => {
    draft.value = before;
  };
}
