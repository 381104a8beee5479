/** The one way to the clipboard, with the older road for windows that forbid the newer one. */

/** Copies a text; false if the browser refused both ways. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr-only";
  area.setAttribute("aria-hidden", "true");
  const host = document.querySelector("dialog[open]") ?? document.body;
  const before = document.activeElement;
  host.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
