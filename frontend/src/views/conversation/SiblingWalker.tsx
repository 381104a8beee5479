/** Walks through the alternatives at one place of the conversation: ‹ 1/2 ›. */
import type { JSX } from "preact";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import { IconButton } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";

export function SiblingWalker({
  conversation,
  messageId,
}: {
  conversation: Conversation;
  messageId: string;
}): JSX.Element | null {
  const ids = conversation.siblings.value.get(messageId);
  if (!ids || ids.length < 2) return null;
  const at = ids.indexOf(messageId);
  const busy = conversation.running.value !== null;
  const go = (id: string | undefined) => {
    if (id) ask({ type: "switch_sibling", conversation_id: conversation.id, message_id: id }).catch(complain);
  };
  return (
    <span class="siblings" data-testid="siblings">
      <IconButton
        icon="chev-l"
        label={t("message.before")}
        disabled={busy || at === 0}
        onClick={() => go(ids[at - 1])}
      />
      <span class="num">
        {at + 1}/{ids.length}
      </span>
      <IconButton
        icon="chev-r"
        label={t("message.after")}
        disabled={busy || at === ids.length - 1}
        onClick={() => go(ids[at + 1])}
      />
    </span>
  );
}
