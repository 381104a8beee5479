/** The commands that fit what was typed after "/", above the composer; the focus and the keys stay in the text. */
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { draft } from "../../drafts";
import { t } from "../../i18n";
import { sendDraft } from "../../sending";
import { type SlashCommand, slashMatches } from "../../slash";

const LIST_ID = "slash-list";

export interface Slash {
  /** What fits; null while the list is closed. */
  readonly found: readonly SlashCommand[] | null;
  readonly at: number;
  readonly choose: (command: SlashCommand) => void;
  /** True if the key was the list's. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** What ties the text field to the list. */
  readonly marks: JSX.HTMLAttributes<HTMLTextAreaElement>;
}

/** The list's state, for the field that it belongs to. */
export function useSlash(): Slash {
  const closedFor: Signal<string | null> = useSignal(null);
  const place = useSignal(0);
  const found = useComputed(() => (closedFor.value === draft.value ? null : slashMatches(draft.value))).value;
  const at = found ? Math.min(place.value, found.length - 1) : 0;
  useEffect(() => {
    place.value = 0;
  }, [draft.value]);
  const complete = (command: SlashCommand) => {
    const line = `/${command.name}`;
    draft.value = command.hint ? `${line} ` : line;
    closedFor.value = draft.value;
  };
  const choose = (command: SlashCommand) => {
    if (command.mark === "@") {
      draft.value = draft.value.replace(/(^|\s)@\S*$/, "$1");
      command.run?.();
      return;
    }
    complete(command);
    if (!command.hint) void sendDraft();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const command = found?.[at];
    if (!found || !command) return false;
    if (event.key === "ArrowDown") place.value = (at + 1) % found.length;
    else if (event.key === "ArrowUp") place.value = (at - 1 + found.length) % found.length;
    else if (event.key === "Escape") closedFor.value = draft.value;
    else if (event.key === "Tab" && !event.shiftKey) command.mark === "@" ? choose(command) : complete(command);
    else if (event.key === "Enter" && !event.shiftKey)
      draft.value === "/" && at === 0 ? complete(command) : choose(command);
    else return false;
    event.preventDefault();
    return true;
  };
  const marks: JSX.HTMLAttributes<HTMLTextAreaElement> = found
    ? { "aria-controls": LIST_ID, "aria-activedescendant": `${LIST_ID}-${at}`, "aria-autocomplete": "list" }
    : {};
  return { found, at, choose, onKey, marks };
}

export function SlashList({ slash: { found, at, choose } }: { slash: Slash }): JSX.Element | null {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [at, found?.length]);
  if (!found) return null;
  return (
    <div ref={list} id={LIST_ID} class="slash" role="listbox" aria-label={t("slash.label")} data-testid="slash-list">
      {found.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's, as in any combobox
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
        <div
          key={`${command.name} ${command.title}`}
          id={`${LIST_ID}-${index}`}
          role="option"
          aria-selected={index === at}
          data-name={command.name}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(command)}
        >
          <span class="name">
            {command.mark === "@" ? <b>{command.name}</b> : <code>/{command.name}</code>}{" "}
            {command.hint && <span class="hint">{command.hint}</span>}
          </span>
          <span class="grow cut">{command.title}</span>
        </div>
      ))}
    </div>
  );
}
