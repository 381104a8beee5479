/** A server while it is typed into the form, and what the form makes of it. */
import type { ServerForm } from "../../wire";
import { readArguments, readCommand, writeArguments, writeCommand } from "./command";

/** The texts of the form's fields, as typed. */
export interface Draft {
  name: string;
  command: string;
  args: string;
  cwd: string;
  env: string;
  url: string;
  headers: string;
  clientId: string;
  /** What was typed now; a saved one is never told, only that there is one. */
  clientSecret: string;
  signsIn: SignsIn;
  hasSecret: boolean;
}

/** Who signs in to a server: a person at a browser, or LeoChat alone with its id and secret. */
export type SignsIn = NonNullable<ServerForm["signs_in"]>;
/** A field that is typed into. */
export type DraftField = Exclude<keyof Draft, "hasSecret">;
/** What is wrong with a field: a key of the text table, with the line it is about. */
export type Fault =
  | { key: "servers.fault.name" }
  | { key: "servers.fault.nothing" }
  | { key: "servers.fault.quote" }
  | { key: "servers.fault.url" }
  | { key: "servers.fault.client" }
  | { key: "servers.fault.variable"; line: string }
  | { key: "servers.fault.header"; line: string };

export interface Reading {
  form: ServerForm;
  /** Program and arguments as they would be started; empty for an address. */
  words: string[];
  faults: Partial<Record<DraftField, Fault>>;
}

export const emptyDraft: Draft = {
  name: "",
  command: "",
  args: "",
  cwd: "",
  env: "",
  url: "",
  headers: "",
  clientId: "",
  clientSecret: "",
  signsIn: "person",
  hasSecret: false,
};

/** The draft that reads back as this configuration. */
export function draftOf(form: ServerForm): Draft {
  return {
    name: form.name,
    command: form.command ? writeCommand(form.command) : "",
    args: writeArguments(form.args ?? []),
    cwd: form.cwd ?? "",
    env: writePairs(form.env ?? {}, "="),
    url: form.url ?? "",
    headers: writePairs(form.headers ?? {}, ": "),
    clientId: form.client_id ?? "",
    clientSecret: "",
    signsIn: form.signs_in ?? "person",
    hasSecret: form.has_secret ?? false,
  };
}

/** Reads a draft; `form` is only to be sent where `faults` is empty. A command wins over an address. */
export function readDraft(draft: Draft): Reading {
  const faults: Reading["faults"] = {};
  const name = draft.name.trim();
  if (!name) faults.name = { key: "servers.fault.name" };
  const command = readCommand(draft.command);
  if (command.words.length === 0) return { form: readAddress(name, draft, faults), words: [], faults };
  const args = readArguments(draft.args);
  if (command.unclosed) faults.command = { key: "servers.fault.quote" };
  if (args.unclosed) faults.args = { key: "servers.fault.quote" };
  const env = readPairs(draft.env, "=");
  if (env.bad !== null) faults.env = { key: "servers.fault.variable", line: env.bad };
  const words = [...command.words, ...args.words];
  const [program = "", ...rest] = words;
  return { form: { name, command: program, args: rest, cwd: draft.cwd.trim() || null, env: env.pairs }, words, faults };
}

function readAddress(name: string, draft: Draft, faults: Reading["faults"]): ServerForm {
  const url = draft.url.trim();
  if (!url) faults.command = { key: "servers.fault.nothing" };
  else if (!isAddress(url)) faults.url = { key: "servers.fault.url" };
  const headers = readPairs(draft.headers, ":");
  if (headers.bad !== null) faults.headers = { key: "servers.fault.header", line: headers.bad };
  return { name, url, headers: headers.pairs, ...readRegistration(draft, faults) };
}

/** LeoChat's registration; the secret that is kept stays unless another is typed, and goes with its id. */
function readRegistration(draft: Draft, faults: Reading["faults"]): Partial<ServerForm> {
  const id = draft.clientId.trim();
  const secret = draft.clientSecret.trim();
  const kept = draft.hasSecret && id !== "";
  if (!id && (secret || draft.signsIn === "client")) faults.clientId = { key: "servers.fault.client" };
  if (id && draft.signsIn === "client" && !secret && !kept) faults.clientSecret = { key: "servers.fault.client" };
  return id ? { client_id: id, client_secret: secret || (kept ? null : ""), signs_in: draft.signsIn } : {};
}

/** True for a whole address: http, https, or tcp with its port. */
export function isAddress(text: string): boolean {
  if (/^tcp:\/\/[^\s/:]+:\d{1,5}$/i.test(text)) return true;
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
}

/** True where pasted text is a configuration rather than a command. */
export const isConfig = (text: string): boolean => /^\s*[{[]/.test(text) || /^\s*"mcpServers"\s*:/.test(text);

interface Pairs {
  pairs: Record<string, string>;
  /** The first line that is no pair. */
  bad: string | null;
}

const NAMES: Record<string, RegExp> = { "=": /^[^\s=]+$/, ":": /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/ };

/** One pair a line; for variables "export" before it and quotes around the value are taken off. */
export function readPairs(text: string, sign: "=" | ":"): Pairs {
  const pairs: Record<string, string> = {};
  let bad: string | null = null;
  for (const raw of text.split(/\r?\n/)) {
    const line = sign === "=" ? raw.trim().replace(/^export\s+/, "") : raw.trim();
    if (!line) continue;
    const at = line.indexOf(sign);
    const name = line.slice(0, Math.max(at, 0)).trim();
    if (at > 0 && NAMES[sign]?.test(name))
      pairs[name] = sign === "=" ? unquoted(line.slice(at + 1)) : line.slice(at + 1).trim();
    else bad ??= raw.trim();
  }
  return { pairs, bad };
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/s.exec(value.trim())?.[2] ?? value;

const writePairs = (pairs: Record<string, string>, sign: string): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${sign === "=" && unquoted(value) !== value ? `"${value}"` : value}`)
    .join("\n");

/** A name for a server that has none yet, from what it starts: "server-everything" of "@scope/server-everything@1". */
export function proposeName(words: readonly string[], url: string): string {
  if (words.length === 0) return URL.canParse(url) ? hostSlug(new URL(url)) : "";
  const [program = "", ...rest] = words;
  const thing = RUNNERS.test(program)
    ? rest.find((word) => !word.startsWith("-") && !RUNNER_WORDS.has(word))
    : rest.find(isScript);
  return slug((thing ?? program).replace(/^@[^/]+\//, "").replace(/(.)(@|==).*$/, "$1"));
}

/** A server on this computer is told apart by its port. */
const hostSlug = ({ hostname, port }: URL): string =>
  /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
    ? `local${port && `-${port}`}`
    : slug(hostname.replace(/^(?:www|mcp|api)\./, ""));

const RUNNERS = /(?:^|[\\/])(?:npx|uvx|bunx|pnpm|yarn|pipx|docker|uv)(?:\.(?:cmd|exe))?$/i;
const RUNNER_WORDS = new Set(["run", "dlx", "exec", "tool"]);
const isScript = (word: string): boolean => /\.(?:py|js|mjs|cjs|ts|sh)$/i.test(word);
const slug = (text: string): string => {
  const last = text.split(/[\\/]/).at(-1) ?? "";
  const bare = last
    .replace(/\.(?:py|js|mjs|cjs|ts|sh|exe|cmd|git)$/i, "")
    .replace(/^(?:mcp-server|server|mcp)-|-(?:mcp-server|mcp)$/g, "");
  return bare.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
};
