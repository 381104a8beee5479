/** Puts a floating box beside what it belongs to, inside the window. */

const GAP = 4;
const EDGE = 8;

/** Sets `left` and `top` of a fixed box: under the anchor and left-aligned, above or right-aligned where there is no room. */
export function place(box: HTMLElement, anchor: DOMRect): void {
  const scale = measure();
  const [left, right, top, bottom] = [anchor.left, anchor.right, anchor.top, anchor.bottom].map(
    (at) => at / scale.rect,
  ) as [number, number, number, number];
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = bottom + GAP;
  const above = top - GAP - height;
  const y = below + height <= scale.height - EDGE || above < EDGE ? below : above;
  const x = left + width <= scale.width - EDGE ? left : right - width;
  box.style.top = `${Math.max(EDGE, Math.min(y, scale.height - EDGE - height))}px`;
  box.style.left = `${Math.max(EDGE, Math.min(x, scale.width - EDGE - width))}px`;
}

/** The window in the page's own pixels, and what measured rectangles must be divided by: engines differ where text is enlarged. */
function measure(): { width: number; height: number; rect: number } {
  const root = document.documentElement;
  const zoom = Number.parseFloat(getComputedStyle(root).getPropertyValue("zoom")) || 1;
  const seen = root.getBoundingClientRect().width;
  const rect = Math.abs(seen - innerWidth) < Math.abs(seen - innerWidth / zoom) ? zoom : 1;
  return { width: innerWidth / zoom, height: innerHeight / zoom, rect };
}
