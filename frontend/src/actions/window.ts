/** The actions of the window itself: new conversation, list, pages, palette, stop. */
import { computed } from "@preact/signals";
import { listShown, openServers, openSettings, settingOf } from "../desk";
import { focusAsked } from "../drafts";
import { t } from "../i18n";
import { listOpen, searchOpen } from "../layout";
import { shown, startEmpty } from "../opening";
import { complain } from "../parts/complain";
import { ask } from "../socket";
import { chooseTheme, themeId, themeIds } from "../theme";
import { type Action, register } from "./action";
import { exportConversation, removeConversation } from "./conversation";
import { paletteOpen } from "./Palette";

const conversations = () => t("palette.conversations");
const windows = () => t("palette.window");
const themes = () => t("palette.themes");

const isRunning = computed(() => shown.value?.running.value !== null && shown.value !== null);

/** Stops the task of the conversation on show; that is seen at once, whatever the task still has to end. */
export function stopTask(): void {
  const conversation = shown.value;
  const running = conversation?.running.value;
  if (!conversation || !running || conversation.stopping.value) return;
  conversation.stopped.value = running.startedMs;
  ask({ type: "stop", conversation_id: conversation.id }).catch((error: unknown) => {
    conversation.stopped.value = null;
    complain(error);
  });
}

/** The text size, which zooms the whole page, in percent; the setting has the same bounds. */
const ZOOM_STEP = 10;
const SMALLEST = 80;
const LARGEST = 200;
const textSize = (): number => Number(settingOf("general.text_size") ?? 100);
const zoomNow = (): string => t("zoom.now", { percent: textSize() });

function zoomTo(percent: number): void {
  const value = Math.min(LARGEST, Math.max(SMALLEST, percent));
  ask({ type: "set_setting", name: "general.text_size", value }).catch(complain);
}

const all: readonly Action[] = [
  {
    id: "conversation.new",
    title: () => t("list.new"),
    group: conversations,
    icon: "compose",
    keys: "Mod+N",
    run: () => {
      startEmpty();
      focusAsked.value += 1;
    },
  },
  {
    id: "conversation.stop",
    title: () => t("composer.stop"),
    group: conversations,
    icon: "stop",
    keys: "Escape",
    inFields: true,
    enabled: () => isRunning.value,
    run: stopTask,
  },
  {
    id: "conversation.export",
    title: () => t("head.export"),
    group: conversations,
    icon: "download",
    enabled: () => shown.value !== null,
    run: () => shown.value && exportConversation(shown.value.id, "markdown"),
  },
  {
    id: "conversation.delete",
    title: () => t("head.delete"),
    group: conversations,
    icon: "trash",
    enabled: () => shown.value !== null,
    run: () => shown.value && removeConversation(shown.value.id),
  },
  {
    id: "list.search",
    title: () => t("list.search"),
    group: conversations,
    icon: "search",
    keys: "Mod+Shift+F",
    run: () => {
      listShown.value = true;
      searchOpen.value = true;
    },
  },
  {
    id: "list.toggle",
    title: () => (listOpen.value ? t("list.hide") : t("list.show")),
    group: windows,
    icon: "sidebar",
    keys: "Mod+B",
    run: () => {
      listShown.value = !listOpen.value;
    },
  },
  {
    id: "palette.open",
    title: () => t("palette.title"),
    group: windows,
    icon: "terminal",
    keys: "Mod+K",
    run: () => {
      paletteOpen.value = true;
    },
  },
  { id: "servers.open", title: () => t("frame.servers"), group: windows, icon: "plug", run: () => openServers() },
  {
    id: "memory.open",
    title: () => t("memory.open"),
    group: windows,
    icon: "brain",
    run: () => openSettings("memory"),
  },
  {
    id: "settings.open",
    title: () => t("frame.settings"),
    group: windows,
    icon: "sliders",
    keys: "Mod+,",
    run: () => openSettings(),
  },
  {
    id: "zoom.in",
    title: () => t("zoom.in"),
    group: windows,
    icon: "plus",
    keys: "Mod++",
    alsoKeys: ["Mod+Shift++", "Mod+="],
    hint: zoomNow,
    enabled: () => textSize() < LARGEST,
    run: () => zoomTo(textSize() + ZOOM_STEP),
  },
  {
    id: "zoom.out",
    title: () => t("zoom.out"),
    group: windows,
    icon: "minus",
    keys: "Mod+-",
    hint: zoomNow,
    enabled: () => textSize() > SMALLEST,
    run: () => zoomTo(textSize() - ZOOM_STEP),
  },
  {
    id: "zoom.reset",
    title: () => t("zoom.reset"),
    group: windows,
    icon: "search",
    keys: "Mod+0",
    hint: zoomNow,
    run: () => zoomTo(100),
  },
  ...themeIds.map(
    (id): Action => ({
      id: `theme.${id}`,
      title: () => t("command.themeIs", { theme: t(`theme.${id}`) }),
      group: themes,
      icon: id.startsWith("dark") ? "moon" : "sun",
      enabled: () => themeId.value !== id,
      run: () => void chooseTheme(id).catch(complain),
    }),
  ),
];

/** Makes the window's actions known to buttons, keys and palette. */
export const registerWindowActions = (): (() => void) => register(all);
