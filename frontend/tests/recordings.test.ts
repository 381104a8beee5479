import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Conversation } from "../src/conversation";
import type { Frame, Message } from "../src/wire";

/** The same recordings as the backend's own fold is held to. */
const folder = join(__dirname, "../../tests/recordings");
const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
const frames = (name: string): Frame[] =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Frame);

/** What a page shows of a message: the text of its text and thinking blocks. */
function words(conversation: Conversation, id: string): string[] {
  const shown = conversation.messages.value.find((message) => message.id === id);
  return (shown?.blocks.value ?? [])
    .filter(({ block }) => block.value.type === "text" || block.value.type === "thinking")
    .map(({ live }) => live.text);
}

const wordsOf = (message: Message): string[] =>
  message.blocks.flatMap((block) => (block.type === "text" || block.type === "thinking" ? [block.text] : []));

describe("recordings", () => {
  it("are there", () => expect(names.length).toBeGreaterThan(3));

  for (const name of names) {
    it(`${name}: deltas leave what the message's end carries`, () => {
      const conversation = new Conversation("c");
      let compared = 0;
      for (const { seq, event } of frames(name)) {
        if (event.type === "message_end" && event.message.role === "assistant") {
          expect(words(conversation, event.message.id)).toEqual(wordsOf(event.message));
          compared += 1;
        }
        conversation.take(seq, event);
      }
      expect(compared).toBeGreaterThan(0);
    });

    it(`${name}: the whole told twice is the same as once`, () => {
      const once = new Conversation("c");
      const twice = new Conversation("c");
      for (const { seq, event } of frames(name)) {
        once.take(seq, event);
        twice.take(seq, event);
        twice.take(seq, event);
      }
      const ids = once.messages.value.map((message) => message.id);
      expect(twice.messages.value.map((message) => message.id)).toEqual(ids);
      for (const id of ids) expect(words(twice, id)).toEqual(words(once, id));
    });
  }
});
