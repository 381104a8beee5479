/** The command palette: every enabled action and, by its title, every conversation; found by typing, run by Enter. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { conversations } from "../desk";
import { when } from "../format";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import { openConversation } from "../opening";
import type { ConversationInfo } from "../wire";
import { type Action, actions } from "./action";
import { keyCaps } from "./keys";
import { findMatch, pieces } from "./search";

/** Whether the palette is on show. */
export const paletteOpen = signal(false);

/** More conversations than this are found with the list's own search. */
const MOST_CONVERSATIONS = 6;

interface Found {
  action: Action;
  title: string;
  group: string;
  places: readonly (readonly [number, number])[];
}

function search(query: string): Found[] {
  const found: Found[] = [];
  for (const action of actions.value) {
    if (action.enabled?.() === false) continue;
    const title = action.title();
    const places = findMatch(title, query);
    if (places) found.push({ action, title, group: action.group(), places });
  }
  if (query.trim()) found.push(...titled(query));
  return found.sort((a, b) => groupOrder(found, a.group) - groupOrder(found, b.group));
}

function titled(query: string): Found[] {
  const found: Found[] = [];
  for (const info of conversations.value ?? []) {
    const places = findMatch(info.title, query);
    if (places) found.push({ action: opening(info), title: info.title, group: t("palette.conversations"), places });
    if (found.length === MOST_CONVERSATIONS) break;
  }
  return found;
}

const opening = ({ id, title, folder, updated_ms }: ConversationInfo): Action => ({
  id: `conversation.open ${id}`,
  title: () => title,
  group: () => t("palette.conversations"),
  icon: "bubble",
  hint: () => [folder, when(new Date(updated_ms))].filter(Boolean).join(", "),
  run: () => openConversation(id),
});

const groupOrder = (found: readonly Found[], group: string): number => found.findIndex((each) => each.group === group);

/** Mounted once; shows itself while `paletteOpen` is true. */
export function Palette(): JSX.Element | null {
  return paletteOpen.value ? <OpenPalette /> : null;
}

function OpenPalette(): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const found = search(query);
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = () => {
    paletteOpen.value = false;
  };
  const run = (action: Action | undefined) => {
    if (!action) return;
    close();
    queueMicrotask(action.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || found.length === 0) return;
    if (event.key === "Enter") run(found[at]?.action);
    else if (event.key === "ArrowDown") setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp") setAt((at - 1 + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={box}
      class="palette"
      data-testid="palette"
      aria-label={t("palette.title")}
      onCancel={close}
      onClose={close}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => event.target === box.current && close()}
    >
      <label class="query">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[at] ? `palette-${at}` : undefined}
          aria-label={t("palette.title")}
          placeholder={t("palette.placeholder")}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
        />
      </label>
      {found.length === 0 && <p class="nothing">{t("palette.nothing", { text: query })}</p>}
      <Results found={found} at={at} run={run} />
      <footer>
        <KeyHint caps={["↑", "↓"]} words={t("palette.move")} />
        <KeyHint caps={keyCaps("Enter")} words={t("palette.run")} />
        <KeyHint caps={keyCaps("Escape")} words={t("palette.leave")} />
      </footer>
    </dialog>
  );
}

function Results(props: { found: readonly Found[]; at: number; run: (action: Action) => void }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [props.at, props.found.length]);
  return (
    <div ref={list} id="palette-list" role="listbox" aria-label={t("palette.title")}>
      {props.found.map(({ action, title, group, places }, index) => (
        <div key={action.id} role="presentation">
          {group !== props.found[index - 1]?.group && (
            <div class="group" role="presentation">
              {group}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, as in any combobox */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input */}
          <div
            id={`palette-${index}`}
            role="option"
            aria-selected={index === props.at}
            onClick={() => props.run(action)}
          >
            <Icon name={action.icon} />
            <span class="grow cut">
              {pieces(title, places).map((piece, i) => (piece.hit ? <mark key={i}>{piece.text}</mark> : piece.text))}
              {action.hint && <span class="hint"> {action.hint()}</span>}
            </span>
            {action.keys && (
              <span class="keys">
                {keyCaps(action.keys).map((cap) => (
                  <span key={cap} class="key">
                    {cap}
                  </span>
                ))}
              </span>
            )}
          </div>
        </div>
      ))}
    </div>
  );
}

function KeyHint({ caps, words }: { caps: readonly string[]; words: string }): JSX.Element {
  return (
    <span>
      {caps.map((cap) => (
        <span key={cap} class="key">
          {cap}
        </span>
      ))}
      {words}
    </span>
  );
}
