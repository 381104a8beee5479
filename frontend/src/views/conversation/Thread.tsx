/** The conversation's column: messages, what waits for the person, and notes; it follows its end while one is there. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import type { MessageView } from "../../message";
import { IconButton } from "../../parts/Button";
import { Skeleton } from "../../parts/Empty";
import { ApprovalView } from "./Approval";
import type { Stretch } from "./drawn";
import { ElicitationForm } from "./ElicitationForm";
import { useFollowing } from "./following";
import { edges, MessageArticle } from "./MessageArticle";
import { Notes } from "./Notes";
import { SamplingView } from "./SamplingView";

export function Thread({
  conversation,
  onScrolled,
}: {
  conversation: Conversation;
  onScrolled: (under: boolean) => void;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const messages = conversation.messages.value;
  const { stretch, away, onScroll, toEnd } = useFollowing(conversation, box, column);
  const scrolled = () => {
    onScroll();
    if (box.current) onScrolled(box.current.scrollTop > 4 || stretch.from > 0);
  };
  return (
    <div ref={box} class={away ? "scroll" : "scroll following"} data-testid="thread" onScroll={scrolled}>
      <div ref={column} class="thread">
        {!conversation.loaded.value && <Skeleton />}
        {arranged(messages, stretch).map((placed) => (
          <MessageArticle
            key={placed.message.id}
            conversation={conversation}
            {...placed}
            last={placed.message === messages.at(-1)}
          />
        ))}
        {stretch.to >= messages.length && <Waiting conversation={conversation} />}
      </div>
      {away && <IconButton class="to-end" icon="down" label={t("thread.toEnd")} testid="to-end" onClick={toEnd} />}
    </div>
  );
}

/** What stands at the end: questions that wait for the person, and notes. */
function Waiting({ conversation }: { conversation: Conversation }): JSX.Element {
  return (
    <>
      {conversation.approvals.value.map((asked) => (
        <ApprovalView key={asked.call.id} conversation={conversation} asked={asked} />
      ))}
      {conversation.elicitations.value.map((asked) => (
        <ElicitationForm key={asked.request_id} asked={asked} />
      ))}
      {conversation.samplings.value.map((sampling) => (
        <SamplingView key={sampling.request_id} sampling={sampling} />
      ))}
      <Notes conversation={conversation} />
    </>
  );
}

interface Placed {
  message: MessageView;
  joined: "steps" | "answer" | "none";
  foot: boolean;
  answer: string;
}

/** Which messages go on with the one before, and which carry the foot: the last of each answer. */
function arranged(messages: readonly MessageView[], { from, to }: Stretch): Placed[] {
  const placed: Placed[] = [];
  let steps = false; // whether what came before ends with a step
  for (let at = from; at < to; at += 1) {
    const message = messages[at];
    if (!message) break;
    const { first, last, empty } = edges(message);
    const before = at > from ? messages[at - 1] : undefined;
    const goesOn = before !== undefined && before.role !== "user" && message.role !== "user";
    const joined = !goesOn ? "none" : empty || (steps && first) ? "steps" : "answer";
    const next = messages[at + 1];
    const ends = message.role === "assistant" && !message.open.value && (!next || next.role === "user");
    const foot =
      ends && message.blocks.value.some(({ block }) => block.value.type === "text" && block.value.text.trim() !== "");
    placed.push({ message, joined, foot, answer: foot ? firstOf(messages, at).id : message.id });
    if (!empty || !goesOn) steps = last;
  }
  return placed;
}

/** The first message of the answer that ends at an index; it may stand before the stretch that is drawn. */
function firstOf(messages: readonly MessageView[], end: number): MessageView {
  let first = messages[end] as MessageView;
  for (let at = end - 1; at >= 0; at -= 1) {
    const before = messages[at];
    if (!before) break;
    if (before.message.value.covers) continue; // a summary amid the answer
    if (before.role === "user") break;
    first = before;
  }
  return first;
}
