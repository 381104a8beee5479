/** The memory's page: what is remembered at the left, one thing whole (or how the memory is used) at the right. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { memoryChanges } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { Empty, Skeleton } from "../../parts/Empty";
import { ask, link } from "../../socket";
import type { MemoryRow, MemoryView } from "../../wire";
import type { Section } from "../settings/schema";
import { tried } from "../settings/tried";
import { EntityDetail } from "./EntityDetail";
import { EntityForm } from "./EntityForm";
import { Overview } from "./Overview";
import { recallIsOn } from "./recall";

/** What the right side shows; nothing is the list alone in a narrow window, and the overview in a wide one. */
type Side = { shows: "nothing" } | { shows: "overview" } | { shows: "add" } | { shows: "entity"; name: string };

const PAUSE_MS = 120;

export function MemoryPage({ section }: { section: Section }): JSX.Element {
  const [side, setSide] = useState<Side>({ shows: "nothing" });
  const [query, setQuery] = useState("");
  const name = side.shows === "entity" ? side.name : null;
  const view = useMemory(query, name);
  const right = useRef<HTMLDivElement>(null);
  const show = (next: Side) => {
    setSide(next);
    right.current?.scrollTo?.(0, 0);
  };
  return (
    <>
      <header class="top with-line">
        <h1>{t("memory.page")}</h1>
        {view && view.total > 0 && (
          <span class="sums wide-only num">{t("memory.sums", { count: view.total, facts: view.facts })}</span>
        )}
        <span class="grow" />
        <Button icon="plus" testid="memory-add" onClick={() => show({ shows: "add" })}>
          {t("memory.add")}
        </Button>
      </header>
      <div class={`sides${side.shows === "nothing" ? "" : " open"}`} data-testid="memory">
        <div class="side-left memory-list">
          <Search query={query} onQuery={setQuery} />
          <OverviewRow
            on={side.shows === "nothing" || side.shows === "overview"}
            onSelect={() => show({ shows: "overview" })}
          />
          {view === null ? (
            <Skeleton />
          ) : (
            <List
              view={view}
              query={query}
              chosen={name}
              onSelect={(picked) => show({ shows: "entity", name: picked })}
            />
          )}
        </div>
        <div class="side-right" ref={right} tabIndex={-1}>
          {(side.shows === "nothing" || side.shows === "overview") && (
            <Overview section={section} view={view} onBack={() => show({ shows: "nothing" })} />
          )}
          {side.shows === "add" && (
            <EntityForm
              old={null}
              onCancel={() => show({ shows: "nothing" })}
              onSaved={(made) => show({ shows: "entity", name: made })}
            />
          )}
          {name !== null && view?.asked === name && (
            <EntityDetail
              key={name}
              entity={view.shown}
              names={view.rows.map((row) => row.name)}
              onBack={() => show({ shows: "nothing" })}
              onOpen={(other) => show({ shows: "entity", name: other })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** What the backend last told, read again when the question, the memory or the line changes; `asked` is whose `shown` it is. */
function useMemory(query: string, name: string | null): (MemoryView & { asked: string | null }) | null {
  const [view, setView] = useState<(MemoryView & { asked: string | null }) | null>(null);
  const changes = memoryChanges.value;
  const open = link.value === "open";
  useEffect(() => {
    if (!open) return;
    let over = false;
    const read = async () => {
      const told = await tried(ask({ type: "memory_read", query, name }));
      if (told && !over) setView({ ...told, asked: name });
    };
    const timer = setTimeout(() => void read(), query ? PAUSE_MS : 0);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [query, name, changes, open]);
  return view;
}

function Search({ query, onQuery }: { query: string; onQuery: (text: string) => void }): JSX.Element {
  return (
    <label class="find">
      <Icon name="search" />
      <input
        type="search"
        data-testid="memory-search"
        aria-label={t("memory.search")}
        placeholder={t("memory.search")}
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      {query && <IconButton icon="x" label={t("part.clear")} onClick={() => onQuery("")} />}
    </label>
  );
}

function OverviewRow({ on, onSelect }: { on: boolean; onSelect: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class={`server provider${on ? " on" : ""}`}
      aria-current={on ? "true" : undefined}
      data-testid="memory-overview"
      onClick={onSelect}
    >
      <Icon name="sliders" />
      <span class="name">
        <b class="cut">{t("memory.overview")}</b>
      </span>
      <span class="state">{t(recallIsOn() ? "memory.overviewOn" : "memory.overviewOff")}</span>
    </button>
  );
}

interface ListProps {
  view: MemoryView;
  query: string;
  chosen: string | null;
  onSelect: (name: string) => void;
}

function List({ view, query, chosen, onSelect }: ListProps): JSX.Element {
  const searched = query.trim();
  if (view.rows.length === 0 && searched)
    return <Empty sign={<Icon name="search" />} title={t("memory.nothing", { text: searched })} />;
  if (view.rows.length === 0)
    return <Empty sign={<Icon name="brain" />} title={t("memory.empty")} hint={t("memory.emptyHint")} />;
  const title = t(searched ? "memory.found" : "memory.all");
  const more = view.found - view.rows.length;
  return (
    <section aria-label={title}>
      <h2 class="side-group">
        <span class="grow">{title}</span>
        <span class="num">{view.found}</span>
      </h2>
      {view.rows.map((row) => (
        <Row key={row.name} row={row} on={row.name === chosen} onSelect={() => onSelect(row.name)} />
      ))}
      {more > 0 && <p class="muted more">{t("memory.more", { count: more })}</p>}
    </section>
  );
}

const PEOPLE = /^(person|people|user|persona|usuario|gente)$/i;

function Row({ row, on, onSelect }: { row: MemoryRow; on: boolean; onSelect: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class={`server provider${on ? " on" : ""}`}
      aria-current={on ? "true" : undefined}
      data-testid="memory-row"
      data-name={row.name}
      onClick={onSelect}
    >
      <Icon name={PEOPLE.test(row.kind) ? "user" : "note"} />
      <span class="name">
        <b class="cut">{row.name}</b>
      </span>
      <span class="state">
        {row.kind} · {t("memory.factsCount", { count: row.facts })}
      </span>
    </button>
  );
}
