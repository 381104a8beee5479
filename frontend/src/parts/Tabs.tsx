/** A choice of two or three views, as segments of one control. */
import type { JSX } from "preact";

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string; testid?: string }[];
  selected: Id;
  onSelect: (id: Id) => void;
}

/** Arrow keys move between the segments, as in any list of tabs. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>): JSX.Element {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLDivElement }) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = tabs.findIndex(({ id }) => id === selected);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
    event.currentTarget.querySelectorAll("button")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="seg" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          tabIndex={tab.id === selected ? 0 : -1}
          data-testid={tab.testid}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
