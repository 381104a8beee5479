/** The list of conversations: pinned, today, earlier; search; and the ways to servers and settings. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ActionButton } from "../../actions/ActionButton";
import { runAction } from "../../actions/action";
import { keyText } from "../../actions/keys";
import { appName, conversations, listShown, openServers, openSettings, toolbox } from "../../desk";
import { t } from "../../i18n";
import { Icon, Mark } from "../../icons/Icon";
import { narrow, searchOpen } from "../../layout";
import { shown } from "../../opening";
import { IconButton } from "../../parts/Button";
import { Empty, Skeleton } from "../../parts/Empty";
import type { ConversationInfo } from "../../wire";
import { ConversationRow } from "./ConversationRow";
import { SearchHits } from "./SearchHits";

export function Sidebar(): JSX.Element {
  const awake = shown.value?.running.value !== null && shown.value !== null;
  const [query, setQuery] = useState("");
  const searching = searchOpen.value;
  return (
    <nav class={`side${narrow.value ? " over" : ""}`} aria-label={t("list.label")}>
      <div class="side-top">
        <Mark size={28} awake={awake} />
        <b class="grow">{appName.value}</b>
        <IconButton
          icon="search"
          label={t("list.search")}
          pressed={searching}
          testid="search"
          onClick={() => {
            searchOpen.value = !searching;
            setQuery("");
          }}
        />
        <ActionButton id="list.toggle" testid="toggle-list" />
      </div>
      <button type="button" class="row" data-testid="new-conversation" onClick={newConversation}>
        <Icon name="compose" />
        <span class="grow">{t("list.new")}</span>
        <kbd>{keyText("Mod+N")}</kbd>
      </button>
      {searching && <SearchField query={query} onQuery={setQuery} />}
      <div class="side-list" data-testid="conversation-list">
        {searching && query.trim() ? <SearchHits query={query.trim()} /> : <List />}
      </div>
      <div class="side-foot">
        <button type="button" class="row" data-testid="open-servers" onClick={() => openServers()}>
          <Icon name="plug" />
          <span class="grow">{t("frame.servers")}</span>
          <span class="time">{t("list.ready", { count: toolbox.value.servers })}</span>
        </button>
        <button type="button" class="row" data-testid="open-settings" onClick={() => openSettings()}>
          <Icon name="sliders" />
          <span class="grow">{t("frame.settings")}</span>
          <kbd>{keyText("Mod+,")}</kbd>
        </button>
      </div>
    </nav>
  );
}

function newConversation(): void {
  runAction("conversation.new");
  if (narrow.value) listShown.value = false;
}

function SearchField({ query, onQuery }: { query: string; onQuery: (query: string) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <label class="find">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        data-testid="search-input"
        aria-label={t("list.search")}
        placeholder={t("list.search")}
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          searchOpen.value = false;
          document.querySelector<HTMLElement>('[data-testid="search"]')?.focus();
        }}
      />
      {query && <IconButton icon="x" label={t("part.clear")} onClick={() => onQuery("")} />}
    </label>
  );
}

function List(): JSX.Element {
  const all = conversations.value;
  if (all === null) return <Skeleton />;
  if (all.length === 0) return <Empty sign={<Mark size={32} />} title={t("list.empty")} hint={t("list.emptyHint")} />;
  return (
    <>
      {grouped(all).map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <div class="side-group">{title}</div>
          {rows.map((row) => (
            <ConversationRow key={row.id} row={row} />
          ))}
        </section>
      ))}
    </>
  );
}

function grouped(all: readonly ConversationInfo[]): { title: string; rows: ConversationInfo[] }[] {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const groups = [
    { title: t("list.pinned"), rows: all.filter(({ pinned }) => pinned) },
    { title: t("list.today"), rows: all.filter(({ pinned, updated_ms }) => !pinned && updated_ms >= midnight) },
    { title: t("list.earlier"), rows: all.filter(({ pinned, updated_ms }) => !pinned && updated_ms < midnight) },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}
