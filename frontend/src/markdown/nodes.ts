/** Small makers of elements: everything Markdown becomes is built here, never parsed from HTML. */
import type { IconName } from "../icons/names";

const SVG = "http://www.w3.org/2000/svg";

/** An element with a class and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (children.length) element.append(...children);
  return element;
}

/** An icon of the page's sprite. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Makes `old` look like `fresh` while keeping its nodes, so that a selection lives on; gives the node that now stands there. */
export function morph(old: Node, fresh: Node): Node {
  if (old.nodeName !== fresh.nodeName || isWhole(fresh) || isWhole(old)) return replace(old, fresh);
  if (old instanceof Text && fresh instanceof Text) return grow(old, fresh.data);
  if (!(old instanceof Element && fresh instanceof Element)) return replace(old, fresh);
  copyAttributes(old, fresh);
  morphChildren(old, fresh);
  return old;
}

function morphChildren(old: Element, fresh: Element): void {
  const wanted = [...fresh.childNodes];
  const there = [...old.childNodes];
  for (const [at, node] of wanted.entries()) {
    const present = there[at];
    if (present) morph(present, node);
    else old.append(node);
  }
  for (const extra of there.slice(wanted.length)) extra.remove();
}

/** What has a life of its own (code with its buttons, pictures) is kept if equal, else replaced whole. */
const isWhole = (node: Node): boolean => node instanceof HTMLElement && node.dataset.whole !== undefined;

function replace(old: Node, fresh: Node): Node {
  const same =
    old instanceof HTMLElement &&
    fresh instanceof HTMLElement &&
    old.nodeName === fresh.nodeName &&
    old.dataset.whole !== undefined &&
    old.dataset.whole === fresh.dataset.whole &&
    old.textContent === fresh.textContent;
  if (same) return old;
  old.parentNode?.replaceChild(fresh, old);
  return fresh;
}

function grow(old: Text, text: string): Text {
  if (text !== old.data && text.startsWith(old.data)) old.appendData(text.slice(old.data.length));
  else if (text !== old.data) old.data = text;
  return old;
}

function copyAttributes(old: Element, fresh: Element): void {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
}
