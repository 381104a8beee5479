/** The thread's scrolling: it follows its end while one is there, keeps its place else, and draws what is near. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Conversation } from "../../conversation";
import type { MessageView } from "../../message";
import { scroller } from "../../scrolling";
import { around, earlier, lastOf, later, type Stretch } from "./drawn";

/** Nearer to the edge of what is drawn than this, more is drawn. */
const NEAR_PX = 800;
const AT_END_PX = 48;
/** A move this soon after a wheel, a finger or a key is the person's, whatever else changed meanwhile. */
const HAND_MS = 700;
const MOVING_KEYS = new Set(["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", "Tab"]);

export interface Following {
  /** The messages to draw. */
  stretch: Stretch;
  /** True when the end is out of sight. */
  away: boolean;
  onScroll: () => void;
  toEnd: () => void;
}

type Ref<T> = { current: T | null };

/** A message on show and how far below the box's top it stood. */
interface Anchor {
  id: string;
  top: number;
}

export function useFollowing(conversation: Conversation, box: Ref<HTMLElement>, column: Ref<HTMLElement>): Following {
  const messages = conversation.messages.value;
  const count = messages.length;
  // the places of this drawing; more may have moved by the time that its handlers run
  const moved = conversation.moved;
  const opened = useRef<{ of: Conversation; count: number } | null>(null);
  const since = count - moved;
  if (conversation.loaded.value && opened.current?.of !== conversation) {
    opened.current = { of: conversation, count: since };
  }
  const come = opened.current?.of === conversation ? since - opened.current.count : 0;
  // null: the end, whatever comes; `to` at the count or above goes on with it
  const [held, setHeld] = useState<Stretch | null>(null);
  // kept as the places were when the conversation came: others may come before them
  const hold = (next: Stretch | null, moved: number) => setHeld(next && shifted(next, -moved));
  const stretch = within(held && shifted(held, moved), count) ?? lastOf(messages, come);
  const whole = stretch.to >= count;
  const following = useRef(true);
  const lastTop = useRef(0);
  const lastHeight = useRef(0);
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  const anchor = useRef<Anchor | null>(null);
  const [away, setAway] = useState(false);

  const scrollToEnd = () => {
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    lastTop.current = box.current.scrollTop;
    lastHeight.current = box.current.scrollHeight;
  };
  const toEnd = () => {
    following.current = true;
    anchor.current = null;
    setAway(false);
    hold(null, moved);
    scrollToEnd();
  };
  const change = (next: Stretch) => {
    if (next.from === stretch.from && next.to === stretch.to) return;
    anchor.current = following.current ? null : anchorIn(box.current);
    hold(next.to >= count ? { from: next.from, to: Number.POSITIVE_INFINITY } : next, moved);
  };
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const was = following.current;
    // only moving up leaves the end: content that grows below, or goes above, does not
    if (whole && left < AT_END_PX) following.current = true;
    else if (element.scrollTop < lastTop.current - 1) {
      const byHand = performance.now() - handAt.current < HAND_MS;
      if (was && !byHand && element.scrollHeight !== lastHeight.current) return scrollToEnd();
      following.current = false;
    }
    lastTop.current = element.scrollTop;
    lastHeight.current = element.scrollHeight;
    setAway(!following.current);
    if (following.current && !was) hold(null, moved);
    else if (element.scrollTop < NEAR_PX && stretch.from > 0) change(earlier(messages, stretch));
    else if (left < NEAR_PX && !whole) change(later(messages, stretch));
    else if (was && !following.current) change({ ...stretch, to: Number.POSITIVE_INFINITY });
  };

  useLayoutEffect(toEnd, [conversation]);
  // what is on show keeps its place when messages come or go above it; kept for one drawing, since the person scrolls on
  useLayoutEffect(() => {
    const kept = anchor.current;
    anchor.current = null;
    const element = kept && box.current ? articleIn(box.current, kept.id) : null;
    if (!kept || !element || !box.current) return;
    box.current.scrollTop += topIn(box.current, element) - kept.top;
    lastTop.current = box.current.scrollTop;
  });
  // what is drawn must reach beyond the box, or there would be nothing to scroll to; also when more came while one waits at the top
  useEffect(() => {
    const element = box.current;
    if (!element?.clientHeight) return;
    const waits = !following.current && element.scrollTop < NEAR_PX && stretch.from > 0;
    if (!waits && element.scrollHeight - element.clientHeight >= NEAR_PX) return;
    if (stretch.from > 0) change(earlier(messages, stretch));
    else if (!whole) change(later(messages, stretch));
  }, [stretch.from, stretch.to, count]);
  useEffect(() => {
    if (!box.current || !column.current || typeof ResizeObserver === "undefined") return;
    const grown = new ResizeObserver(() => following.current && scrollToEnd());
    grown.observe(column.current);
    grown.observe(box.current);
    return () => grown.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const handMoved = (event: Event) => {
      const ownKey = !(event instanceof KeyboardEvent) || MOVING_KEYS.has(event.key);
      const scrollbar = event.type !== "pointerdown" || event.target === element;
      if (ownKey && scrollbar) handAt.current = performance.now();
    };
    const kinds = ["wheel", "touchmove", "pointerdown", "keydown"];
    for (const kind of kinds) element.addEventListener(kind, handMoved, { passive: true });
    return () => {
      for (const kind of kinds) element.removeEventListener(kind, handMoved);
    };
  }, []);
  // what the person just said is seen, also when its answer came with it
  const newest = messages.at(-1);
  const before = useRef(newest?.id);
  useLayoutEffect(() => {
    const said = newest?.role === "user" || saidSince(messages, before.current);
    before.current = newest?.id;
    if (said) toEnd();
  }, [newest]);
  useEffect(() => {
    const leaveEnd = () => {
      following.current = false;
      anchor.current = null;
      setAway(true);
    };
    const toMessage = (id: string) => {
      const all = conversation.messages.value;
      const at = all.findIndex((message) => message.id === id);
      if (at < 0) return false;
      leaveEnd();
      if (!box.current || !articleIn(box.current, id)) hold(around(all, at), conversation.moved);
      const go = () => box.current && articleIn(box.current, id)?.scrollIntoView({ block: "start" });
      requestAnimationFrame(() => requestAnimationFrame(go));
      return true;
    };
    const toTop = () => {
      leaveEnd();
      hold(around(conversation.messages.value, 0), conversation.moved);
      requestAnimationFrame(() => box.current?.scrollTo({ top: 0 }));
    };
    scroller.value = { toMessage, toEnd, toTop };
    return () => {
      scroller.value = null;
    };
  }, [conversation]);
  return { stretch, away, onScroll, toEnd };
}

/** Whether a person's message stands behind the one that was the newest; not so where that one is gone (another branch). */
function saidSince(messages: readonly MessageView[], newest: string | undefined): boolean {
  const behind = messages.slice(messages.findLastIndex(({ id }) => id === newest) + 1);
  return behind.length < messages.length && behind.some(({ role }) => role === "user");
}

const shifted = ({ from, to }: Stretch, by: number): Stretch => ({ from: from + by, to: to + by });

/** A stretch of a list that may have become shorter; null if nothing of it is left. */
function within(held: Stretch | null, count: number): Stretch | null {
  if (!held || held.from >= count) return null;
  return { from: held.from, to: Math.min(held.to, count) };
}

const topIn = (box: Element, element: Element): number =>
  element.getBoundingClientRect().top - box.getBoundingClientRect().top;

const articleIn = (box: Element, id: string): HTMLElement | null =>
  box.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`);

/** The first message that is seen. */
function anchorIn(box: HTMLElement | null): Anchor | null {
  if (!box) return null;
  const edge = box.getBoundingClientRect().top;
  for (const element of box.querySelectorAll<HTMLElement>("[data-message-id]")) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom > edge) return { id: element.dataset.messageId ?? "", top: top - edge };
  }
  return null;
}
