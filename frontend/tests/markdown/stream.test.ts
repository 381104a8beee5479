import { afterEach, describe, expect, it } from "vitest";
import { block } from "../../src/markdown/block";
import { lex, noDefinitions } from "../../src/markdown/lex";
import { StreamingMarkdown } from "../../src/markdown/stream";
import { chats, commonmark } from "./corpus";

const drawing = { loaded: new Map<string, string>() };

function place(): HTMLElement {
  const element = document.createElement("div");
  document.body.append(element);
  return element;
}

function atOnce(text: string): string {
  const element = place();
  for (const token of lex(text.replace(/\r\n?/g, "\n"), noDefinitions())) {
    const node = block(token, drawing);
    if (node) element.append(node);
  }
  return element.innerHTML;
}

function streamed(text: string, size: number): string {
  const element = place();
  const markdown = new StreamingMarkdown(element, drawing);
  for (let at = 0; at < text.length; at += size) {
    markdown.append(text.slice(at, at + size));
    markdown.flush();
  }
  markdown.finish();
  markdown.flush();
  for (const sheet of element.querySelectorAll(":scope > .sheet")) sheet.replaceWith(...sheet.childNodes);
  return element.innerHTML;
}

afterEach(() => document.body.replaceChildren());

describe("the final page is the one a single reading gives", () => {
  it.each(chats.map((text, at) => [at, text] as const))("chat text %i, in pieces of every size", (_, text) => {
    const whole = atOnce(text);
    for (const size of [1, 2, 3, 7, 50, 100_000]) expect(streamed(text, size)).toBe(whole);
  });

  it("every CommonMark example, by characters", () => {
    expect(commonmark.length).toBeGreaterThan(600);
    const different = commonmark.filter((text) => streamed(text, 1) !== atOnce(text));
    expect(different).toEqual([]);
  }, 240_000);

  it("CommonMark examples one after the other, by pieces", () => {
    for (let from = 0; from < commonmark.length; from += 40) {
      const text = commonmark.slice(from, from + 40).join("\n\n");
      expect(streamed(text, 97)).toBe(atOnce(text));
    }
  });
});

describe("while it streams", () => {
  it("sealed blocks are never touched again", () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    markdown.append("first\n\nsecond\n\nthird\n\nfou");
    markdown.flush();
    const [first] = element.children;
    const changes = new MutationObserver(() => undefined);
    changes.observe(first as Element, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const piece of ["rth\n\n", "- a\n", "- b\n\n", "end"]) {
      markdown.append(piece);
      markdown.flush();
    }
    markdown.finish();
    expect(element.firstElementChild).toBe(first);
    expect(changes.takeRecords()).toEqual([]);
  });

  it("a long text stands on sheets, in its order, and a finished sheet is never touched again", () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    const changes = new MutationObserver(() => undefined);
    for (let n = 0; n < 200; n += 1) {
      markdown.append(`Paragraph ${n}\n\n`);
      markdown.flush();
      const sheets = element.querySelectorAll(".sheet");
      if (sheets.length === 2)
        changes.observe(sheets[0] as Element, { subtree: true, childList: true, characterData: true });
      if (sheets.length === 3) changes.takeRecords();
    }
    markdown.finish();
    expect(changes.takeRecords()).toEqual([]);
    expect(element.childElementCount).toBeLessThan(40);
    const words = [...element.querySelectorAll("p")].map(({ textContent }) => textContent);
    expect(words).toEqual(Array.from({ length: 200 }, (_, n) => `Paragraph ${n}`));
  });

  it("a growing paragraph keeps its text node, so that a selection lives on", () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    markdown.append("some wor");
    markdown.flush();
    const node = element.firstChild?.firstChild;
    markdown.append("ds more");
    markdown.flush();
    expect(element.firstChild?.firstChild).toBe(node);
    expect(node?.textContent).toBe("some words more");
  });

  it("open code stands in text nodes of at most 40 lines", () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    markdown.append("```text\n");
    for (let line = 0; line < 205; line += 1) markdown.append(`line ${line}\n`);
    markdown.flush();
    const nodes = [...(element.querySelector("code")?.childNodes ?? [])];
    expect(nodes.length).toBe(6);
    for (const node of nodes) expect((node.textContent ?? "").split("\n").length).toBeLessThanOrEqual(41);
  });

  it("reset leaves nothing of the text before", () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    markdown.append("```\nopen");
    markdown.flush();
    markdown.reset();
    markdown.append("*new*");
    markdown.finish();
    expect(element.innerHTML).toBe("<p><em>new</em></p>");
  });
});

describe("what it looks like", () => {
  it("figures in tables stand at the right without being told", () => {
    const html = atOnce("| a | b |\n|---|---|\n| x | 1,200 |\n| y | 3 % |\n");
    expect(html).toContain('<th align="right" scope="col">b</th>');
    expect(html).not.toContain('align="right" scope="col">a');
  });

  it("colours a closed code block and keeps its text", async () => {
    const element = place();
    const markdown = new StreamingMarkdown(element, drawing);
    markdown.append("```python\nfor x in y: pass\n```\n");
    markdown.finish();
    await expect.poll(() => element.querySelector(".hljs-keyword")?.textContent, { timeout: 10_000 }).toBe("for");
    expect(element.querySelector("code")?.textContent).toBe("for x in y: pass");
  });
});
