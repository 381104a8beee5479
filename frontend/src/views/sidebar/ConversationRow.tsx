/** One row of the list: title, and at its right the time, a live dot, a hand or the mark of a task cut off; a menu on hover. */
import type { JSX } from "preact";
import { exportConversation, pinConversation, removeConversation } from "../../actions/conversation";
import { listShown, page } from "../../desk";
import { when } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { narrow } from "../../layout";
import { openConversation, shown } from "../../opening";
import { Menu, type MenuEntry } from "../../parts/Menu";
import { renaming } from "../../renaming";
import type { ConversationInfo } from "../../wire";
import { TitleBox } from "./TitleBox";

export function ConversationRow({ row }: { row: ConversationInfo }): JSX.Element {
  if (renaming.value === `row:${row.id}`) return <TitleBox id={row.id} title={row.title} />;
  const here = shown.value?.id === row.id && page.value.at === "conversation";
  const title = row.title || t("list.untitled");
  const open = () => {
    openConversation(row.id);
    if (narrow.value) listShown.value = false;
  };
  return (
    <div class="row-wrap" data-testid="conversation-row" data-conversation-id={row.id}>
      <button
        type="button"
        class="row"
        title={title}
        aria-current={here ? "page" : undefined}
        onClick={open}
        onDblClick={() => {
          renaming.value = `row:${row.id}`;
        }}
      >
        <span class="cut grow">{title}</span>
        <Sign row={row} />
      </button>
      <Menu button="ib row-menu" label={t("list.more", { title })} testid="row-menu" entries={() => entries(row)}>
        <Icon name="dots" />
      </Menu>
    </div>
  );
}

/** Ends that need no mark: a good one, and the person's own stop. */
const KNOWN: ReadonlySet<ConversationInfo["interrupted"]> = new Set(["done", "cancelled"]);

function Sign({ row }: { row: ConversationInfo }): JSX.Element {
  if (row.waiting) {
    return (
      <span class="waits" title={t("status.waiting")}>
        <Icon name="hand" />
      </span>
    );
  }
  if (row.running) return <span class="live" role="img" aria-label={t("status.working")} title={t("status.working")} />;
  if (row.interrupted && !KNOWN.has(row.interrupted)) {
    return (
      <span class="cut-off" role="img" aria-label={t("status.interrupted")} title={t("status.interrupted")}>
        <Icon name="alert" />
      </span>
    );
  }
  return <span class="time">{when(new Date(row.updated_ms))}</span>;
}

const entries = (row: ConversationInfo): MenuEntry[] => [
  {
    id: "rename",
    label: t("head.rename"),
    icon: "pencil",
    testid: "rename-conversation",
    run: () => {
      renaming.value = `row:${row.id}`;
    },
  },
  {
    id: "pin",
    label: row.pinned ? t("head.unpin") : t("head.pin"),
    icon: "pin",
    run: () => pinConversation(row.id, !row.pinned),
  },
  { id: "export", label: t("head.export"), icon: "download", run: () => exportConversation(row.id, "markdown") },
  "divider",
  {
    id: "delete",
    label: t("head.delete"),
    icon: "trash",
    danger: true,
    testid: "delete-conversation",
    run: () => removeConversation(row.id),
  },
];
