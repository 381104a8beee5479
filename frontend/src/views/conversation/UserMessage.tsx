/** What the person said: a bubble that can be copied and edited; or a chip for what a card's button sent. */
import type { JSX } from "preact";
import { AttachedFile, AttachedImage } from "../../blocks/Attachment";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import type { MessageView } from "../../message";
import { IconButton } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { EditBox } from "./EditBox";
import { FromCard } from "./FromCard";
import { FromPrompt } from "./FromPrompt";
import { Recalled } from "./Recalled";
import { SiblingWalker } from "./SiblingWalker";

interface UserMessageProps {
  conversation: Conversation;
  message: MessageView;
  last: boolean;
}

export function UserMessage({ conversation, message }: UserMessageProps): JSX.Element {
  const editing = conversation.editing.value === message.id;
  const edit = (on: boolean) => {
    conversation.editing.value = on ? message.id : null;
  };
  const { blocks, origin, recalled } = message.message.value;
  const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  const attached = blocks.filter((block) => block.type === "image" || block.type === "file");
  return (
    <article
      class="msg"
      data-testid="message"
      data-role="user"
      data-message-id={message.id}
      aria-label={t("message.yours")}
    >
      {attached.length > 0 && (
        <div class="attached-row">
          {attached.map((block) =>
            block.type === "image" ? (
              <AttachedImage key={block.ref} block={block} />
            ) : (
              <AttachedFile key={block.ref} block={block} />
            ),
          )}
        </div>
      )}
      {origin?.prompt ? (
        text && (
          <div class="said from-prompt">
            <FromPrompt origin={origin} />
            {text}
          </div>
        )
      ) : origin ? (
        <FromCard origin={origin} text={text} />
      ) : editing ? (
        <EditBox conversation={conversation} message={message} text={text} onEnd={() => edit(false)} />
      ) : (
        text && <div class="said">{text}</div>
      )}
      {recalled.length > 0 && !editing && <Recalled lines={recalled} />}
      <div class="msg-foot said-foot">
        {!origin && !editing && text && (
          <span class="on-hover">
            <CopyButton text={() => text} />
            <IconButton icon="pencil" label={t("message.edit")} testid="edit-message" onClick={() => edit(true)} />
          </span>
        )}
        <SiblingWalker conversation={conversation} messageId={message.id} />
      </div>
    </article>
  );
}
