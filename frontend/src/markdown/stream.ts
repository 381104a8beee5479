/** Markdown drawn while it is written: finished blocks are sealed and never touched again, only the tail is read anew. */
import type { Token } from "marked";
import { block } from "./block";
import { OpenCode } from "./code";
import type { Drawing } from "./inline";
import { type Definitions, lex, noDefinitions } from "./lex";
import { morph } from "./nodes";
import { atPause, closesFence, mayCloseFence, openFence, sealable } from "./seal";
import { Sheets } from "./sheets";

/** Text taken in at once, and milliseconds spent before the page gets a turn. */
const SLICE_CHARS = 3000;
const BUDGET_MS = 6;
/** No definition is without it. */
const DEFINES = "]:";

interface Drawn {
  raw: string;
  node: Node | null;
}

/** An open fence: what is drawn of it, its mark, and a last line that may yet close it. */
interface OpenStretch {
  open: OpenCode;
  fence: string;
  unread: string;
}

/** A tail as it was read last: what it came to, and the definitions known by its end. */
interface Read {
  tail: string;
  tokens: Token[];
  links: Definitions;
}

/** A sealed stretch whose brackets a later definition might still turn into links. */
interface Sealed {
  source: string;
  nodes: Node[];
}

/** Writes Markdown into an element as it arrives. The final page is the one a single `append` would have given. */
export class StreamingMarkdown {
  private pending = "";
  private tail = "";
  private drawn: Drawn[] = [];
  private code: OpenStretch | null = null;
  private definitions = noDefinitions();
  private drawnLinks = "";
  private bracketed: Sealed[] = [];
  private read: Read | null = null;
  private ended = false;
  private cancel: (() => void) | null = null;
  private restUntil = 0;
  private readonly sheets: Sheets;

  constructor(
    element: HTMLElement,
    private readonly drawing: Drawing,
  ) {
    this.sheets = new Sheets(element);
  }

  /** Takes more text; it is drawn with the next frame. */
  append(text: string): void {
    if (!text) return;
    this.pending += text;
    this.schedule();
  }

  /** No more text will come but `last`: draws the rest, at once if that is quick, else over some frames. */
  finish(last = ""): void {
    this.pending += last;
    this.ended = true;
    this.work(performance.now() + BUDGET_MS);
  }

  /** Draws everything now, however long it takes. */
  flush(): void {
    this.work(Number.POSITIVE_INFINITY);
  }

  /** Empties the element and starts again. */
  reset(): void {
    this.dispose();
    this.sheets.clear();
    this.pending = this.tail = this.drawnLinks = "";
    this.drawn = [];
    this.code = null;
    this.definitions = noDefinitions();
    this.bracketed = [];
    this.read = null;
    this.ended = false;
  }

  /** Forgets what was planned. */
  dispose(): void {
    this.cancel?.();
    this.cancel = null;
  }

  private schedule(): void {
    if (this.cancel) return;
    this.cancel = atPause(() => {
      this.cancel = null;
      if (performance.now() < this.restUntil && !this.ended) this.schedule();
      else this.work(performance.now() + BUDGET_MS);
    });
  }

  private work(deadline: number): void {
    this.dispose();
    const began = performance.now();
    while (this.pending) {
      const slice = this.nextSlice();
      if (!slice) return;
      this.take(slice);
      if (!this.pending || performance.now() <= deadline) continue;
      this.schedule();
      return;
    }
    // a tail that is slow to read (one endless list) is read less often, so that the page stays free
    const spent = performance.now() - began;
    this.restUntil = spent > BUDGET_MS ? performance.now() + 4 * spent : 0;
    if (this.ended) this.close();
  }

  /** The next stretch of text with plain line ends; a carriage return at the very end waits for what follows. */
  private nextSlice(): string {
    let end = Math.min(this.pending.length, SLICE_CHARS);
    if (this.pending[end - 1] === "\r" && (end < this.pending.length || !this.ended)) end -= 1;
    const slice = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    return slice.replace(/\r\n?/g, "\n");
  }

  private take(text: string): void {
    let rest = text;
    while (rest) rest = this.code ? this.takeCode(this.code, rest) : this.takeText(rest);
  }

  /** Reads the tail anew with more text. What stands in an open fence is handed back, for `takeCode`. */
  private takeText(text: string): string {
    this.tail += text;
    const links = Object.assign(noDefinitions(), this.definitions);
    const tokens = lex(this.tail, links);
    const fence = openFence(tokens.at(-1));
    this.draw(fence ? tokens.slice(0, -1) : tokens, links);
    const sealed = this.seal(tokens);
    this.read = fence ? null : { tail: this.tail, tokens: tokens.slice(sealed), links };
    if (!fence) return "";
    const open = new OpenCode(fence.info);
    this.sheets.append(open.element);
    this.code = { open, fence: fence.mark, unread: "" };
    const inside = (tokens.at(-1)?.raw ?? "").slice(fence.head.length);
    this.tail = this.tail.slice(0, this.tail.length - inside.length);
    return inside;
  }

  /** Code in an open fence is text to the letter until a line closes it; then the whole block is read once. */
  private takeCode(code: OpenStretch, text: string): string {
    const lines = code.unread + text;
    let at = 0;
    for (let end = lines.indexOf("\n"); end >= 0; end = lines.indexOf("\n", at)) {
      if (closesFence(lines.slice(at, end), code.fence)) return this.endCode(lines, at);
      at = end + 1;
    }
    const known = mayCloseFence(lines.slice(at)) ? at : lines.length;
    code.open.append(lines.slice(0, known));
    this.tail += lines.slice(0, known);
    code.unread = lines.slice(known);
    return "";
  }

  private endCode(lines: string, at: number): string {
    this.code?.open.element.remove();
    this.code = null;
    this.tail += lines.slice(0, at);
    return lines.slice(at);
  }

  /** Draws the tail: unchanged blocks stay, changed ones take their new shape, the rest is made or goes. */
  private draw(tokens: readonly Token[], links: object): void {
    const known = JSON.stringify(links);
    let at = 0;
    if (known === this.drawnLinks) while (tokens[at] && tokens[at]?.raw === this.drawn[at]?.raw) at += 1;
    this.drawnLinks = known;
    const old = this.drawn.splice(at).flatMap(({ node }) => node ?? []);
    for (const token of tokens.slice(at)) {
      const fresh = block(token, this.drawing);
      const present = fresh ? old.shift() : undefined;
      if (fresh && !present) this.sheets.append(fresh);
      this.drawn.push({ raw: token.raw, node: fresh && present ? morph(present, fresh) : fresh });
    }
    for (const node of old) node.parentNode?.removeChild(node);
  }

  /** Seals what is final; how many tokens that was. */
  private seal(tokens: readonly Token[]): number {
    const count = sealable(tokens);
    const source = tokens
      .slice(0, count)
      .map(({ raw }) => raw)
      .join("");
    if (!count || !this.tail.startsWith(source)) return 0;
    if (source.includes(DEFINES)) this.define(source);
    const nodes = this.drawn.splice(0, count).flatMap(({ node }) => node ?? []);
    if (source.includes("]") && nodes.length) this.bracketed.push({ source, nodes });
    this.tail = this.tail.slice(source.length);
    this.sheets.seal(nodes.length);
    return count;
  }

  /** The definitions in a final stretch hold from now on; earlier brackets that they name become links. */
  private define(source: string): Token[] {
    const links = Object.assign(noDefinitions(), this.definitions);
    const tokens = lex(source, links);
    this.learn(links);
    return tokens;
  }

  private learn(links: Definitions): void {
    const added = Object.keys(links).filter((label) => !(label in this.definitions));
    Object.assign(this.definitions, links);
    if (added.length) this.relink(added);
  }

  private relink(labels: readonly string[]): void {
    for (const sealed of this.bracketed) {
      const plain = sealed.source.replace(/\s+/g, " ").toLowerCase();
      if (!labels.some((label) => plain.includes(label))) continue;
      const fresh = lex(sealed.source, this.definitions).flatMap((token) => block(token, this.drawing) ?? []);
      const anchor = sealed.nodes[0];
      for (const node of fresh) anchor?.parentNode?.insertBefore(node, anchor);
      for (const node of sealed.nodes) node.parentNode?.removeChild(node);
      sealed.nodes = fresh;
    }
  }

  private close(): void {
    this.tail += this.code?.unread ?? "";
    this.code?.open.element.remove();
    this.code = null;
    this.draw(this.rest(), this.definitions);
    this.bracketed = [];
    this.read = null;
  }

  /** The tokens of the tail; what was read to its end before is not read again. */
  private rest(): Token[] {
    if (this.read?.tail !== this.tail) return this.define(this.tail);
    this.learn(this.read.links);
    return this.read.tokens;
  }
}
