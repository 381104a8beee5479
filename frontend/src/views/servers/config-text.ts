/** Looks into a pasted `mcpServers` configuration, to show what it would add. The backend reads it for good. */

export interface FoundServer {
  name: string;
  /** Program and arguments, or null for an address. */
  words: string[] | null;
  url: string | null;
  /** It would start whatever version is newest that day. */
  unpinned: boolean;
  /** Variables written as ${NAME} or ${input:NAME} that the person has to supply. */
  needs: string[];
}

export type ConfigReading = { servers: FoundServer[] } | { problem: "empty" | "json" | "none"; detail: string };

/** Accepts `{"mcpServers": …}`, `{"servers": …}`, a bare map of names, or only the inner part of the first. */
export function readConfig(text: string): ConfigReading {
  const trimmed = text.trim().replace(/,$/, "");
  if (!trimmed) return { problem: "empty", detail: "" };
  let parsed: unknown;
  try {
    parsed = JSON.parse(/^"/.test(trimmed) ? `{${trimmed}}` : trimmed);
  } catch (error) {
    return { problem: "json", detail: error instanceof Error ? error.message : String(error) };
  }
  const servers = serversIn(parsed);
  return servers.length > 0 ? { servers } : { problem: "none", detail: "" };
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isServer = (value: unknown): value is Json =>
  isObject(value) &&
  (typeof value.command === "string" || typeof value.url === "string" || typeof value.serverUrl === "string");

function serversIn(parsed: unknown): FoundServer[] {
  if (!isObject(parsed)) return [];
  const named =
    [parsed.mcpServers, parsed.servers, isObject(parsed.mcp) ? parsed.mcp.servers : null].find(isObject) ?? parsed;
  return Object.entries(named)
    .filter((entry): entry is [string, Json] => isServer(entry[1]))
    .map(([name, value]) => found(name, value));
}

function found(name: string, value: Json): FoundServer {
  const needs = [
    ...new Set(
      [...JSON.stringify(value).matchAll(/\$\{(?:env:|input:)?([A-Za-z_][\w-]*)\}/g)].map(([, needed]) => needed ?? ""),
    ),
  ];
  const command = typeof value.command === "string" ? value.command : null;
  const args = Array.isArray(value.args) ? value.args.map(String) : [];
  if (command === null) return { name, words: null, url: String(value.url ?? value.serverUrl), unpinned: false, needs };
  const words = [command, ...args];
  return { name, words, url: null, unpinned: isUnpinned(words), needs };
}

/** True where a package runner fetches a package without a fixed version. */
export function isUnpinned([program = "", ...args]: readonly string[]): boolean {
  const runner = /(?:^|[\\/])(npx|bunx|uvx)(?:\.(?:cmd|exe))?$/i.exec(program)?.[1]?.toLowerCase();
  const named = args.find((word) => !word.startsWith("-"));
  if (!runner || !named) return false;
  return runner === "uvx" ? !/(==|@)\d/.test(named) : !/.@\d/.test(named);
}
