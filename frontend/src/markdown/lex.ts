/** Markdown to tokens: marked's lexer with HTML as text, no state between blocks, and definitions kept outside. */
import { Lexer, type Links, type Token, Tokenizer, type Tokens } from "marked";

/** Inline HTML does not switch anything on or off: it is text. */
class TextTokenizer extends Tokenizer {
  override tag(src: string): Tokens.Tag | undefined {
    const found = this.rules.inline.tag.exec(src);
    if (!found) return undefined;
    const raw = found[0];
    return { type: "html", raw, text: raw, block: false, inLink: false, inRawBlock: false };
  }
}

/** Link definitions, by marked's normalised label. */
export type Definitions = Links;

export const noDefinitions = (): Definitions => Object.create(null) as Definitions;

/** The tokens of a text. Definitions found are added to `links`, those there already win. */
export function lex(source: string, links: Definitions): Token[] {
  const lexer = new Lexer({ gfm: true, tokenizer: new TextTokenizer() });
  lexer.tokens.links = links;
  try {
    return [...lexer.lex(source)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [asText(source)]; // nested deeper than the stack: shown as it was written
  }
}

function asText(source: string): Tokens.Paragraph {
  return {
    type: "paragraph",
    raw: source,
    text: source,
    tokens: [{ type: "text", raw: source, text: source, escaped: true }],
  };
}
