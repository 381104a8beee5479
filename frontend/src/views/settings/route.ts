/** Which page of the settings is on show, from what the desk says fills the window. */
import { computed } from "@preact/signals";
import { openServers, openSettings, page } from "../../desk";

/** `models`, `servers`, `appearance`, `data`, `about`, or a section of the schema. */
export type PageId = string;

const FIRST: PageId = "models";

/** Names that an `open_panel` command, a model or a person may use for a page. */
const aliases: Record<string, PageId> = {
  mcp: "servers",
  tools: "servers",
  providers: "models",
  provider: "models",
  model: "models",
  roots: "folders",
  files: "folders",
  theme: "appearance",
  themes: "appearance",
  language: "appearance",
  backups: "data",
  backup: "data",
};

export const pageId = computed<PageId>(() => {
  const at = page.value;
  if (at.at === "servers") return "servers";
  const tab = at.at === "settings" ? at.tab?.toLowerCase() : null;
  return tab ? (aliases[tab] ?? tab) : FIRST;
});

export const goTo = (id: PageId): void => (id === "servers" ? openServers() : openSettings(id));
