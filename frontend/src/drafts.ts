/** What stands in the composer, text and files, kept for each conversation and over a reload. */
import { effect, signal } from "@preact/signals";
import { parkedUploads, type Upload, uploads, uploadsOf } from "./attachments";
import { currentId } from "./desk";

const NEW = "new";
const nameOf = (id: string | null): string => id ?? NEW;
const textKey = (id: string | null): string => `leochat-draft:${nameOf(id)}`;
const filesKey = (id: string | null): string => `leochat-draft-files:${nameOf(id)}`;

/** The text in the composer. */
export const draft = signal("");

/** Rises when the composer should take the focus. */
export const focusAsked = signal(0);

let of: string | null = null;

/** Loads and keeps drafts from now on. */
export function keepDrafts(): void {
  of = currentId.value;
  load();
  effect(() => {
    const id = currentId.value;
    if (id === of) return;
    parkedUploads.set(nameOf(of), uploads.peek());
    of = id;
    load();
  });
  effect(() => keep(textKey(of), draft.value));
  effect(() => keep(filesKey(of), writtenFiles(uploads.value)));
}

function load(): void {
  draft.value = localStorage.getItem(textKey(of)) ?? "";
  uploads.value = parkedUploads.get(nameOf(of)) ?? readFiles(localStorage.getItem(filesKey(of)));
  parkedUploads.delete(nameOf(of));
}

function keep(key: string, text: string): void {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    localStorage.removeItem(key); // more than a browser keeps: it is there until the page goes, and no older one comes back
  }
}

/** Those that are here; one on its way would be lost with the page. */
function writtenFiles(files: readonly Upload[]): string {
  const here = files.filter(({ ref }) => ref !== null).map(({ key: _key, ...kept }) => kept);
  return here.length > 0 ? JSON.stringify(here) : "";
}

function readFiles(text: string | null): readonly Upload[] {
  return text === null ? [] : uploadsOf(JSON.parse(text) as Omit<Upload, "key">[]);
}

/** The empty conversation became this one: what was written meanwhile is its draft. */
export function carryDraft(id: string): void {
  if (of !== null) return;
  localStorage.removeItem(textKey(of));
  localStorage.removeItem(filesKey(of));
  of = id;
  keep(textKey(of), draft.value);
  keep(filesKey(of), writtenFiles(uploads.value));
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
