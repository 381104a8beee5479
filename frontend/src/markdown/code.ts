/** Code blocks: a head with language and copy button, text in small nodes, colours once the block is closed. */
import { t } from "../i18n";
import { colour } from "./highlight";
import { icon, make } from "./nodes";

/** Long text nodes are slow to lay out again, so code stands in nodes of at most this many lines. */
const NODE_LINES = 40;

/** A whole code block. `info` is what stands after the fence; its first word is the language. */
export function codeBlock(text: string, info: string): HTMLElement {
  const { element, code, language } = frame(info);
  element.dataset.whole = language;
  new Lines(code).append(text);
  colour(code, text, language);
  return element;
}

/** A code block that is still being written. */
export class OpenCode {
  readonly element: HTMLElement;
  private readonly lines: Lines;

  constructor(info: string) {
    const { element, code } = frame(info);
    this.element = element;
    this.lines = new Lines(code);
  }

  append(text: string): void {
    this.lines.append(text);
  }
}

function frame(info: string): { element: HTMLElement; code: HTMLElement; language: string } {
  const language = info.trim().split(/\s/, 1)[0] ?? "";
  const code = make("code");
  if (language) code.className = `language-${language}`;
  const pre = make("pre", "", code);
  pre.tabIndex = 0;
  const copy = make("button", "ib", icon("copy"));
  copy.type = "button";
  copy.dataset.copy = "";
  copy.title = t("part.copy");
  copy.setAttribute("aria-label", t("part.copy"));
  const head = make("div", "head", make("span", "grow cut", language || t("code.plain")), copy);
  return { element: make("div", "code", head, pre), code, language };
}

/** Appends to text nodes, a new one every 40 lines. */
class Lines {
  private node: Text | null = null;
  private count = 0;

  constructor(private readonly into: HTMLElement) {}

  append(text: string): void {
    let at = 0;
    while (at < text.length) {
      const end = this.endOfRoom(text, at);
      this.write(text.slice(at, end));
      at = end;
    }
  }

  private endOfRoom(text: string, from: number): number {
    let at = from;
    while (this.count < NODE_LINES) {
      const next = text.indexOf("\n", at);
      if (next < 0) return text.length;
      at = next + 1;
      this.count += 1;
    }
    return at;
  }

  private write(text: string): void {
    if (this.node) this.node.appendData(text);
    else {
      this.node = document.createTextNode(text);
      this.into.append(this.node);
    }
    if (this.count >= NODE_LINES) {
      this.node = null;
      this.count = 0;
    }
  }
}
