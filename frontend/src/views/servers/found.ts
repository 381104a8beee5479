/** Has the backend read what was pasted or picked, a moment after the last change: what it would add, or why it is nothing. */
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { ask } from "../../socket";
import { fetchOwn } from "../../token";
import type { Blank, FoundServer, ServersFound } from "../../wire";
import { wordsOf } from "../settings/tried";

/** A text, or a file that was uploaded. */
export type Source = { text: string } | { ref: string; name: string };
export type Look = ServersFound | { fault: string } | null;
/** What was filled in, by server and blank. */
export type Filled = Record<string, Record<string, string | boolean | string[]>>;

const PAUSE_MS = 250;
const TEXT_BYTES = 1_000_000;

export const asked = (source: Source): { json_text: string } | { ref: string } =>
  "ref" in source ? { ref: source.ref } : { json_text: source.text };

/** Null while there is nothing to read or it is being read. */
export function useLook(source: Source): Look {
  const [look, setLook] = useState<Look>(null);
  const key = "ref" in source ? source.ref : source.text.trim();
  useEffect(() => {
    setLook(null);
    if (key === "") return;
    let current = true;
    const timer = setTimeout(() => {
      ask({ type: "servers_find", ...asked(source) })
        .then((found) => current && setLook(found as ServersFound))
        .catch((error: unknown) => current && setLook({ fault: wordsOf(error) }));
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  return look;
}

/** A picked or dropped file: a text is pasted, anything else uploaded. Rejects with words. */
export async function sourceOf(file: File): Promise<Source> {
  const isArchive = /\.(?:mcpb|dxt|zip)$/i.test(file.name);
  if (!isArchive && file.size <= TEXT_BYTES) return { text: await file.text() };
  const form = new FormData();
  form.append("file", file, file.name || t("file.unnamed"));
  const response = await fetchOwn("/attachments", { method: "POST", body: form });
  const { ref } = (await response.json()) as { ref: string };
  return { ref, name: file.name };
}

/** The blanks as they start: what the file proposes. */
export const startOf = ({ kind, multiple, default: proposed }: Blank): string | boolean =>
  kind === "boolean" ? proposed[0] === "true" : multiple ? proposed.join("\n") : (proposed[0] ?? "");

/** The required blanks of the picked servers that are still empty. */
export function missingIn(servers: readonly FoundServer[], filled: Filled): Set<string> {
  const missing = new Set<string>();
  for (const { name, blanks } of servers)
    for (const blank of blanks) {
      const value = filled[name]?.[blank.key] ?? startOf(blank);
      if (blank.required && value === "") missing.add(`${name} ${blank.key}`);
    }
  return missing;
}

/** As the backend takes them: several values as a list. */
export function valuesOf(servers: readonly FoundServer[], filled: Filled): Filled {
  const values: Filled = {};
  for (const { name, blanks } of servers) {
    const given: Filled[string] = {};
    for (const blank of blanks) {
      const value = filled[name]?.[blank.key] ?? startOf(blank);
      given[blank.key] =
        blank.multiple && typeof value === "string" ? value.split("\n").filter((line) => line.trim() !== "") : value;
    }
    values[name] = given;
  }
  return values;
}

/** Variables written as ${NAME} that the person has to supply, other than blanks of the form. */
export function needsOf(server: FoundServer): string[] {
  const blanks = new Set(server.blanks.map(({ key }) => variableName(key)));
  const text = [...server.command, server.url ?? ""].join(" ");
  const named = [...text.matchAll(/\$\{(?:env:|input:)?([A-Za-z_][\w-]*)\}/g)].map(([, name]) => name ?? "");
  return [...new Set(named)].filter((name) => !blanks.has(name));
}

const variableName = (key: string): string =>
  key
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();

/** True where a package runner fetches a package without a fixed version. */
export function isUnpinned([program = "", ...args]: readonly string[]): boolean {
  const runner = /(?:^|[\\/])(npx|bunx|uvx)(?:\.(?:cmd|exe))?$/i.exec(program)?.[1]?.toLowerCase();
  const named = args.find((word) => !word.startsWith("-"));
  if (!runner || !named) return false;
  return runner === "uvx" ? !/(==|@)\d/.test(named) : !/.@\d/.test(named);
}
