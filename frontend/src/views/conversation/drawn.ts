/** Which messages of a long conversation are drawn: those around what is on show, so that any length opens and scrolls alike. */
import type { MessageView } from "../../message";

/** From an index up to another, which is left out. */
export interface Stretch {
  from: number;
  to: number;
}

type Messages = readonly MessageView[];

/** Messages drawn at the end, added at an edge, and drawn at all; and the same in characters, for long answers. */
const FIRST = { count: 12, chars: 300_000 };
const MORE = { count: 24, chars: 400_000 };
const MOST = { count: 120, chars: 2_000_000 };
/** Messages before one that is gone to. */
const BEFORE = 8;

/** Messages that a person has seen come stay drawn, up to as many. */
const KEPT = 24;

/** The end of a conversation, to which `come` messages were added since it was opened. */
export const lastOf = (messages: Messages, come: number): Stretch => ({
  from: reach(messages, messages.length, -1, { ...FIRST, count: Math.min(KEPT, FIRST.count + Math.max(0, come)) }),
  to: messages.length,
});

/** With older messages; those far below go. */
export function earlier(messages: Messages, { from, to }: Stretch): Stretch {
  const first = reach(messages, from, -1, MORE);
  return { from: first, to: Math.min(to, reach(messages, first, 1, MOST)) };
}

/** With newer messages; those far above go. */
export function later(messages: Messages, { from, to }: Stretch): Stretch {
  const end = reach(messages, to, 1, MORE);
  return { from: Math.max(from, reach(messages, end, -1, MOST)), to: end };
}

/** A message with some before it and more after it. */
export function around(messages: Messages, index: number): Stretch {
  const from = Math.max(0, index - BEFORE);
  return { from, to: reach(messages, index, 1, MORE) };
}

/** The index up to which a stretch may go from `start` in a direction: at least two messages, then as much as `limit` has room for. */
function reach(messages: Messages, start: number, way: 1 | -1, limit: typeof MORE): number {
  let at = start;
  let count = 0;
  let chars = 0;
  while (count < limit.count && (count < 2 || chars < limit.chars)) {
    const message = messages[way > 0 ? at : at - 1];
    if (!message) break;
    for (const { live } of message.blocks.peek()) chars += live.length;
    count += 1;
    at += way;
  }
  return at;
}
