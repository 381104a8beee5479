/** A message on the page: its blocks as signals of their own, so that a token repaints one text and nothing else. */
import { type Signal, signal } from "@preact/signals";
import { LiveText } from "./live";
import type { Block, Message } from "./wire";

/** A block on show. Text and thinking are read from `live`, the rest from `block`. */
export interface BlockView {
  /** Stable for the life of the message. */
  key: string;
  block: Signal<Block>;
  /** The text so far: of a text or of thinking; for a tool call the raw JSON of its arguments. */
  live: LiveText;
  /** When it began here, for counting seconds while it lasts; null for what was there before. */
  startedMs: number | null;
}

interface Made {
  message: Signal<Message>;
  blocks: Signal<readonly BlockView[]>;
  open: Signal<boolean>;
}

export class MessageView {
  readonly id: string;
  readonly role: Message["role"];
  private made: Made | null = null;
  private readonly byIndex = new Map<number, BlockView>();
  private count = 0;

  constructor(
    private readonly first: Message,
    open: boolean,
    openBlocks: readonly number[] = [],
  ) {
    this.id = first.id;
    this.role = first.role;
    if (open) this.make(true, openBlocks);
  }

  /** All but the blocks is read from here; its own blocks are whole only once `open` is false. */
  get message(): Signal<Message> {
    return this.make().message;
  }

  get blocks(): Signal<readonly BlockView[]> {
    return this.make().blocks;
  }

  /** True while it is being written. */
  get open(): Signal<boolean> {
    return this.make().open;
  }

  /** The blocks as they are now. A message that nobody has looked at is not made for that. */
  get contents(): readonly Block[] {
    return this.made ? this.made.blocks.value.map(({ block }) => block.value) : this.first.blocks;
  }

  /** No more will be written. */
  close(): void {
    if (this.made) this.made.open.value = false;
  }

  /** Of a conversation's thousands of messages few are ever drawn: signals are made for these. */
  private make(open = false, openBlocks: readonly number[] = []): Made {
    if (this.made) return this.made;
    const views = this.first.blocks.map((block, index) =>
      this.view(block, index, openBlocks.includes(index) ? Date.now() : null),
    );
    this.made = { message: signal(this.first), blocks: signal(views), open: signal(open) };
    return this.made;
  }

  start(index: number, block: Block): void {
    if (this.byIndex.has(index)) return this.end(index, block);
    this.blocks.value = [...this.blocks.value, this.view(block, index, Date.now())];
  }

  delta(index: number, text: string): void {
    this.byIndex.get(index)?.live.append(text);
  }

  end(index: number, block: Block): void {
    const view = this.byIndex.get(index);
    if (!view) return this.start(index, block);
    view.block.value = block;
    view.live.settle(textOf(block));
  }

  /** Adds what a tool gave, in the order of the answers. */
  add(blocks: readonly Block[]): void {
    const added = blocks.map((block) => this.view(block, this.count, null));
    this.blocks.value = [...this.blocks.value, ...added];
  }

  /** The message as it finally is. Blocks on show that are the same keep their place in the page. */
  finish(message: Message): void {
    const left = [...this.blocks.value];
    const views = message.blocks.map((block) => {
      const at = left.findIndex((view) => same(view.block.value, block));
      const view = at < 0 ? this.view(block, this.count, null) : (left.splice(at, 1)[0] as BlockView);
      view.block.value = block;
      view.live.settle(textOf(block));
      return view;
    });
    this.message.value = message;
    this.blocks.value = views;
    this.open.value = false;
  }

  /** The message as folded so far, for comparing with `message_end`. */
  snapshot(): Message {
    const blocks = this.blocks.value.map(({ block, live }) => withText(block.value, live.text));
    return { ...this.message.value, blocks };
  }

  private view(block: Block, index: number, startedMs: number | null): BlockView {
    const made: BlockView = {
      key: `${this.id}:${this.count}`,
      block: signal(block),
      live: new LiveText(textOf(block), startedMs === null),
      startedMs,
    };
    this.count += 1;
    this.byIndex.set(index, made);
    return made;
  }
}

const textOf = (block: Block): string => (block.type === "text" || block.type === "thinking" ? block.text : "");

const withText = (block: Block, text: string): Block =>
  block.type === "text" || block.type === "thinking" ? { ...block, text } : block;

/** Whether a finished block is the continuation of one on show. */
function same(shown: Block, final: Block): boolean {
  if (shown.type !== final.type) return false;
  if (shown.type === "tool_call" && final.type === "tool_call") return shown.id === final.id;
  if (shown.type === "card" && final.type === "card")
    return shown.card.id === final.card.id && shown.server === final.server;
  if ("tool_call_id" in shown && "tool_call_id" in final) return shown.tool_call_id === final.tool_call_id;
  return true;
}
