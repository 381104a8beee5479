/** Text that grows: readers take only what is new, nobody copies the whole for every token. */
import { signal } from "@preact/signals";

/** A text in the making. Subscribe to `changed`, then read `parts` from where you were, or all again after `epoch` rose. */
export class LiveText {
  /** Rises with every change. */
  readonly changed = signal(0);
  /** True once no more will come. */
  readonly ended = signal(false);
  /** Rises when the text was replaced instead of continued. */
  epoch = 0;
  parts: string[] = [];
  /** Characters so far. */
  length: number;

  constructor(text = "", ended = false) {
    if (text) this.parts.push(text);
    this.length = text.length;
    this.ended.value = ended;
  }

  get text(): string {
    if (this.parts.length > 1) return this.parts.join("");
    return this.parts[0] ?? "";
  }

  append(text: string): void {
    this.parts.push(text);
    this.length += text.length;
    this.changed.value += 1;
  }

  /** The text as it finally is. Readers start again only if it differs from what came. */
  settle(text: string): void {
    if (this.text !== text) {
      this.parts = text ? [text] : [];
      this.length = text.length;
      this.epoch += 1;
      this.changed.value += 1;
    }
    this.ended.value = true;
  }
}
