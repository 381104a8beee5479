/** One list of Action records feeds buttons, keys and the palette: an action is written once and found everywhere. */
import { computed, signal } from "@preact/signals";
import type { IconName } from "../icons/names";

export interface Action {
  /** Stable name, `noun.verb`. */
  id: string;
  /** The words, asked for when drawn so that they follow the language. */
  title: () => string;
  /** The palette's heading. */
  group: () => string;
  icon: IconName;
  /** Keys as "Mod+K", "Mod+Shift+N", "Escape"; Mod is Cmd on macOS and Ctrl elsewhere. */
  keys?: string;
  /** Other keys for the same, which are not shown: what a keyboard needs Shift for, say. */
  alsoKeys?: readonly string[];
  /** Muted words after the title, e.g. the present choice. */
  hint?: () => string;
  /** False: not offered and its keys do nothing. */
  enabled?: () => boolean;
  /** Keys that work also while a text field has the focus; the default for keys with Mod. */
  inFields?: boolean;
  run: () => void;
}

const registered = signal<ReadonlyMap<string, Action>>(new Map());

/** All actions, in the order of their registration. */
export const actions = computed<readonly Action[]>(() => [...registered.value.values()]);

/** Adds actions (one with the same id is replaced); the returned function takes them away again. */
export function register(added: readonly Action[]): () => void {
  const next = new Map(registered.value);
  for (const action of added) next.set(action.id, action);
  registered.value = next;
  return () => {
    const rest = new Map(registered.value);
    for (const action of added) if (rest.get(action.id) === action) rest.delete(action.id);
    registered.value = rest;
  };
}

/** The action with this id, if it is registered. */
export const actionOf = (id: string): Action | undefined => registered.value.get(id);

/** Runs an action if it is there and enabled; says whether it ran. */
export function runAction(id: string): boolean {
  const action = registered.value.get(id);
  if (!action || action.enabled?.() === false) return false;
  action.run();
  return true;
}
