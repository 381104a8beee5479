/** Inline tokens to nodes. Links keep their address for the eye and the keyboard; clicks go to the page, never to the browser. */
import type { Token, Tokens } from "marked";
import { isDataPicture, openable, pictureHost } from "../address";
import { t } from "../i18n";
import { decode } from "./entities";
import { icon, make } from "./nodes";

/** What drawing needs to know from its page. */
export interface Drawing {
  /** Blob addresses of remote pictures the person has already asked for. */
  loaded: ReadonlyMap<string, string>;
}

const LINE_BREAK = /^<br\s*\/?>$/i;

/** The nodes of a run of inline tokens. */
export function inline(tokens: readonly Token[], drawing: Drawing): Node[] {
  const nodes: Node[] = [];
  for (const token of tokens) nodes.push(...one(token, drawing));
  return nodes;
}

function one(token: Token, drawing: Drawing): Node[] {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return [make(token.type, "", ...inline(token.tokens ?? [], drawing))];
    case "codespan":
      return [make("code", "", token.text)];
    case "br":
      return [make("br")];
    case "link":
      return [link(token as Tokens.Link, drawing)];
    case "image":
      return [picture(token as Tokens.Image, drawing)];
    case "html":
      return [LINE_BREAK.test(token.raw) ? make("br") : text(token.raw)];
    case "checkbox":
      return [];
    case "escape":
      return [text(token.text)];
    default:
      return "tokens" in token && token.tokens
        ? inline(token.tokens, drawing)
        : [text(decode("text" in token ? token.text : token.raw))];
  }
}

const text = (data: string): Text => document.createTextNode(data);

function link(token: Tokens.Link, drawing: Drawing): HTMLElement {
  const address = openable(decode(token.href));
  const words = inline(token.tokens, drawing);
  if (!address) {
    const dead = make("span", "dead-link", ...words);
    dead.title = decode(token.href);
    return dead;
  }
  const anchor = make("a", "", ...(words.length ? words : [address]));
  anchor.href = address;
  anchor.rel = "noopener noreferrer nofollow";
  anchor.title = token.title ? decode(token.title) : address;
  return anchor;
}

function picture(token: Tokens.Image, drawing: Drawing): Node {
  const address = decode(token.href);
  const alt = decode(token.text);
  const source = isDataPicture(address) ? address : drawing.loaded.get(address);
  if (source) return image(source, alt);
  const host = pictureHost(address);
  return host ? pictureChip(address, host, alt) : text(alt);
}

/** A picture that needs no request of the page's own. */
export function image(source: string, alt: string): HTMLImageElement {
  const element = make("img");
  element.src = source;
  element.alt = alt;
  element.dataset.whole = source;
  return element;
}

/** Stands for a remote picture: says where it is from, loads nothing. */
function pictureChip(address: string, host: string, alt: string): HTMLButtonElement {
  const words = make(
    "span",
    "grow",
    make("b", "", alt || t("picture.show")),
    make("span", "", t("picture.from", { host })),
  );
  const chip = make("button", "remote", icon("image"), words, icon("download"));
  chip.type = "button";
  chip.dataset.picture = address;
  chip.dataset.alt = alt;
  chip.dataset.whole = address;
  chip.title = address;
  return chip;
}
