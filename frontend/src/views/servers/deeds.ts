/** What the servers page asks of the backend; the list itself comes back by itself. */
import { t } from "../../i18n";
import { copyText } from "../../parts/clipboard";
import { confirm } from "../../parts/confirm";
import { toast } from "../../parts/toasts";
import { ask } from "../../socket";
import type {
  Remedy,
  ServerForm,
  ServerInfo,
  ServerLaunch,
  ServerReport,
  Told,
  ToolSchema,
  ToolTrial,
} from "../../wire";
import { done, tried } from "../settings/tried";
import { commandLine } from "./command";
import type { Filled } from "./found";
import { reportText } from "./report";
import { troubleOf } from "./words";

export const enable = (name: string, enabled: boolean): Promise<boolean> =>
  done(ask({ type: "servers_enable", name, enabled }));

export const signIn = (name: string): Promise<boolean> => done(ask({ type: "servers_sign_in", name }));
export const signOut = (name: string): Promise<boolean> => done(ask({ type: "servers_sign_out", name }));
export const remedy = (name: string, chosen: Remedy): Promise<boolean> =>
  done(ask({ type: "servers_remedy", name, remedy: chosen }));
export const decline = (server: ServerInfo): Promise<boolean> =>
  done(ask({ type: "servers_decline", name: server.name, hash: server.hash ?? "" }));

/** A second one of the same configuration; its name. */
export const copyOf = (name: string): Promise<string | null> =>
  tried(ask({ type: "servers_copy", name })).then((made) => (made as { name: string } | null)?.name ?? null);

/** Puts the configuration on the clipboard, without values that may be secrets. */
export async function exportToClipboard(name: string): Promise<void> {
  const read = (await tried(ask({ type: "servers_export", name }))) as { text: string } | null;
  if (read && (await copyText(read.text))) toast({ text: t("servers.exported"), tone: "success" });
}

export const schemaOf = (name: string, tool: string): Promise<ToolSchema | null> =>
  tried(ask({ type: "servers_schema", name, tool })) as Promise<ToolSchema | null>;
export const tryTool = (name: string, tool: string, given: Record<string, unknown>): Promise<ToolTrial> =>
  ask({ type: "servers_try", name, tool, arguments: given }) as Promise<ToolTrial>;

export const restart = (name: string): Promise<boolean> => done(ask({ type: "servers_restart", name }));

export const switchTool = (name: string, tool: string, enabled: boolean): Promise<boolean> =>
  done(ask({ type: "servers_tool", name, tool, enabled }));

export const grant = (
  name: string,
  granted: Partial<Record<"ui_commands" | "trusted" | "roots" | "sampling", boolean>>,
): Promise<boolean> => done(ask({ type: "servers_grant", name, ...granted }));

/** Asks first; true if it is gone. */
export async function remove(server: ServerInfo): Promise<boolean> {
  const sure = await confirm({
    title: t("servers.removeTitle", { name: server.name }),
    message: t("servers.removeText"),
    confirmText: t("servers.remove"),
    danger: true,
  });
  if (!sure || !(await done(ask({ type: "servers_remove", name: server.name })))) return false;
  await done(ask({ type: "servers_list" }));
  return true;
}

/** Accepts exactly what was shown, and starts it. */
export async function accept(server: ServerInfo): Promise<boolean> {
  if (server.hash === null) return false;
  const first = server.changes ? {} : { ui_commands: false };
  const accepted = await done(ask({ type: "servers_accept", name: server.name, hash: server.hash, ...first }));
  return accepted && (server.enabled || (await enable(server.name, true)));
}

export async function logOf(name: string): Promise<readonly string[]> {
  const read = (await tried(ask({ type: "servers_log", name }))) as { lines: string[] } | null;
  return read?.lines ?? [];
}

export const formOf = (name: string): Promise<ServerForm | null> =>
  tried(ask({ type: "servers_get", name })) as Promise<ServerForm | null>;

interface Added {
  names: string[];
  notes: Told[];
}

type Found = ({ json_text: string } | { ref: string }) & { picked: string[]; values: Filled };

/** Adds by form, or what was found in a text or file; the names that were added, in order. Rejects with the backend's words. */
export const add = (what: { server: ServerForm } | Found): Promise<Added> =>
  ask({ type: "servers_add", ...what }) as Promise<Added>;

export const update = (name: string, server: ServerForm): Promise<unknown> =>
  ask({ type: "servers_update", name, server });

/** What a test of the form would start; rejects with the backend's words. */
export const launchOf = (server: ServerForm): Promise<ServerLaunch> =>
  ask({ type: "servers_launch", server }) as Promise<ServerLaunch>;

/** Starts it apart once, exactly what was accepted by this hash, and says what came of it. */
export const test = (server: ServerForm, hash: string): Promise<ServerReport> =>
  ask({ type: "servers_test", server, hash }) as Promise<ServerReport>;

/** Puts all that is known of a server's trouble on the clipboard. */
export async function copyReport(server: ServerInfo): Promise<void> {
  const command = server.url ?? commandLine(server.command);
  const copied = await copyText(reportText(server.name, troubleOf(server), server.detail, command));
  if (copied) toast({ text: t("servers.reportCopied"), tone: "success" });
}
