/** How wide a scrollbar's own strip is here: nothing where it floats over the page, as on macOS and in WebKitGTK. */

export function measureScrollbar(): void {
  const probe = document.createElement("div");
  probe.className = "scroll-probe";
  document.body.append(probe);
  const width = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  const kept = CSS.supports("scrollbar-gutter", "stable both-edges") ? width : 0;
  document.documentElement.style.setProperty("--gutter", `${kept}px`);
}
