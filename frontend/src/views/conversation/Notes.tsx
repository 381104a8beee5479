/** Instead of a dead end: what happened, that nothing is lost, and the way on. */
import type { ComponentChildren, JSX } from "preact";
import { useNow } from "../../clock";
import type { Conversation, RetryWait } from "../../conversation";
import { openSettings } from "../../desk";
import { setInput } from "../../drafts";
import { number } from "../../format";
import { t, worded } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { IconName } from "../../icons/names";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";
import type { ErrorInfo, Message } from "../../wire";

type StopReason = Message["stop_reason"];

export function Notes({ conversation }: { conversation: Conversation }): JSX.Element | null {
  const waiting = conversation.retry.value;
  if (waiting) return <RetryNote waiting={waiting} />;
  if (conversation.running.value || !conversation.loaded.value) return null;
  return <EndNote conversation={conversation} />;
}

function RetryNote({ waiting: { retry, atMs } }: { waiting: RetryWait }): JSX.Element {
  const now = useNow(true);
  const seconds = Math.max(0, Math.ceil((atMs - now) / 1000));
  return (
    <Note icon="redo" testid="retry">
      {worded({ message: retry.reason, said: retry.said })}{" "}
      {retry.delay_ms > 0 && t("note.retry", { seconds: number(seconds), attempt: retry.attempt, of: retry.of })}
    </Note>
  );
}

function EndNote({ conversation }: { conversation: Conversation }): JSX.Element | null {
  const last = conversation.messages.value.findLast(({ role }) => role === "assistant")?.message.value;
  const ended = conversation.ended.value;
  const info = conversation.info.value;
  // what the list says holds, since others may have gone on; until it says something, what was told here
  const interrupted = info ? info.interrupted : ended && ended.reason !== "done" ? ended.reason : null;
  const of = { conversation_id: conversation.id };
  const resume = (words: string, primary = true) => (
    <Button
      small
      kind={primary ? "primary" : "secondary"}
      testid="resume"
      onClick={() => ask({ type: "resume", ...of }).catch(complain)}
    >
      {words}
    </Button>
  );
  const again = last && (
    <Button small onClick={() => ask({ type: "regenerate", ...of, message_id: last.id }).catch(complain)}>
      {t("note.again")}
    </Button>
  );
  if (interrupted === "error")
    return <ErrorNote error={ended?.error ?? last?.error ?? null}>{resume(t("note.tryAgain"))}</ErrorNote>;
  if (interrupted === "killed")
    return (
      <Note icon="clock" button={resume(t("note.resume"))}>
        {t("note.killed")}
      </Note>
    );
  if (interrupted === "cancelled")
    return (
      <Note icon="minus" button={resume(t("note.resume"), false)}>
        {t("note.cancelled")}
      </Note>
    );
  if (interrupted === "round_limit" || interrupted === "limit" || interrupted === "loop") {
    return (
      <Note icon="clock" button={resume(t("note.goOn"))}>
        {t(`note.${interrupted}`)}
      </Note>
    );
  }
  const reason = last ? endOf(last, conversation) : null;
  if (reason === "length")
    return (
      <Note icon="alert" button={resume(t("note.continue"))}>
        {t("note.length")}
      </Note>
    );
  if (reason === "content_filter" || reason === "refusal" || reason === "silent") {
    const why = last?.stop_detail;
    const edit = <EditLast conversation={conversation} />;
    return (
      <Note
        icon={reason === "silent" && !isSentence(why) ? "minus" : "shield"}
        button={
          <>
            {edit}
            {again}
          </>
        }
      >
        {reason !== "silent" && <b>{t(`note.${reason}`)} </b>}
        {reason === "silent" && !isSentence(why) ? t("note.silent") : why}
      </Note>
    );
  }
  return null;
}

/** A provider's reason in words; `stop` and its like are for programs. */
const isSentence = (detail: string | null | undefined): boolean => detail?.trim().includes(" ") ?? false;

/** `silent`: no word was said, and no card of a tool speaks in its place. */
function endOf({ stop_reason, blocks }: Message, conversation: Conversation): StopReason | "silent" {
  const said = blocks.some((block) => (block.type === "text" ? block.text.trim() !== "" : block.type !== "thinking"));
  return stop_reason === "end" && !said && !hasCard(conversation) ? "silent" : stop_reason;
}

function hasCard(conversation: Conversation): boolean {
  const all = conversation.messages.value;
  const asked = all.findLastIndex(({ role }) => role === "user");
  return all.slice(asked + 1).some(({ message }) => message.value.blocks.some(({ type }) => type === "card"));
}

/** Puts the question under the pen where it stands; what a card's button sent comes back into the composer. */
function EditLast({ conversation }: { conversation: Conversation }): JSX.Element {
  const edit = () => {
    const asked = conversation.messages.value.findLast(({ role, message }) => role === "user" && !message.value.covers)
      ?.message.value;
    if (asked && !asked.origin) {
      conversation.editing.value = asked.id;
      return;
    }
    setInput(asked?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n") ?? "", false);
  };
  return (
    <Button small icon="pencil" onClick={edit}>
      {t("message.edit")}
    </Button>
  );
}

/** Cause, cure, button. */
function ErrorNote({ error, children }: { error: ErrorInfo | null; children: ComponentChildren }): JSX.Element {
  const about = error?.kind === "auth" || error?.kind === "balance";
  const button = (
    <>
      {about && (
        <Button small onClick={() => openSettings("models")}>
          {t("note.openModels")}
        </Button>
      )}
      {children}
    </>
  );
  return (
    <Note icon={about ? "key" : "error"} tone="error" testid="task-error" button={button}>
      {error ? worded(error) : t("note.error")}
      {error?.detail && (
        <details class="error-detail">
          <summary>
            <Icon name="chev-r" class="chev" />
            {t("note.detail")}
          </summary>
          <code>{error.detail}</code>
        </details>
      )}
    </Note>
  );
}

interface NoteProps {
  icon: IconName;
  tone?: "error";
  testid?: string;
  button?: ComponentChildren;
  children: ComponentChildren;
}

function Note({ icon, tone, testid, button, children }: NoteProps): JSX.Element {
  return (
    <div class="hint-row" role="status" data-tone={tone} data-testid={testid}>
      <Icon name={icon} />
      <span class="grow">{children}</span>
      {button}
    </div>
  );
}
