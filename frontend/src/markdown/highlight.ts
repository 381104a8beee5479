/** Colours closed code blocks when the page has time; the grammars come in a chunk of their own. */
/** Longer code stays plain: colouring it would hold the page longer than a frame or two. */
const MOST_CHARS = 20_000;
const CLASS = /^(?:hljs-[\w-]+|[\w-]+_)(?: (?:hljs-[\w-]+|[\w-]+_))*$/;

type Highlight = (text: string, language: string) => string | null;

let library: Promise<Highlight> | undefined;
const load = (): Promise<Highlight> => {
  library ??= import("./languages").then((module) => module.highlighted);
  return library;
};

const idle = (run: () => void): void => {
  if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: 1000 });
  else setTimeout(run, 0);
};

/** Replaces the plain text of `code` by coloured spans, later, if its language is known. */
export function colour(code: HTMLElement, text: string, language: string): void {
  if (!language || !text || text.length > MOST_CHARS) return;
  idle(async () => {
    const highlighted = await load();
    const markup = code.isConnected ? highlighted(text, language) : null;
    if (markup !== null) code.replaceChildren(...spans(markup));
  });
}

/** The library's markup as nodes; nothing but spans with its classes and text is taken over. */
function spans(markup: string): Node[] {
  const parsed = new DOMParser().parseFromString(`<pre>${markup}</pre>`, "text/html");
  const copy = (from: Node): Node[] =>
    [...from.childNodes].map((node) => {
      if (!(node instanceof HTMLSpanElement)) return document.createTextNode(node.textContent ?? "");
      const span = document.createElement("span");
      if (CLASS.test(node.className)) span.className = node.className;
      span.append(...copy(node));
      return span;
    });
  return copy(parsed.querySelector("pre") ?? parsed.body);
}
