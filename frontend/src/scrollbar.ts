/** How wide a strip is kept for a scrollbar at each edge here: nothing where it floats over the page, as on macOS and in WebKitGTK. */

export function measureScrollbar(): void {
  const probe = document.createElement("div");
  probe.className = "scroll-probe";
  document.body.append(probe);
  const kept = CSS.supports("scrollbar-gutter", "stable both-edges") ? (probe.offsetWidth - probe.clientWidth) / 2 : 0;
  probe.remove();
  document.documentElement.style.setProperty("--gutter", `${kept}px`);
}
