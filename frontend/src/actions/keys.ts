/** Keyboard shortcuts of the registered actions: matching key events and writing keys for people. */
import { t } from "../i18n";
import { type Action, actions } from "./action";

const apple = /Mac|iP(hone|ad)/.test(navigator.platform);

interface Chord {
  mod: boolean;
  shift: boolean;
  alt: boolean;
  key: string;
}

function parse(keys: string): Chord {
  const parts = keys.split("+");
  const key = parts.pop() || "+";
  return {
    mod: parts.includes("Mod"),
    shift: parts.includes("Shift"),
    alt: parts.includes("Alt"),
    key: key.toLowerCase(),
  };
}

/** True if the event is this chord, no modifier more or less. */
export function matches(keys: string, event: KeyboardEvent): boolean {
  const chord = parse(keys);
  const mod = apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  const plain = !event.metaKey && !event.ctrlKey;
  return (
    (chord.mod ? mod : plain) &&
    event.altKey === chord.alt &&
    event.shiftKey === chord.shift &&
    event.key.toLowerCase() === chord.key
  );
}

const appleSigns: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Enter: "↩", Escape: "esc" };

/** The keys of a chord one by one, as this platform writes them: ["Ctrl", "N"] or ["⌘", "N"]. */
export function keyCaps(keys: string): string[] {
  const names: Record<string, string> = apple
    ? appleSigns
    : { Mod: t("key.ctrl"), Shift: t("key.shift"), Alt: t("key.alt"), Enter: t("key.enter"), Escape: t("key.escape") };
  const caps = keys.endsWith("++") ? [...keys.slice(0, -2).split("+"), "+"] : keys.split("+");
  return caps.map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}

/** The keys in one string for tooltips and menus: "Ctrl N". */
export const keyText = (keys: string | undefined): string | undefined => (keys ? keyCaps(keys).join(" ") : undefined);

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") !== null;

function reachable(action: Action, event: KeyboardEvent): boolean {
  if (action.enabled?.() === false) return false;
  return (action.inFields ?? action.keys?.startsWith("Mod") ?? false) || !isField(event.target);
}

/** What keeps the keys to itself while it is open. */
const popovers = typeof CSS !== "undefined" && CSS.supports?.("selector(:popover-open)");
const OVERLAYS = popovers ? "dialog[open], [popover]:popover-open" : "dialog[open]";

/** Listens for the keys of all actions; an open dialog or menu keeps them to itself. Returns the end of listening. */
export function listenForKeys(target: Document = document): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || target.querySelector(OVERLAYS)) return;
    const action = actions.value.find(
      (each) =>
        [each.keys, ...(each.alsoKeys ?? [])].some((keys) => keys && matches(keys, event)) && reachable(each, event),
    );
    if (!action) return;
    event.preventDefault();
    action.run();
  };
  target.addEventListener("keydown", onKeyDown);
  return () => target.removeEventListener("keydown", onKeyDown);
}
