/** The head of a conversation: its title, and what can be done with the whole of it. */
import type { JSX } from "preact";
import { exportConversation, pinConversation, removeConversation } from "../../actions/conversation";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { IconButton } from "../../parts/Button";
import { Menu, type MenuEntry } from "../../parts/Menu";
import { renaming } from "../../renaming";
import type { ConversationInfo } from "../../wire";
import { openOptions } from "../models/ConversationOptions";
import { TitleBox } from "../sidebar/TitleBox";

export function Header({
  conversation,
  scrolled,
}: {
  conversation: Conversation | null;
  scrolled: boolean;
}): JSX.Element {
  const info = conversation?.info.value ?? null;
  if (!info) {
    return (
      <header class="top">
        <h1 class="cut muted">{t("list.new")}</h1>
      </header>
    );
  }
  return (
    <header class={`top${scrolled ? " scrolled" : ""}`}>
      {renaming.value === `head:${info.id}` ? (
        <TitleBox id={info.id} title={info.title} />
      ) : (
        <h1 class="cut">{info.title || t("list.untitled")}</h1>
      )}
      {info.folder && (
        <span class="in-folder">
          <Icon name="folder" />
          {info.folder}
        </span>
      )}
      <span class="grow" />
      <IconButton
        icon="download"
        label={t("head.export")}
        testid="export"
        onClick={() => exportConversation(info.id, "markdown")}
      />
      <Menu button="ib" label={t("part.more")} testid="conversation-menu" entries={() => entries(info)}>
        <Icon name="dots" />
      </Menu>
    </header>
  );
}

const entries = (info: ConversationInfo): MenuEntry[] => [
  {
    id: "rename",
    label: t("head.rename"),
    icon: "pencil",
    run: () => {
      renaming.value = `head:${info.id}`;
    },
  },
  {
    id: "pin",
    label: info.pinned ? t("head.unpin") : t("head.pin"),
    icon: "pin",
    run: () => pinConversation(info.id, !info.pinned),
  },
  { id: "options", label: t("head.options"), icon: "sliders", testid: "open-options", run: () => openOptions(info.id) },
  { id: "json", label: t("head.exportJson"), icon: "download", run: () => exportConversation(info.id, "json") },
  "divider",
  {
    id: "delete",
    label: t("head.delete"),
    icon: "trash",
    danger: true,
    testid: "delete-conversation",
    run: () => removeConversation(info.id),
  },
];
