/** Plain text that grows, however long: what is new is appended, in stretches on sheets that are each laid out for themselves. */
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LiveText } from "../live";
import { atPause } from "../markdown/seal";

/** Characters after which a stretch ends with its line, or without a line's end with a word. */
const LINE_CHARS = 2_000;
const WORD_CHARS = 8_000;
/** Stretches on a sheet: the browser looks at every sheet in every frame, so there must be few of them. */
const STRETCHES = 16;

/** Draws a text. The element's content is this view's alone; Preact never touches it. */
export function GrowingText({ live }: { live: LiveText }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    let drawn = 0;
    let epoch = live.epoch;
    let cancel: (() => void) | null = null;
    const draw = () => {
      cancel = null;
      if (epoch !== live.epoch) {
        element.replaceChildren();
        drawn = 0;
        epoch = live.epoch;
      }
      const fresh = live.parts.slice(drawn).join("");
      drawn = live.parts.length;
      append(element, fresh);
    };
    draw();
    const stop = effect(() => {
      live.changed.value;
      cancel ??= atPause(draw);
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [live]);
  return <div ref={box} class="growing" />;
}

function append(element: HTMLElement, text: string): void {
  let rest = text;
  while (rest) {
    const last = element.lastChild?.lastChild?.firstChild as Text | null | undefined;
    const end = last ? endOf(last.length, rest) : 0;
    if (last) last.appendData(rest.slice(0, end));
    rest = rest.slice(end);
    if (!rest) return;
    sheetOf(element).appendChild(document.createElement("div")).append("");
  }
}

/** The sheet on which the next stretch stands. */
function sheetOf(element: HTMLElement): Element {
  const last = element.lastElementChild;
  if (last && last.childElementCount < STRETCHES) return last;
  return element.appendChild(document.createElement("div"));
}

/** How much of a text still belongs to a stretch that has so many characters. */
function endOf(length: number, text: string): number {
  if (length + text.length <= LINE_CHARS) return text.length;
  const from = Math.max(0, LINE_CHARS - length);
  const line = text.indexOf("\n", from);
  const word = Math.max(0, WORD_CHARS - length);
  if (line >= 0 && line < word) return line + 1;
  if (text.length <= word) return text.length;
  const space = text.indexOf(" ", word);
  return space >= 0 ? space + 1 : text.length;
}
