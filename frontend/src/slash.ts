/** Slash commands: the page's own, the backend's, and which of them a line in the making may mean. */
import { signal } from "@preact/signals";
import { runAction } from "./actions/action";
import { exportConversation } from "./actions/conversation";
import { openServers, openSettings } from "./desk";
import { t } from "./i18n";
import { shown } from "./opening";
import { toast } from "./parts/toasts";
import type { SlashInfo } from "./wire";

/** `run`: the page does it; without it the line is sent and the backend does. */
export interface SlashCommand extends SlashInfo {
  run?: () => void;
}

/** What the backend offers, told in its language. */
export const offered = signal<readonly SlashInfo[]>([]);

/** Whether the help is on show. */
export const helpOpen = signal(false);

const own = (): SlashCommand[] => [
  { name: "new", title: t("slash.new"), hint: null, run: () => void runAction("conversation.new") },
  { name: "settings", title: t("slash.settings"), hint: null, run: () => openSettings() },
  { name: "servers", title: t("slash.servers"), hint: null, run: () => openServers() },
  { name: "export", title: t("slash.export"), hint: null, run: saveShown },
  {
    name: "help",
    title: t("slash.help"),
    hint: null,
    run: () => {
      helpOpen.value = true;
    },
  },
];

function saveShown(): void {
  if (shown.value) void exportConversation(shown.value.id, "markdown");
  else toast({ text: t("slash.nothing") });
}

/** All commands by name; where both have one, the page does it. */
export function slashCommands(): SlashCommand[] {
  const mine = own();
  const theirs = offered.value.filter(({ name }) => !mine.some((each) => each.name === name));
  return [...mine, ...theirs].sort((a, b) => a.name.localeCompare(b.name));
}

/** The commands that a line which is still being written may become; null if it is none, or already more than a name. */
export function slashMatches(line: string): SlashCommand[] | null {
  const begun = /^\/(\S*)$/.exec(line)?.[1]?.toLowerCase();
  if (begun === undefined) return null;
  const found = slashCommands().filter(({ name }) => name.startsWith(begun));
  return found.length ? found : null;
}

/** The command that a whole line is. */
export function slashOf(line: string): SlashCommand | undefined {
  const name = /^\/(\S+)/.exec(line)?.[1];
  return slashCommands().find((command) => command.name === name);
}
