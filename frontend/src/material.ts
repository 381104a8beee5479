/** Servers' prompts and resources: what is offered, what goes with the message being written, and what changed meanwhile. */
import { computed, effect, signal } from "@preact/signals";
import { detach, uploads } from "./attachments";
import { currentId, servers } from "./desk";
import { t } from "./i18n";
import { complain } from "./parts/complain";
import { toast } from "./parts/toasts";
import { ask, link } from "./socket";
import type {
  FilledPrompt,
  LinkedResource,
  Listed,
  MaterialChanged,
  PromptInfo,
  ReadContent,
  ResourceInfo,
} from "./wire";

/** A filled-in prompt in the composer. */
export interface Template {
  key: number;
  prompt: FilledPrompt;
}

/** Which resource something was read from, for reading it again. */
export interface Source {
  server: string;
  uri: string;
}

/** The servers' prompts, for slash commands and the picker. */
export const prompts = signal<readonly Listed[]>([]);

/** The servers' resources; null until somebody looks. */
export const resources = signal<readonly Listed[] | null>(null);

/** Prompts that go before the message being written. */
export const templates = signal<readonly Template[]>([]);

/** The prompt whose arguments are being asked for. */
export const askedPrompt = signal<PromptInfo | null>(null);

/** The resource or pattern on show in the reader. */
export const shownResource = signal<ResourceInfo | null>(null);

/** What the resource on show holds, where it came along with a result. */
export const heldText = signal<string | null>(null);

/** Whether the picker is open. */
export const pickerOpen = signal(false);

let count = 0;
/** What was sent from a resource, by conversation: one that changes is offered again. */
const sentSources = new Map<string, Map<string, { source: Source; name: string }>>();
const keyOf = ({ server, uri }: Source): string => JSON.stringify([server, uri]);

const readyServers = computed(() =>
  (servers.value ?? [])
    .filter(({ state }) => state === "ready")
    .map(({ name, started_ms }) => `${name} ${started_ms}`)
    .join("\n"),
);

/** Keeps the list of prompts as the running servers have it. */
export function followMaterial(): void {
  effect(() => {
    if (link.value !== "open" || readyServers.value === "") return;
    void loadPrompts();
    if (resources.peek() !== null) void loadResources();
  });
}

export const loadPrompts = (): Promise<void> =>
  ask({ type: "prompts_list" }).then(({ servers: found }) => {
    prompts.value = found;
  }, complain);

export const loadResources = (): Promise<void> =>
  ask({ type: "resources_list" }).then(({ servers: found }) => {
    resources.value = found;
  }, complain);

/** A server's prompts or resources are not what they were. */
export function materialChanged({ server, what, uri }: MaterialChanged): void {
  if (what === "prompts") void loadPrompts();
  else if (what === "resources") {
    if (resources.peek() !== null) void loadResources();
  } else if (uri !== null) resourceChanged({ server, uri });
}

/** Marks what came from it, and brings back what this conversation was sent of it. */
function resourceChanged(changed: Source): void {
  const same = (source: Source | undefined) =>
    source?.server === changed.server && (source.uri === changed.uri || changed.uri.startsWith(source.uri));
  if (uploads.value.some(({ source }) => same(source))) {
    uploads.value = uploads.value.map((each) => (same(each.source) ? { ...each, stale: true } : each));
    return;
  }
  const sent = [...(sentSources.get(currentId.value ?? "")?.values() ?? [])].find(({ source }) => same(source));
  if (!sent) return;
  count += 1;
  uploads.value = [
    ...uploads.value,
    { key: -count, name: sent.name, size: 0, ref: "", source: sent.source, stale: true },
  ];
  toast({ text: t("material.changedSent", { name: sent.name }) });
}

/** Reads a resource and puts it into the composer; false if it could not be had, which was told. */
export async function attachResource(
  info: ResourceInfo,
  given: Record<string, string> | null = null,
): Promise<boolean> {
  try {
    const { contents } = await ask({ type: "resource_attach", server: info.server, uri: info.uri, arguments: given });
    attachContents(info.server, contents);
    void followAll(
      info.server,
      contents.map(({ uri }) => uri),
    );
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Attaches a resource; a pattern is filled in first. */
export function pickResource(info: ResourceInfo): void {
  if (info.template) shownResource.value = info;
  else void attachResource(info);
}

/** What was attached is followed where its server tells of changes; where it does not, nothing is lost. */
async function followAll(server: string, uris: readonly string[]): Promise<void> {
  if (!resources.value?.find((listed) => listed.server === server)?.follows) return;
  const asked = uris.map((uri) => ask({ type: "resource_follow", server, uri, follow: true }));
  await Promise.allSettled(asked);
  await loadResources();
}

/** Shows a resource that a result named; one that came along is not asked for again. */
export function readLink(server: string, link: LinkedResource): void {
  heldText.value = link.ref;
  shownResource.value = {
    server,
    uri: link.uri,
    name: link.name,
    title: null,
    description: link.description ?? "",
    media_type: link.media_type,
    size: null,
    template: false,
    arguments: [],
    fault: null,
  };
}

/** Puts what was read into the composer. */
export function attachContents(server: string, contents: readonly ReadContent[]): void {
  for (const { attachment, uri } of contents) {
    count += 1;
    const { name, size, ref } = attachment;
    uploads.value = [...uploads.value, { key: -count, name, size, ref, source: { server, uri } }];
  }
}

/** Reads again what changed since it was attached. Rejects if that fails: then nothing is sent. */
export async function readAgain(): Promise<void> {
  for (const each of uploads.value) {
    if (!(each.stale && each.source)) continue;
    const { server, uri } = each.source;
    const { contents } = await ask({ type: "resource_attach", server, uri, arguments: null });
    detach(each.key);
    attachContents(server, contents);
  }
}

/** Remembers what goes out with a message of this conversation. */
export function rememberSent(
  conversationId: string,
  sent: readonly { name: string; source?: Source | undefined }[],
): void {
  const known = sentSources.get(conversationId) ?? new Map<string, { source: Source; name: string }>();
  for (const { name, source } of sent) if (source) known.set(keyOf(source), { source, name });
  sentSources.set(conversationId, known);
}

/** Puts a filled prompt before the message being written. */
export function addTemplate(prompt: FilledPrompt): void {
  count += 1;
  templates.value = [...templates.value, { key: count, prompt }];
}

export function removeTemplate(key: number): void {
  templates.value = templates.value.filter((each) => each.key !== key);
}

/** Begins to use a prompt: one without arguments goes into the composer at once. */
export function usePrompt(info: PromptInfo): void {
  if (info.arguments.length > 0) {
    askedPrompt.value = info;
    return;
  }
  ask({ type: "prompt_fill", server: info.server, name: info.name, arguments: {} }).then(addTemplate, complain);
}

/** A text that has no spaces, as the name of a command must be. */
export const commandName = ({ server, name }: PromptInfo): string => `${server}:${name}`.replace(/\s+/g, "_");

/** Whether all words of a query are in a text. */
export const fits = (query: string, ...texts: readonly (string | null)[]): boolean => {
  const all = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
