/** Tells screen readers what is new: a finished answer, a question that waits. */
import type { JSX } from "preact";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";

const MOST_CHARS = 600;

export function Announcer({ conversation }: { conversation: Conversation }): JSX.Element {
  return (
    <div class="sr-only" aria-live="polite" data-testid="announcer">
      {words(conversation)}
    </div>
  );
}

function words(conversation: Conversation): string {
  const asked = conversation.approvals.value[0];
  const folders = asked?.folder ? [asked.folder, ...asked.more_folders] : [];
  const several = folders.length > 1;
  if (asked?.folder && asked.reason === "folder")
    return `${t(several ? "ask.folder.titleMany" : "ask.folder.title")} ${folders.join(", ")}`;
  if (asked) {
    const question = t("ask.title", { tool: asked.call.tool ?? asked.call.name });
    const also = t(several ? "ask.folder.alsoMany" : "ask.folder.also");
    return asked.folder ? `${question} ${also} ${folders.join(", ")}` : question;
  }
  if (conversation.running.value) return t("status.working");
  if (!conversation.ended.value) return "";
  const last = conversation.messages.value.findLast(({ role }) => role === "assistant")?.message.value;
  const text = last?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ") ?? "";
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}
