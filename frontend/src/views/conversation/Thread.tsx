/** The conversation's column: messages, what waits for the person, and notes; it follows its end while one is there. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import type { MessageView } from "../../message";
import { IconButton } from "../../parts/Button";
import { Skeleton } from "../../parts/Empty";
import { scroller } from "../../scrolling";
import { ApprovalView } from "./Approval";
import { ElicitationForm } from "./ElicitationForm";
import { edges, MessageArticle } from "./MessageArticle";
import { Notes } from "./Notes";
import { SamplingView } from "./SamplingView";

/** A long conversation is drawn from its end; older messages come as they are scrolled to. */
const FIRST_DRAWN = 24;
const MORE_DRAWN = 40;
const NEAR_PX = 600;
const AT_END_PX = 48;

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
  const [drawn, setDrawn] = useState(FIRST_DRAWN);
  const follow = useFollow(conversation, box, column, () => setDrawn(Number.POSITIVE_INFINITY));
  const shown = messages.slice(Math.max(0, messages.length - drawn));
  const fromEnd = useRef(0);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    follow.scrolled();
    onScrolled(element.scrollTop > 4);
    if (element.scrollTop < NEAR_PX && shown.length < messages.length) {
      fromEnd.current = element.scrollHeight - element.scrollTop;
      setDrawn(drawn + MORE_DRAWN);
    }
  };
  // older messages appear above: what is on show keeps its place
  useLayoutEffect(() => {
    if (box.current && fromEnd.current) box.current.scrollTop = box.current.scrollHeight - fromEnd.current;
    fromEnd.current = 0;
  }, [drawn]);
  // what is drawn must reach beyond the box, or there would be nothing to scroll to
  useEffect(() => {
    const element = box.current;
    if (!element?.clientHeight || shown.length === messages.length) return;
    if (element.scrollHeight - element.clientHeight < NEAR_PX) setDrawn(drawn + MORE_DRAWN);
  }, [drawn, messages.length]);
  return (
    <div ref={box} class="scroll" data-testid="thread" onScroll={onScroll}>
      <div ref={column} class="thread">
        {!conversation.loaded.value && <Skeleton />}
        {arranged(shown).map((placed, at) => (
          <MessageArticle
            key={placed.message.id}
            conversation={conversation}
            {...placed}
            last={at === shown.length - 1}
          />
        ))}
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
      </div>
      {follow.away && (
        <IconButton class="to-end" icon="down" label={t("thread.toEnd")} testid="to-end" onClick={follow.toEnd} />
      )}
    </div>
  );
}

interface Placed {
  message: MessageView;
  joined: "steps" | "answer" | "none";
  foot: boolean;
}

/** Which messages go on with the one before, and which carry the foot: the last of each answer. */
function arranged(messages: readonly MessageView[]): Placed[] {
  const placed: Placed[] = [];
  let steps = false; // whether what came before ends with a step
  for (const [at, message] of messages.entries()) {
    const { first, last, empty } = edges(message);
    const before = messages[at - 1];
    const goesOn = before !== undefined && before.role !== "user" && message.role !== "user";
    const joined = !goesOn ? "none" : empty || (steps && first) ? "steps" : "answer";
    const next = messages[at + 1];
    const ends = message.role === "assistant" && !message.open.value && (!next || next.role === "user");
    placed.push({
      message,
      joined,
      foot:
        ends && message.blocks.value.some(({ block }) => block.value.type === "text" && block.value.text.trim() !== ""),
    });
    if (!empty || !goesOn) steps = last;
  }
  return placed;
}

interface Follow {
  /** True when the end is out of sight. */
  away: boolean;
  scrolled: () => void;
  toEnd: () => void;
}

type Ref<T> = { current: T | null };

function useFollow(
  conversation: Conversation,
  box: Ref<HTMLElement>,
  column: Ref<HTMLElement>,
  drawAll: () => void,
): Follow {
  const following = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const toEnd = () => {
    following.current = true;
    setAway(false);
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    lastTop.current = box.current.scrollTop;
  };
  // only moving up leaves the end: content that grows below does not
  const scrolled = () => {
    const element = box.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (left < AT_END_PX) following.current = true;
    else if (element.scrollTop < lastTop.current - 1) following.current = false;
    lastTop.current = element.scrollTop;
    setAway(!following.current);
  };
  useLayoutEffect(toEnd, [conversation]);
  useEffect(() => {
    if (!box.current || !column.current || typeof ResizeObserver === "undefined") return;
    const grown = new ResizeObserver(() => following.current && toEnd());
    grown.observe(column.current);
    grown.observe(box.current);
    return () => grown.disconnect();
  }, []);
  // what the person just said is seen
  const newest = conversation.messages.value.at(-1);
  useLayoutEffect(() => {
    if (newest?.role === "user") toEnd();
  }, [newest]);
  useEffect(() => {
    const toMessage = (id: string) => {
      if (!conversation.messages.value.some((message) => message.id === id)) return false;
      drawAll();
      following.current = false;
      const go = () =>
        box.current?.querySelector(`[data-message-id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "start" });
      requestAnimationFrame(() => requestAnimationFrame(go));
      return true;
    };
    const toTop = () => {
      drawAll();
      requestAnimationFrame(() => box.current?.scrollTo({ top: 0 }));
    };
    scroller.value = { toMessage, toEnd, toTop };
    return () => {
      scroller.value = null;
    };
  }, [conversation]);
  return { away, scrolled, toEnd };
}
