/** Sending what the composer holds: at once while nothing runs, else into the queue. */
import { uploads } from "./attachments";
import { draft } from "./drafts";
import { t } from "./i18n";
import { ensureConversation } from "./opening";
import { complain } from "./parts/complain";
import { toast } from "./parts/toasts";
import { scrollThread } from "./scrolling";
import { slashOf } from "./slash";
import { ask } from "./socket";

/** Whether there is something to send and all of it is here. */
export const canSend = (): boolean =>
  (draft.value.trim() !== "" || uploads.value.length > 0) && uploads.value.every(({ ref }) => ref !== null);

/** Sends the composer's text and files, or does what a slash command of the page's says; what could not be sent comes back. */
export async function sendDraft(): Promise<void> {
  if (!canSend()) return;
  const text = draft.value;
  const files = uploads.value;
  const command = files.length ? undefined : slashOf(text);
  draft.value = "";
  if (command?.run) return command.run();
  uploads.value = [];
  const sent = await sendText(
    text,
    files.flatMap(({ ref }) => (ref === null ? [] : [ref])),
  );
  if (sent && command) toast({ text: t("slash.done", { name: command.name }), tone: "success" });
  if (sent) return;
  draft.value = draft.value ? `${text}\n${draft.value}` : text;
  uploads.value = [...files, ...uploads.value];
}

/** Sends a text as the person's; false if it could not be sent, which was told. */
export async function sendText(text: string, attachments: string[] = []): Promise<boolean> {
  try {
    const id = await ensureConversation();
    await ask({ type: "send_message", conversation_id: id, text, attachments });
    scrollThread(null, "bottom");
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}
