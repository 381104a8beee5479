/** What the memory's page asks of the backend: every change with its way back. */
import { saveFile } from "../../actions/conversation";
import { t } from "../../i18n";
import { toast } from "../../parts/toasts";
import { type Asked, ask } from "../../socket";
import type { MemoryDone, MemoryRelation } from "../../wire";
import { done, tried } from "../settings/tried";

/** As the backend has it, so that nothing is read for naught. */
const LARGEST_FILE = 12 * 1024 * 1024;

/** True if it was done: then a notice says so and offers to take it back. */
async function changed(command: Asked, words: string): Promise<boolean> {
  const made = (await tried(ask(command))) as MemoryDone | null;
  if (made) offerUndo(words, made.undo);
  return made !== null;
}

function offerUndo(text: string, undo: string): void {
  const run = async () => {
    if (await done(ask({ type: "memory_undo", undo }))) toast({ text: t("memory.undone"), tone: "success" });
  };
  toast({ text, action: { label: t("part.undo"), run: () => void run() } });
}

export const save = (old: string | null, name: string, kind: string): Promise<boolean> =>
  changed({ type: "memory_save", old, name, kind }, t("memory.saved"));

export const addFact = (entity: string, text: string): Promise<boolean> =>
  changed({ type: "memory_fact", entity, new: text }, t("memory.saved"));

export const editFact = (entity: string, old: string, text: string): Promise<boolean> =>
  changed({ type: "memory_fact", entity, old, new: text }, t("memory.saved"));

export const forgetFact = (entity: string, old: string): Promise<boolean> =>
  changed({ type: "memory_fact", entity, old }, t("memory.forgotten", { name: old }));

export const relate = (relation: MemoryRelation): Promise<boolean> =>
  changed({ type: "memory_relate", relation }, t("memory.saved"));

export const unrelate = (relation: MemoryRelation): Promise<boolean> =>
  changed(
    { type: "memory_relate", relation, remove: true },
    t("memory.forgotten", { name: `${relation.source} ${relation.kind} ${relation.target}` }),
  );

export const forget = (name: string): Promise<boolean> =>
  changed({ type: "memory_forget", name }, t("memory.forgotten", { name }));

export const clear = (): Promise<boolean> => changed({ type: "memory_forget", name: null }, t("memory.cleared"));

/** Saves everything as a file of the person's. */
export async function exportAll(): Promise<void> {
  const file = await tried(ask({ type: "memory_export" }));
  if (file) saveFile(file.name, new Blob([file.text], { type: file.media_type }));
}

/** Adds what a file holds, and says how much of it was new. */
export async function importFile(file: File): Promise<void> {
  if (file.size > LARGEST_FILE) {
    toast({ tone: "error", text: t("memory.tooLarge") });
    return;
  }
  const made = await tried(ask({ type: "memory_import", text: await file.text() }));
  if (!made) return;
  const { entities, facts, relations } = made;
  if (entities + facts + relations === 0) toast({ text: t("memory.importedNothing") });
  else offerUndo(t("memory.imported", { entities, facts, relations }), made.undo);
}
