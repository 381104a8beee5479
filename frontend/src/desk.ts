/** What the whole window shares: the list, servers, settings, and which page is on show. */
import { computed, signal } from "@preact/signals";
import { t } from "./i18n";
import type { ConversationInfo, ServerInfo, SettingsData } from "./wire";

/** All conversations, newest first; null until told. */
export const conversations = signal<readonly ConversationInfo[] | null>(null);

/** All servers; null until told. */
export const servers = signal<readonly ServerInfo[] | null>(null);

/** Settings with their schema; null until told. */
export const settings = signal<SettingsData | null>(null);

/** Grows whenever what is remembered changed, whoever did it. */
export const memoryChanges = signal(0);

/** The value of one setting by dotted name. */
export const settingOf = (name: string): unknown => settings.value?.values[name];

/** What this program is called: its edition's name. */
export const appName = computed(() => settings.value?.edition.name || t("app.name"));

/** What fills the window beside the list. */
export type Page =
  | { at: "conversation" }
  | { at: "settings"; tab: string | null }
  | { at: "servers"; tab: string | null };

export const page = signal<Page>({ at: "conversation" });

/** The conversation on show; null before the first. */
export const currentId = signal<string | null>(null);

export const current = computed<ConversationInfo | null>(
  () => conversations.value?.find(({ id }) => id === currentId.value) ?? null,
);

export const openSettings = (tab: string | null = null): void => {
  page.value = { at: "settings", tab };
};

export const openServers = (tab: string | null = null): void => {
  page.value = { at: "servers", tab };
};

/** Back to the conversation. */
export const closePages = (): void => {
  page.value = { at: "conversation" };
};

/** Whether the list is on show: `null` is as the width of the window has it. */
export const listShown = signal<boolean | null>(null);

/** Servers that are ready and their enabled tools. */
export const toolbox = computed(() => {
  const ready = (servers.value ?? []).filter(({ state }) => state === "ready");
  const tools = ready.reduce((sum, server) => sum + server.tools.filter(({ enabled }) => enabled).length, 0);
  return { servers: ready.length, tools };
});
