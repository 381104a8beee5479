/** Where streamed Markdown may be sealed, where code is still open, and when to draw. */
import type { Token } from "marked";

const BLANK_END = /\n[ \t]*\n[ \t]*$/;
const RAW_END = 80;

/**
 * How many leading tokens are final: all before a block that begins after a blank line, was itself ended by a blank line, and
 * is followed by the beginning of another. One block late, because only then is it sure that the later block does not belong
 * to the earlier one (a list item after a blank line, say).
 */
export function sealable(tokens: readonly Token[]): number {
  const begins: number[] = []; // tokens that begin after a blank line
  let end = "";
  for (const [at, token] of tokens.entries()) {
    if (at > 0 && token.type !== "space" && BLANK_END.test(end)) begins.push(at);
    end = (end + token.raw).slice(-RAW_END);
  }
  return begins.at(-2) ?? 0;
}

/** The fence that opens a code block at the left margin and is not closed yet. */
export function openFence(token: Token | undefined): { head: string; mark: string; info: string } | null {
  if (token?.type !== "code") return null;
  const head = /^(`{3,}|~{3,})([^\n]*)\n/.exec(token.raw);
  if (!head?.[1]) return null;
  const last = token.raw.slice(head[0].length).trimEnd().split("\n").at(-1) ?? "";
  return closesFence(last, head[1]) ? null : { head: head[0], mark: head[1], info: head[2] ?? "" };
}

/** True if a line ends the code block that `mark` began. */
export function closesFence(line: string, mark: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found[0] === mark[0] && found.length >= mark.length;
}

/** True if a line without its end may yet become a closing fence. */
export const mayCloseFence = (line: string): boolean => /^ {0,3}(?:`*|~*)[ \t]*$/.test(line);

/** Runs before the next frame; in a hidden page, where there are none, twice a second. Returns how to call it off. */
export function atPause(run: () => void): () => void {
  if (document.visibilityState === "hidden") {
    const timer = setTimeout(run, 500);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
