/** Block tokens to nodes. */
import type { Token, Tokens } from "marked";
import { areFigures } from "../figures";
import { codeBlock } from "./code";
import { decode } from "./entities";
import { type Drawing, inline } from "./inline";
import { icon, make } from "./nodes";

/** The node of a block token; null for what is not drawn (space, definitions). */
export function block(token: Token, drawing: Drawing): Node | null {
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "heading":
      return make(`h${Math.min(6, token.depth)}` as "h1", "", ...inline(token.tokens ?? [], drawing));
    case "paragraph":
      return make("p", "", ...inline(token.tokens ?? [], drawing));
    case "code":
      return codeBlock(token.text, decode(token.lang ?? ""));
    case "blockquote":
      return make("blockquote", "", ...blocks(token.tokens ?? [], drawing));
    case "list":
      return list(token as Tokens.List, drawing);
    case "table":
      return table(token as Tokens.Table, drawing);
    case "hr":
      return make("hr");
    case "html":
      return make("p", "raw-html", token.text.trimEnd());
    default:
      return make("p", "", ...inline([token], drawing));
  }
}

/** The nodes of several block tokens; a tight list item's text stays bare. */
export function blocks(tokens: readonly Token[], drawing: Drawing): Node[] {
  const nodes: Node[] = [];
  for (const token of tokens) {
    if (token.type === "text") {
      nodes.push(...inline([token], drawing));
      continue;
    }
    const node = block(token, drawing);
    if (node) nodes.push(node);
  }
  return nodes;
}

function list(token: Tokens.List, drawing: Drawing): HTMLElement {
  const items = token.items.map((item) => listItem(item, drawing));
  if (!token.ordered) return make("ul", "", ...items);
  const element = make("ol", "", ...items);
  if (typeof token.start === "number" && token.start !== 1) element.start = token.start;
  return element;
}

function listItem(item: Tokens.ListItem, drawing: Drawing): HTMLLIElement {
  const children = blocks(item.tokens, drawing);
  if (!item.task) return make("li", "", ...children);
  const element = make("li", "task", icon(item.checked ? "ok" : "todo"), make("div", "", ...children));
  if (item.checked) element.dataset.done = "";
  return element;
}

function table(token: Tokens.Table, drawing: Drawing): HTMLElement {
  const figures = token.header.map((_, column) => isFigures(token, column));
  const cell = (tag: "th" | "td", from: Tokens.TableCell, column: number) => {
    const align = from.align ?? (figures[column] ? "right" : null);
    const element = make(tag, "", ...inline(from.tokens, drawing));
    if (align) element.setAttribute("align", align);
    if (tag === "th") element.setAttribute("scope", "col");
    return element;
  };
  const row = (tag: "th" | "td", cells: Tokens.TableCell[]) =>
    make("tr", "", ...cells.map((from, at) => cell(tag, from, at)));
  const element = make("table", "", make("thead", "", row("th", token.header)));
  if (token.rows.length) element.append(make("tbody", "", ...token.rows.map((cells) => row("td", cells))));
  const scroller = make("div", "table", element);
  scroller.tabIndex = 0;
  return scroller;
}

/** A column of nothing but figures stands right-aligned even if its author did not say so. */
function isFigures(token: Tokens.Table, column: number): boolean {
  return areFigures(token.rows.map((row) => (row[column]?.text ?? "").replace(/[*_`]/g, "")));
}
