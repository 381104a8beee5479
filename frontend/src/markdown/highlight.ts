/** Colours closed code blocks when the page has time; the grammars come in a chunk of their own. */
/** Longer code stays plain: colouring it would hold the page longer than a frame or two. */
const MOST_CHARS = 20_000;
/** Another block is begun only in this much free time, in milliseconds. */
const LEAST_MS = 8;
const CLASS = /^(?:hljs-[\w-]+|[\w-]+_)(?: (?:hljs-[\w-]+|[\w-]+_))*$/;

type Highlight = (text: string, language: string) => string | null;

let library: Promise<Highlight> | undefined;
const load = (): Promise<Highlight> => {
  library ??= import("./languages").then((module) => module.highlighted);
  return library;
};

interface Job {
  code: HTMLElement;
  text: string;
  language: string;
}

/** What waits for its colours: done one by one, so that many blocks at once (a conversation just opened) hold nothing up. */
const jobs: Job[] = [];
let planned = false;

/** Replaces the plain text of `code` by coloured spans, later, if its language is known. */
export function colour(code: HTMLElement, text: string, language: string): void {
  if (!language || !text || text.length > MOST_CHARS) return;
  jobs.push({ code, text, language });
  plan();
}

function plan(): void {
  if (planned || jobs.length === 0) return;
  planned = true;
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 0);
}

async function work(deadline?: IdleDeadline): Promise<void> {
  try {
    const highlighted = await load();
    do colourNext(highlighted);
    while (jobs.length > 0 && deadline && deadline.timeRemaining() > LEAST_MS);
  } catch {
    jobs.length = 0; // without the grammars code stays plain, and readable
    library = undefined;
  }
  planned = false;
  plan();
}

function colourNext(highlighted: Highlight): void {
  const job = jobs.shift();
  const markup = job?.code.isConnected ? highlighted(job.text, job.language) : null;
  if (markup !== null) job?.code.replaceChildren(...spans(markup));
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
