/** Where the model goes on from a summary: a quiet line that opens to it; what was said above stays on show. */
import type { JSX } from "preact";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Markdown } from "../../markdown/Markdown";
import type { MessageView } from "../../message";
import { Button } from "../../parts/Button";
import { EditBox } from "./EditBox";
import { SiblingWalker } from "./SiblingWalker";

export function Summary({ conversation, message }: { conversation: Conversation; message: MessageView }): JSX.Element {
  const editing = conversation.editing.value === message.id;
  const pen = (on: boolean) => () => {
    conversation.editing.value = on ? message.id : null;
  };
  const text = message.blocks.value.flatMap(({ block, live }) => (block.value.type === "text" ? [live.text] : []));
  return (
    <article class="msg" data-testid="message" data-role="summary" data-message-id={message.id}>
      <div class="steps">
        <details class="step summary" data-testid="summary">
          <summary>
            <span class="sign">
              <Icon name="archive" />
            </span>
            <span class="grow">{t("message.summary")}</span>
            <Icon name="chev-r" class="chev" />
          </summary>
          <div class="open">
            {editing ? (
              <EditBox conversation={conversation} message={message} text={text.join("\n\n")} onEnd={pen(false)} />
            ) : (
              <>
                {message.blocks.value.map((view) => (
                  <Markdown key={view.key} small source={view.live} />
                ))}
                <div class="acts">
                  <Button small icon="pencil" testid="edit-summary" onClick={pen(true)}>
                    {t("message.edit")}
                  </Button>
                  <SiblingWalker conversation={conversation} messageId={message.id} />
                </div>
              </>
            )}
          </div>
        </details>
      </div>
    </article>
  );
}
