/** What a server's state is called, and the order and sums of the list. */
import { number, time } from "../../format";
import { type Key, t } from "../../i18n";
import { allWorded } from "../../sayings";
import type { ServerInfo } from "../../wire";
import { idleWords } from "./use";

export type Kind = ServerInfo["kind"];
/** The groups of the list, in its order. */
export const kinds: readonly Kind[] = ["third_party", "bundled", "demo"];

export const groupKeys = {
  third_party: "servers.group.yours",
  bundled: "servers.group.bundled",
  demo: "servers.group.demos",
} as const satisfies Record<Kind, Key>;

export const kindKeys = {
  third_party: "servers.kind.third",
  bundled: "servers.kind.bundled",
  demo: "servers.kind.demo",
} as const satisfies Record<Kind, Key>;

const stateKeys = {
  disabled: "servers.state.off",
  starting: "servers.state.starting",
  ready: "servers.state.ready",
  error: "servers.state.error",
  stopped: "servers.state.stopped",
  waiting: "servers.state.waiting",
} as const satisfies Record<ServerInfo["state"], Key>;

/** True where the server stands still until the person has seen what it would start. */
export const needsConsent = (server: ServerInfo): boolean =>
  server.state === "waiting" || (server.kind === "third_party" && !server.accepted);

/** True where what was accepted once is not what would start now. */
export const hasChanged = (server: ServerInfo): boolean => needsConsent(server) && Boolean(server.changes);

/** True where it runs, and only the tools that changed are held back. */
export const holdsTools = (server: ServerInfo): boolean => hasChanged(server) && server.started_ms !== null;

/** The state that gives the dot its shape and colour. */
export const dotOf = (server: ServerInfo): ServerInfo["state"] =>
  needsConsent(server) && server.enabled ? "waiting" : server.state;

/** The state as tests and scripts know it: a server that waits for consent is a stopped one. */
export const markOf = (server: ServerInfo): string => (server.state === "waiting" ? "stopped" : server.state);

/** The state in a word or two. */
export function stateWord(server: ServerInfo): string {
  const dot = dotOf(server);
  if (server.declined && !server.accepted) return t("servers.state.declined");
  return hasChanged(server) && dot === "waiting" ? t("servers.state.changed") : t(stateKeys[dot]);
}

/** Cause and cure of its trouble. */
export const troubleOf = (server: ServerInfo): string =>
  server.message === null ? t("servers.state.error") : allWorded(server.message, server.said);

/** What follows the state in the row: tools that are on, and what they cost a round. */
export function rowWords(server: ServerInfo): string[] {
  const on = server.tools.filter((tool) => tool.enabled).length;
  const all = server.tools.length;
  const words: string[] = [];
  if (server.state === "starting" && server.message) words.push(troubleOf(server));
  if (all > 0) words.push(on < all ? t("servers.toolsOf", { on, count: all }) : t("servers.tools", { count: all }));
  if (server.tokens > 0) {
    words.push(t(server.enabled ? "servers.tokens" : "servers.tokensWhenOn", { count: server.tokens }));
  }
  const idle = idleWords(server);
  if (idle) words.push(idle);
  return words;
}

/** "Ready since 14:02", or the state's word and sentence. */
export function statusLine(server: ServerInfo): string {
  if (server.state === "ready" && server.started_ms !== null) {
    return t("servers.readySince", { time: time(new Date(server.started_ms)) });
  }
  return stateWord(server);
}

/** The head's sums over all servers that are ready. */
export function sums(servers: readonly ServerInfo[]): string {
  const ready = servers.filter(({ state }) => state === "ready");
  const tools = ready.reduce((count, { tools }) => count + tools.filter((tool) => tool.enabled).length, 0);
  const tokens = ready.reduce((count, server) => count + server.tokens, 0);
  const parts = [t("servers.readyCount", { count: ready.length }), t("servers.tools", { count: tools })];
  if (tokens > 0) parts.push(t("servers.tokens", { count: tokens }));
  return parts.join(" · ");
}

/** The list in its groups; empty groups are left out. Those that wait for consent come first. */
export function grouped(servers: readonly ServerInfo[]): { kind: Kind; servers: ServerInfo[] }[] {
  return kinds
    .map((kind) => ({
      kind,
      servers: servers
        .filter((server) => server.kind === kind)
        .sort((a, b) => Number(needsConsent(b)) - Number(needsConsent(a)) || a.name.localeCompare(b.name)),
    }))
    .filter((group) => group.servers.length > 0);
}

/** "806" or the word for a tool that is off. */
export const toolCost = (enabled: boolean, tokens: number): string => (enabled ? number(tokens) : t("servers.off"));

/** Which of the protocol's two kinds it speaks. */
export const eraWords = (era: "modern" | "legacy"): string =>
  t(era === "modern" ? "servers.era.modern" : "servers.era.legacy");
