/** The page of a conversation: header, thread or welcome, and the dock that never moves. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { attach } from "../../attachments";
import type { Conversation } from "../../conversation";
import { allowDropped, takeDropped } from "../../folders";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { shown } from "../../opening";
import { Toasts } from "../../parts/Toasts";
import { link } from "../../socket";
import { Announcer } from "./Announcer";
import { Composer } from "./Composer";
import { Header } from "./Header";
import { Queue } from "./Queue";
import { StatusLine } from "./StatusLine";
import { Thread } from "./Thread";
import { Welcome } from "./Welcome";

export function ConversationPage(): JSX.Element {
  const conversation = shown.value;
  const [scrolled, setScrolled] = useState(false);
  const [over, setOver] = useState(false);
  const empty = isEmpty(conversation);
  useEffect(() => setScrolled(false), [conversation]);
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  return (
    <main
      class={`main${over ? " drop" : ""}`}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => event.target === event.currentTarget && setOver(false)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setOver(false);
        const { folders, files, all } = takeDropped(event.dataTransfer);
        void attach(files);
        if (folders.length > 0) void allowDropped(folders, all);
      }}
    >
      <Header conversation={conversation} scrolled={scrolled} />
      <Toasts />
      {conversation && !empty ? (
        <Thread key={conversation.id} conversation={conversation} onScrolled={setScrolled} />
      ) : (
        <div class="scroll">
          <div class="middle">
            <Welcome />
          </div>
        </div>
      )}
      <div class="dock">
        <Line />
        {conversation && <Queue conversation={conversation} />}
        <Composer conversation={conversation} />
        <StatusLine conversation={conversation} />
      </div>
      {conversation && <Announcer conversation={conversation} />}
    </main>
  );
}

/** Loaded, and nothing said yet. */
function isEmpty(conversation: Conversation | null): boolean {
  return (
    !conversation ||
    (conversation.loaded.value && conversation.messages.value.length === 0 && conversation.running.value === null)
  );
}

/** The broken line to the backend, in words. */
function Line(): JSX.Element | null {
  if (link.value !== "waiting") return null;
  return (
    <div class="hint-row line-note" role="status" data-testid="link-lost">
      <Icon name="alert" />
      <span class="grow">{t("link.waiting")}</span>
    </div>
  );
}
