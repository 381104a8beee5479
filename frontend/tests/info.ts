/** A conversation as the list has it, with nothing said in it yet; `fields` say what is different. */
import type { ConversationInfo } from "../src/wire";

export function conversationInfo(fields: Partial<ConversationInfo> = {}): ConversationInfo {
  return {
    id: "c",
    title: "T",
    created_ms: 1,
    updated_ms: 1,
    running: false,
    waiting: false,
    pinned: false,
    folder: null,
    interrupted: null,
    provider: null,
    model: null,
    system: "",
    temperature: null,
    max_tokens: null,
    thinking: null,
    usage: {
      input_tokens: null,
      output_tokens: null,
      cached_input_tokens: null,
      cache_write_tokens: null,
      thinking_tokens: null,
      cost: null,
    },
    context: { used: null, window: null },
    ...fields,
  };
}
