/** The servers page: the list with its live states at the left, the selected server or the editor at the right. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { servers } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { Empty, Skeleton } from "../../parts/Empty";
import { ask } from "../../socket";
import type { ServerInfo } from "../../wire";
import { tried } from "../settings/tried";
import { Consent } from "./Consent";
import { formOf } from "./deeds";
import { type Draft, draftOf } from "./draft";
import { ServerDetail } from "./ServerDetail";
import { ServerEditor } from "./ServerEditor";
import { ServerRow } from "./ServerRow";
import { grouped, groupKeys, needsConsent, sums } from "./words";

/** What the right side shows. */
type Side =
  | { shows: "nothing" }
  | { shows: "server"; name: string }
  | { shows: "add" }
  | { shows: "edit"; name: string; draft: Draft };

export function ServersPage(): JSX.Element {
  const list = servers.value;
  const [side, setSide] = useState<Side>({ shows: "nothing" });
  const [asking, setAsking] = useState<readonly string[]>([]);
  const right = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (servers.peek() === null) tried(ask({ type: "servers_list" }));
  }, []);
  // A wide window always shows one; in a narrow one the list comes first.
  const first = list ? grouped(list)[0]?.servers[0] : undefined;
  const shown =
    side.shows === "server"
      ? list?.find(({ name }) => name === side.name)
      : side.shows === "nothing"
        ? first
        : undefined;
  const consent = list?.find((server) => server.name === asking[0] && server.hash !== null && needsConsent(server));

  const show = (next: Side) => {
    setSide(next);
    right.current?.scrollTo?.(0, 0);
    requestAnimationFrame(() => keepFocus(right.current));
  };
  const edit = async (name: string) => {
    const form = await formOf(name);
    if (form) show({ shows: "edit", name, draft: draftOf(form) });
  };
  const onSaved = (names: string[]) => {
    const [name] = names;
    show(name === undefined ? { shows: "nothing" } : { shows: "server", name });
    setAsking(names);
  };
  const open = side.shows === "server" ? shown !== undefined : side.shows !== "nothing";
  return (
    <>
      <header class="top with-line">
        <h1>{t("servers.page")}</h1>
        {list && list.length > 0 && <span class="sums wide-only num">{sums(list)}</span>}
        <span class="grow" />
        <Button icon="plus" testid="server-add" onClick={() => show({ shows: "add" })}>
          {t("servers.add")}
        </Button>
      </header>
      <div class={`sides${open ? " open" : ""}`}>
        <div class="side-left">
          <List
            list={list}
            selected={side.shows === "edit" ? side.name : (shown?.name ?? null)}
            onSelect={(name) => show({ shows: "server", name })}
            onEdit={edit}
            onConsent={(name) => {
              show({ shows: "server", name });
              setAsking([name]);
            }}
          />
        </div>
        <div class="side-right" ref={right} tabIndex={-1}>
          {side.shows === "add" && (
            <ServerEditor key="add" existing={null} onCancel={() => show({ shows: "nothing" })} onSaved={onSaved} />
          )}
          {side.shows === "edit" && (
            <ServerEditor
              key={`edit ${side.name}`}
              existing={side}
              onCancel={() => show({ shows: "server", name: side.name })}
              onSaved={onSaved}
            />
          )}
          {shown && (
            <ServerDetail
              key={shown.name}
              server={shown}
              onBack={() => show({ shows: "nothing" })}
              onEdit={() => edit(shown.name)}
              onConsent={() => setAsking([shown.name])}
              onCopied={(name) => show({ shows: "server", name })}
              onRemoved={() => show({ shows: "nothing" })}
            />
          )}
        </div>
      </div>
      {consent && (
        <Consent
          key={`${consent.name} ${consent.hash}`}
          server={consent}
          onDone={() => {
            const rest = asking.slice(1);
            setAsking(rest);
            show({ shows: "server", name: rest[0] ?? consent.name });
          }}
        />
      )}
    </>
  );
}

/** What had the focus may be gone with the side it was on: then it goes to the new side, or to the list in a narrow window. */
function keepFocus(right: HTMLElement | null): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  const beside = right?.offsetParent ? right : document.querySelector<HTMLElement>(".side-left [aria-current]");
  beside?.focus({ preventScroll: true });
}

interface ListProps {
  list: readonly ServerInfo[] | null;
  selected: string | null;
  onSelect: (name: string) => void;
  onEdit: (name: string) => void;
  onConsent: (name: string) => void;
}

function List({ list, selected, ...on }: ListProps): JSX.Element {
  if (list === null) return <Skeleton />;
  if (list.length === 0)
    return <Empty sign={<Icon name="plug" />} title={t("servers.empty")} hint={t("servers.emptyHint")} />;
  return (
    <>
      {grouped(list).map(({ kind, servers: group }) => (
        <section key={kind} aria-label={t(groupKeys[kind])}>
          <h2 class="side-group">{t(groupKeys[kind])}</h2>
          {group.map((server) => (
            <ServerRow
              key={server.name}
              server={server}
              selected={server.name === selected}
              onSelect={() => on.onSelect(server.name)}
              onEdit={() => on.onEdit(server.name)}
              onConsent={() => on.onConsent(server.name)}
            />
          ))}
        </section>
      ))}
    </>
  );
}
