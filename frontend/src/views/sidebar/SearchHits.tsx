/** What a search found, titles first, with the matching words marked. */
import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { findMatch, pieces } from "../../actions/search";
import { listShown } from "../../desk";
import { when } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { narrow } from "../../layout";
import { openConversation, shown } from "../../opening";
import { complain } from "../../parts/complain";
import { Empty, Skeleton } from "../../parts/Empty";
import { scrollThread } from "../../scrolling";
import { ask } from "../../socket";
import type { SearchHit } from "../../wire";

const PAUSE_MS = 150;

export function SearchHits({ query }: { query: string }): JSX.Element {
  const [hits, setHits] = useState<readonly SearchHit[] | null>(null);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      ask({ type: "search", text: query }).then(({ hits: found }) => !gone && setHits(found), complain);
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [query]);
  if (hits === null) return <Skeleton />;
  if (hits.length === 0) return <Empty sign={<Icon name="search" />} title={t("list.nothing", { text: query })} />;
  const groups = [
    { title: t("list.titles"), rows: hits.filter(({ message_id }) => message_id === null) },
    { title: t("list.messages"), rows: hits.filter(({ message_id }) => message_id !== null) },
  ];
  return (
    <>
      {groups.map(
        ({ title, rows }) =>
          rows.length > 0 && (
            <section key={title} aria-label={title}>
              <div class="side-group">
                <span class="grow">{title}</span>
                {rows.length}
              </div>
              {rows.map((hit) => (
                <Hit key={`${hit.conversation_id}${hit.message_id}`} hit={hit} query={query} />
              ))}
            </section>
          ),
      )}
    </>
  );
}

/** The hit that was opened last. */
const visited = signal<SearchHit | null>(null);

function Hit({ hit, query }: { hit: SearchHit; query: string }): JSX.Element {
  const open = () => {
    visited.value = hit;
    openConversation(hit.conversation_id);
    if (narrow.value) listShown.value = false;
    const { message_id: message } = hit;
    if (message) goThere(hit.conversation_id, message);
  };
  return (
    <button
      type="button"
      class="row tall"
      data-testid="search-hit"
      aria-current={visited.value === hit ? "true" : undefined}
      onClick={open}
    >
      <span class="l1">
        <span class="cut grow">
          {hit.message_id === null ? <Marked text={hit.title} query={query} /> : hit.title || t("list.untitled")}
        </span>
        <span class="time">{when(new Date(hit.updated_ms))}</span>
      </span>
      {hit.message_id !== null && (
        <span class="l2 cut">
          <Snippet text={hit.snippet} />
        </span>
      )}
    </button>
  );
}

/** Once the message is here, it is shown. */
function goThere(conversationId: string, messageId: string): void {
  const stop = effect(() => {
    const open = shown.value;
    const gone = open?.id !== conversationId;
    if (!gone && (!open.loaded.value || open.awaits(messageId))) return;
    if (!gone) requestAnimationFrame(() => scrollThread(messageId, null));
    queueMicrotask(() => stop());
  });
}

function Marked({ text, query }: { text: string; query: string }): JSX.Element {
  return (
    <>
      {pieces(text, findMatch(text, query) ?? []).map(({ text: part, hit }, at) =>
        hit ? <mark key={at}>{part}</mark> : part,
      )}
    </>
  );
}

/** The backend marks the matching words between two control characters. */
function Snippet({ text }: { text: string }): JSX.Element {
  const parts = text.replaceAll("\u0003", "\u0002").split("\u0002");
  return <>{parts.map((part, at) => (at % 2 ? <mark key={at}>{part}</mark> : part))}</>;
}
