/** What a server is used for and takes: words for its facts, and memory asked for while the page is open. */
import { useEffect, useState } from "preact/hooks";
import { moment } from "../../format";
import { type Key, t } from "../../i18n";
import { ask } from "../../socket";
import type { ServerInfo } from "../../wire";

const EVERY_MS = 5000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** From so many days on a server that costs tokens and is not used is pointed out. */
const LONG_DAYS = 14;

const transportKeys = {
  builtin: "servers.transport.builtin",
  stdio: "servers.transport.stdio",
  http: "servers.transport.http",
  sse: "servers.transport.sse",
  tcp: "servers.transport.tcp",
} as const satisfies Record<ServerInfo["transport"], Key>;

export const transportWords = ({ transport }: ServerInfo): string => t(transportKeys[transport]);

/** Bytes by server, read again every five seconds; empty until the first answer. */
export function useMemory(): Readonly<Record<string, number>> {
  const [bytes, setBytes] = useState<Record<string, number>>({});
  useEffect(() => {
    let current = true;
    const read = () =>
      ask({ type: "servers_memory" })
        .then((told) => current && setBytes((told as { bytes: Record<string, number> }).bytes))
        .catch(() => undefined);
    read();
    const timer = setInterval(read, EVERY_MS);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, []);
  return bytes;
}

/** Whole days since it was used; null for never. */
export const idleDays = (server: ServerInfo, now: number = Date.now()): number | null =>
  server.used_ms === null ? null : Math.max(0, Math.floor((now - server.used_ms) / DAY_MS));

/** "12 calls, the last one 3 days ago", or that it was never used. */
export function useWords(server: ServerInfo, now: number = Date.now()): string {
  const days = idleDays(server, now);
  if (days === null) return t("servers.used.never");
  return `${t("servers.used.calls", { count: server.calls })}, ${days === 0 ? t("servers.used.today") : t("servers.used.days", { count: days })}`;
}

/** What the row says of a server of the person's that costs something and has not been used for long. */
export function idleWords(server: ServerInfo, now: number = Date.now()): string | null {
  const days = idleDays(server, now);
  if (server.kind !== "third_party" || !server.enabled || server.tokens === 0) return null;
  return days !== null && days >= LONG_DAYS ? t("servers.used.idle", { count: days }) : null;
}

/** "5 min", "3 h", "2 days": how long it has been running. */
export function uptime(startedMs: number, now: number = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - startedMs) / MINUTE_MS));
  if (minutes === 0) return t("servers.up.moment");
  if (minutes < 60) return t("servers.up.minutes", { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t("servers.up.hours", { count: hours }) : t("servers.up.days", { count: Math.floor(hours / 24) });
}

export const failedWhen = (server: ServerInfo): string =>
  server.failed_ms === null ? "" : moment(new Date(server.failed_ms));
