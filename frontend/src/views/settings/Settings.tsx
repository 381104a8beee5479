/** The settings in the window's frame: the pages at the left (a rail in narrow windows), the open one beside them. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { appName, closePages, settings } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { IconName } from "../../icons/names";
import { Button, IconButton } from "../../parts/Button";
import { Empty, Skeleton } from "../../parts/Empty";
import { Toasts } from "../../parts/Toasts";
import { KnowledgePage } from "../knowledge/KnowledgePage";
import { MemoryPage } from "../memory/MemoryPage";
import { ModelsPage } from "../models/ModelsPage";
import { ServersPage } from "../servers/ServersPage";
import { AboutPage } from "./AboutPage";
import { AppearancePage } from "./AppearancePage";
import { ApprovalsPage } from "./ApprovalsPage";
import { DataPage } from "./DataPage";
import { readSettings, sections } from "./data";
import { FieldsPage } from "./FieldsPage";
import { FoldersPage } from "./FoldersPage";
import { goTo, type PageId, pageId } from "./route";
import { wordsOf } from "./tried";
import { Used } from "./Used";

interface Entry {
  id: PageId;
  title: string;
  icon: IconName;
}

const icons: Record<string, IconName> = {
  general: "sliders",
  approvals: "shield",
  folders: "folder",
  limits: "clock",
  network: "globe",
  memory: "brain",
};

/** Sections that have no page of their own name: their fields stand on the pages made for them. */
const ELSEWHERE = new Set(["model", "program"]);

/** The usual order; sections it does not name come after. */
const ORDER = [
  "models",
  "servers",
  "memory",
  "knowledge",
  "approvals",
  "folders",
  "appearance",
  "general",
  "limits",
  "network",
  "data",
];

function entries(): Entry[] {
  const drawn = sections.value.filter(({ id }) => !ELSEWHERE.has(id));
  const all: Entry[] = [
    { id: "models", title: t("settings.models"), icon: "bolt" },
    { id: "servers", title: t("settings.servers"), icon: "plug" },
    { id: "knowledge", title: t("knowledge.page"), icon: "summary" },
    { id: "appearance", title: t("settings.appearance"), icon: "theme" },
    { id: "data", title: t("data.title"), icon: "archive" },
    ...drawn.map(({ id, title }): Entry => ({ id, title, icon: icons[id] ?? "note" })),
  ];
  const rank = ({ id }: Entry) => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
  return all.sort((a, b) => rank(a) - rank(b));
}

export function Settings(): JSX.Element {
  const page = pageId.value;
  const [refused, setRefused] = useState<string | null>(null);
  const read = () => {
    setRefused(null);
    readSettings().catch((error: unknown) => setRefused(wordsOf(error)));
  };
  // once, when the settings open
  useEffect(read, []);
  useEffect(() => {
    // Before all others: what Esc means in a conversation (stop) it does not mean here.
    document.addEventListener("keydown", onEscape, true);
    return () => document.removeEventListener("keydown", onEscape, true);
  }, []);
  return (
    <div class="app settings" data-testid="settings">
      <Nav page={page} />
      <main class="main">
        <Page page={page} refused={refused} onAgain={read} />
        <Toasts />
      </main>
    </div>
  );
}

function Nav({ page }: { page: PageId }): JSX.Element {
  return (
    <nav class="side settings-nav" aria-label={t("settings.title")}>
      <div class="side-top">
        <IconButton icon="chev-l" label={t("settings.back")} testid="close-settings" onClick={closePages} />
        <b class="grow">{t("settings.title")}</b>
      </div>
      <div class="side-list">
        {entries().map((entry) => (
          <NavRow key={entry.id} entry={entry} page={page} />
        ))}
      </div>
      <div class="side-foot">
        <NavRow
          entry={{ id: "about", title: t("settings.about", { name: appName.value }), icon: "info" }}
          page={page}
        />
      </div>
    </nav>
  );
}

function NavRow({ entry, page }: { entry: Entry; page: PageId }): JSX.Element {
  return (
    <button
      type="button"
      class="row"
      title={entry.title}
      aria-current={entry.id === page ? "page" : undefined}
      data-testid={`settings-${entry.id}`}
      onClick={() => goTo(entry.id)}
    >
      <Icon name={entry.icon} />
      <span class="grow cut">{entry.title}</span>
    </button>
  );
}

interface PageProps {
  page: PageId;
  refused: string | null;
  onAgain: () => void;
}

function Page({ page, refused, onAgain }: PageProps): JSX.Element {
  if (page === "servers") return <ServersPage />;
  if (page === "models") return <ModelsPage />;
  if (refused !== null) {
    return (
      <Empty sign={<Icon name="error" />} title={t("settings.unread")} hint={refused}>
        <Button onClick={onAgain}>{t("settings.again")}</Button>
      </Empty>
    );
  }
  if (settings.value === null) return <Skeleton />;
  if (page === "appearance") return <AppearancePage />;
  if (page === "about") return <AboutPage />;
  if (page === "knowledge") return <KnowledgePage />;
  if (page === "data") return <DataPage />;
  const section = sections.value.find(({ id }) => id === page);
  if (!section) return <ModelsPage />;
  if (section.id === "memory") return <MemoryPage section={section} />;
  if (section.id === "folders") return <FoldersPage />;
  if (section.id === "approvals") return <ApprovalsPage section={section} />;
  return <FieldsPage section={section}>{section.id === "limits" && <Used />}</FieldsPage>;
}

/** Esc leaves, unless something inside had a use for it. */
function onEscape(event: KeyboardEvent): void {
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (document.querySelector("dialog[open], [popover]:popover-open")) return;
  event.preventDefault();
  closePages();
}
