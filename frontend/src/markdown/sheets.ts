/** Where drawn blocks stand: a long text is cut into sheets, so that what is written lays out one of them and not the whole. */
import { make } from "./nodes";

/** Finished blocks after which the next sheet begins: more than fill a window, few enough to be looked through in no time. */
const BLOCKS = 24;

/** Appends blocks to an element: the first ones to itself, the others to sheets in it. */
export class Sheets {
  private into: HTMLElement | null;
  private sealed = 0;

  constructor(private readonly element: HTMLElement) {
    this.into = element;
  }

  append(node: Node): void {
    if (!this.into) {
      this.into = make("div", "sheet");
      this.element.append(this.into);
    }
    this.into.append(node);
  }

  /** So many more blocks are final. What is appended next may stand on a new sheet; nothing that stands is moved. */
  seal(blocks: number): void {
    this.sealed += blocks;
    if (this.sealed < BLOCKS) return;
    this.sealed = 0;
    this.into = null;
  }

  clear(): void {
    this.element.replaceChildren();
    this.into = this.element;
    this.sealed = 0;
  }
}
