/** Sending what the composer holds: at once while nothing runs, else into the queue. */
import { type Upload, uploads } from "./attachments";
import { draft } from "./drafts";
import { t } from "./i18n";
import { readAgain, rememberSent, type Template, templates } from "./material";
import { ensureConversation } from "./opening";
import { complain } from "./parts/complain";
import { toast } from "./parts/toasts";
import { scrollThread } from "./scrolling";
import { slashOf } from "./slash";
import { ask } from "./socket";

/** Whether there is something to send and all of it is here. */
export const canSend = (): boolean =>
  (draft.value.trim() !== "" || uploads.value.length > 0 || templates.value.length > 0) &&
  uploads.value.every(({ ref }) => ref !== null);

/** Sends the composer's text, files and prompts, or does what a slash command says; what could not be sent comes back. */
export async function sendDraft(): Promise<void> {
  if (!canSend()) return;
  const text = draft.value;
  const command = uploads.value.length || templates.value.length ? undefined : slashOf(text);
  if (uploads.value.some(({ stale }) => stale) && !(await upToDate())) return;
  const files = uploads.value;
  const before = templates.value;
  draft.value = "";
  if (command?.run) return command.run();
  uploads.value = [];
  templates.value = [];
  const sent = await sendAll(text, files, before);
  if (sent && command) toast({ text: t("slash.done", { name: command.name }), tone: "success" });
  if (sent) return;
  draft.value = draft.value ? `${text}\n${draft.value}` : text;
  uploads.value = [...files, ...uploads.value];
  templates.value = [...before, ...templates.value];
}

/** Resources that changed are read again first; false if one could not be, which was told. */
async function upToDate(): Promise<boolean> {
  try {
    await readAgain();
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

/** Sends a text as the person's; false if it could not be sent, which was told. */
export const sendText = (text: string): Promise<boolean> => sendAll(text, [], []);

async function sendAll(text: string, files: readonly Upload[], before: readonly Template[]): Promise<boolean> {
  try {
    const id = await ensureConversation();
    const attachments = files.flatMap(({ ref }) => (ref ? [ref] : []));
    const prompts = before.map(({ prompt }) => prompt);
    await ask({ type: "send_message", conversation_id: id, text, attachments, prompts });
    rememberSent(id, files);
    scrollThread(null, "bottom");
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}
