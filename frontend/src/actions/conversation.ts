/** What can be done with a whole conversation: rename, pin, export, delete with a way back. */
import { conversations } from "../desk";
import { focusAsked } from "../drafts";
import { t } from "../i18n";
import { openConversation, shown, startEmpty } from "../opening";
import { complain } from "../parts/complain";
import { toast } from "../parts/toasts";
import { ask } from "../socket";

/** Saves a conversation as a file of the person's. */
export async function exportConversation(id: string, format: "markdown" | "json"): Promise<void> {
  try {
    const file = await ask({ type: "export_conversation", conversation_id: id, format });
    saveFile(file.name, new Blob([file.text], { type: file.media_type }));
  } catch (error) {
    complain(error);
  }
}

/** Hands bytes to the browser's download. */
export function saveFile(name: string, bytes: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Takes a conversation out of the list at once, and offers to bring it back. */
export async function removeConversation(id: string): Promise<void> {
  const row = conversations.value?.find((each) => each.id === id);
  const wasShown = shown.value?.id === id;
  try {
    await ask({ type: "delete", conversation_id: id });
  } catch (error) {
    return complain(error);
  }
  conversations.value = conversations.value?.filter((each) => each.id !== id) ?? null;
  if (wasShown) startEmpty();
  focusAsked.value += 1; // what had the focus is gone with it
  toast({
    text: t("list.deleted", { title: row?.title || t("list.untitled") }),
    icon: "trash",
    action: { label: t("part.undo"), run: () => void restore(id, wasShown) },
  });
}

async function restore(id: string, show: boolean): Promise<void> {
  try {
    await ask({ type: "undelete", conversation_id: id });
    await ask({ type: "list_conversations" });
    if (show) openConversation(id);
    focusAsked.value += 1;
  } catch (error) {
    complain(error);
  }
}

export const renameConversation = (id: string, title: string): Promise<unknown> =>
  ask({ type: "rename", conversation_id: id, title }).catch(complain);

export const pinConversation = (id: string, pinned: boolean): Promise<unknown> =>
  ask({ type: "set_conversation", conversation_id: id, options: { pinned } }).catch(complain);
