/** Slash commands: the page's own, the backend's, and which of them a line in the making may mean. */
import { signal } from "@preact/signals";
import { runAction } from "./actions/action";
import { exportConversation } from "./actions/conversation";
import { openServers, openSettings } from "./desk";
import { t } from "./i18n";
import { commandName, fits, loadResources, pickResource, prompts, resources, usePrompt } from "./material";
import { shown } from "./opening";
import { toast } from "./parts/toasts";
import type { SlashInfo } from "./wire";

/** `run`: the page does it; without it the line is sent and the backend does. */
export interface SlashCommand extends SlashInfo {
  run?: () => void;
  /** What it begins with, "/" if nothing else. "@" is a resource: choosing it takes the words away and attaches. */
  mark?: "@";
}

const MOST = 50;

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

/** All commands by name; where both have one, the page does it. Servers' prompts come after them, as `server:prompt`. */
export function slashCommands(): SlashCommand[] {
  const mine = own();
  const theirs = offered.value.filter(({ name }) => !mine.some((each) => each.name === name));
  return [...[...mine, ...theirs].sort((a, b) => a.name.localeCompare(b.name)), ...promptCommands()];
}

const promptCommands = (): SlashCommand[] =>
  prompts.value.flatMap((listed) =>
    listed.prompts.map((info) => ({
      name: commandName(info),
      title: info.description || info.title || t("prompt.from", { server: listed.title }),
      hint: null,
      run: () => usePrompt(info),
    })),
  );

/** Resources whose name or address holds what was typed after "@". */
function resourceMatches(begun: string): SlashCommand[] | null {
  if (resources.value === null) void loadResources();
  const all = (resources.value ?? []).flatMap((listed) => listed.resources);
  const found = all
    .filter(({ server, name, title, uri }) => fits(begun, server, name, title, uri))
    .slice(0, MOST)
    .map((info) => ({
      name: info.title ?? info.name,
      title: `${info.server} · ${info.uri}`,
      hint: null,
      mark: "@" as const,
      run: () => pickResource(info),
    }));
  return found.length ? found : null;
}

/** The commands that a line which is still being written may become; null if it is none, or already more than a name. */
export function slashMatches(line: string): SlashCommand[] | null {
  const at = /(?:^|\s)@(\S*)$/.exec(line)?.[1];
  if (at !== undefined) return resourceMatches(at);
  const begun = /^\/(\S*)$/.exec(line)?.[1]?.toLowerCase();
  if (begun === undefined) return null;
  const found = slashCommands().filter(({ name }) => begins(name.toLowerCase(), begun));
  return found.length ? found : null;
}

/** A prompt is also found by its own name, without its server's. */
const begins = (name: string, begun: string): boolean =>
  name.startsWith(begun) || (begun !== "" && name.slice(name.indexOf(":") + 1).startsWith(begun));

/** The command that a whole line is. */
export function slashOf(line: string): SlashCommand | undefined {
  const name = /^\/(\S+)/.exec(line)?.[1];
  return slashCommands().find((command) => command.name === name);
}
