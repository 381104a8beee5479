/** What waits its turn, on the composer's top edge. */
import type { JSX } from "preact";
import type { Conversation } from "../../conversation";
import { setInput } from "../../drafts";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";
import type { QueuedMessage } from "../../wire";

export function Queue({ conversation }: { conversation: Conversation }): JSX.Element {
  return (
    <>
      {conversation.queue.value.map((queued) => (
        <Queued key={queued.id} conversationId={conversation.id} queued={queued} />
      ))}
    </>
  );
}

function Queued({ conversationId, queued }: { conversationId: string; queued: QueuedMessage }): JSX.Element {
  const of = { conversation_id: conversationId, queued_id: queued.id };
  const remove = () => ask({ type: "queue_remove", ...of }).catch(complain);
  // edited in the composer, where there is room for it
  const edit = async () => {
    await remove();
    setInput(queued.text, true);
  };
  return (
    <div class="queue" data-testid="queued">
      <Icon name="queue" />
      <span class="label">{t("queue.next")}</span>
      <span class="cut grow">{queued.label ?? queued.text}</span>
      <Button kind="quiet" small onClick={() => ask({ type: "send_now", ...of }).catch(complain)}>
        {t("queue.now")}
      </Button>
      {queued.label === null && <IconButton icon="pencil" label={t("message.edit")} onClick={edit} />}
      <IconButton icon="x" label={t("queue.remove")} onClick={remove} />
    </div>
  );
}
