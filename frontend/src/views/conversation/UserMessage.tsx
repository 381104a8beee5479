/** What the person said: a bubble that can be copied and edited; or a chip for what a card's button sent. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { AttachedFile, AttachedImage } from "../../blocks/Attachment";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { MessageView } from "../../message";
import { Button, IconButton } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";
import type { Origin } from "../../wire";
import { SiblingWalker } from "./SiblingWalker";

interface UserMessageProps {
  conversation: Conversation;
  message: MessageView;
  last: boolean;
}

export function UserMessage({ conversation, message }: UserMessageProps): JSX.Element {
  const [editing, setEditing] = useState(false);
  const { blocks, origin } = message.message.value;
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
      {origin ? (
        <FromCard origin={origin} text={text} />
      ) : editing ? (
        <EditBox conversation={conversation} message={message} text={text} onEnd={() => setEditing(false)} />
      ) : (
        text && <div class="said">{text}</div>
      )}
      <div class="msg-foot said-foot">
        {!origin && !editing && text && (
          <span class="on-hover">
            <CopyButton text={() => text} />
            <IconButton
              icon="pencil"
              label={t("message.edit")}
              testid="edit-message"
              onClick={() => setEditing(true)}
            />
          </span>
        )}
        <SiblingWalker conversation={conversation} messageId={message.id} />
      </div>
    </article>
  );
}

/** The button's label, and the whole text that was sent: one click away, always on show for servers of others. */
function FromCard({ origin, text }: { origin: Origin; text: string }): JSX.Element {
  const line = (
    <>
      <Icon name="card" />
      <b>{origin.label}</b>
      {origin.server && <span class="whom">{t("message.fromCard", { server: origin.server })}</span>}
    </>
  );
  if (!text || text === origin.label) {
    return (
      <div class="via" data-server={origin.server}>
        <div class="via-line">{line}</div>
      </div>
    );
  }
  return (
    <details class="via" data-server={origin.server} open={!origin.bundled}>
      <summary title={t("message.showSent")}>{line}</summary>
      <div class="sent">{text}</div>
    </details>
  );
}

interface EditBoxProps {
  conversation: Conversation;
  message: MessageView;
  text: string;
  onEnd: () => void;
}

function EditBox({ conversation, message, text, onEnd }: EditBoxProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(text);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  const send = () => {
    onEnd();
    if (!words.trim() || words === text) return;
    ask({ type: "edit_message", conversation_id: conversation.id, message_id: message.id, text: words }).catch(
      complain,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") onEnd();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      class="said edit-box"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={area}
        class="in"
        rows={Math.min(8, words.split("\n").length + 1)}
        aria-label={t("message.edit")}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="acts">
        <Button submit kind="primary" small>
          {t("message.sendEdited")}
        </Button>
        <Button small onClick={onEnd}>
          {t("part.cancel")}
        </Button>
      </div>
    </form>
  );
}
