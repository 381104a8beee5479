/** A menu on a native popover: light dismiss and top layer from the browser, arrows and position from here. */
import type { ComponentChildren, JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/names";
import { place } from "./place";

export interface MenuItem {
  id: string;
  label: string;
  icon?: IconName | undefined;
  note?: string | undefined;
  keys?: string | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Given: the item is one of a choice and shows a check when true. */
  checked?: boolean | undefined;
  testid?: string | undefined;
  run: () => void;
}

/** An item, a hairline, or a heading. */
export type MenuEntry = MenuItem | "divider" | { heading: string };

interface MenuProps {
  /** Class of the button that opens the menu: `ib`, `chip`, `btn`. */
  button: string;
  label: string;
  /** The button shows words of its own: the label is its tooltip and the menu's name only. */
  worded?: boolean;
  testid?: string | undefined;
  disabled?: boolean | undefined;
  /** Called when the menu opens, so that its entries are of that moment. */
  entries: () => readonly MenuEntry[];
  children: ComponentChildren;
}

/** A button with a menu under it (above it where there is no room). */
export function Menu(props: MenuProps): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [entries, setEntries] = useState<readonly MenuEntry[] | null>(null);
  const onToggle = (event: { newState: string }) => {
    if (event.newState !== "open") return setEntries(null);
    setEntries(props.entries());
    requestAnimationFrame(() => {
      if (button.current && list.current) place(list.current, button.current.getBoundingClientRect());
      items(list.current)[0]?.focus();
    });
  };
  const choose = (item: MenuItem) => {
    list.current?.hidePopover();
    button.current?.focus();
    item.run();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={props.button}
        aria-label={props.worded ? undefined : props.label}
        title={props.label}
        aria-haspopup="menu"
        aria-expanded={entries !== null}
        disabled={props.disabled}
        data-testid={props.testid}
        popovertarget={id}
      >
        {props.children}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={props.label}
        popover="auto"
        onToggle={onToggle}
        onKeyDown={onArrows}
      >
        {entries?.map((entry, at) => (
          <Entry key={at} entry={entry} choose={choose} />
        ))}
      </div>
    </>
  );
}

function Entry({ entry, choose }: { entry: MenuEntry; choose: (item: MenuItem) => void }): JSX.Element {
  if (entry === "divider") return <hr />;
  if ("heading" in entry) return <div class="label">{entry.heading}</div>;
  const choice: JSX.HTMLAttributes<HTMLButtonElement> =
    entry.checked === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": entry.checked };
  return (
    <button
      type="button"
      {...choice}
      class={entry.danger ? "danger" : undefined}
      disabled={entry.disabled}
      data-testid={entry.testid}
      tabIndex={-1}
      onClick={() => choose(entry)}
    >
      {entry.icon && <Icon name={entry.icon} />}
      <span class="grow">
        {entry.label}
        {entry.note && <span class="remark">{entry.note}</span>}
      </span>
      {entry.keys && <kbd>{entry.keys}</kbd>}
      {entry.checked && <Icon name="check" />}
    </button>
  );
}

const items = (list: HTMLElement | null): HTMLButtonElement[] =>
  list ? [...list.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")] : [];

function onArrows(event: KeyboardEvent & { currentTarget: HTMLDivElement }): void {
  const all = items(event.currentTarget);
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  const to = targets[event.key]?.(at, all.length) ?? typed(event.key, all, at);
  if (to === undefined) return;
  event.preventDefault();
  all[to]?.focus();
}

const targets: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function typed(key: string, all: HTMLButtonElement[], at: number): number | undefined {
  if (key.length !== 1 || key === " ") return undefined;
  const turned = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  const found = turned.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
  return found ? all.indexOf(found) : undefined;
}
