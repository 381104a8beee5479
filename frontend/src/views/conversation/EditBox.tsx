/** The box in which what was said is said anew. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import type { MessageView } from "../../message";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";

interface EditBoxProps {
  conversation: Conversation;
  message: MessageView;
  text: string;
  onEnd: () => void;
}

/** A message of the person's, or a summary, under the pen. */
export function EditBox({ conversation, message, text, onEnd }: EditBoxProps): JSX.Element {
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
