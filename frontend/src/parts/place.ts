/** Puts a floating box beside what it belongs to, inside the window. */

const GAP = 4;
const EDGE = 8;

/** Sets `left` and `top` of a fixed box: under the anchor and left-aligned, above or right-aligned where there is no room. */
export function place(box: HTMLElement, anchor: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - height;
  const top = below + height <= innerHeight - EDGE || above < EDGE ? below : above;
  const left = anchor.left + width <= innerWidth - EDGE ? anchor.left : anchor.right - width;
  box.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - EDGE - height))}px`;
  box.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - width))}px`;
}
