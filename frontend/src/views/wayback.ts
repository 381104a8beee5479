/** The focus goes into the settings with a person, and back with them to what they came from. */
import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { page } from "../desk";

let cameFrom: string | null = null;

// while the conversation is still drawn: afterwards nothing tells what had the focus
effect(() => {
  if (page.value.at === "conversation" || cameFrom !== null) return;
  const focused = document.activeElement;
  cameFrom = (focused instanceof HTMLElement && focused.dataset.testid) || "composer";
});

/** In what draws either the conversation or the settings. A page's own wish for the focus goes first. */
export function useWayBack(): void {
  const inSettings = page.value.at !== "conversation";
  useEffect(() => {
    const wanted = inSettings ? ".settings-nav [aria-current]" : cameFrom && `[data-testid="${cameFrom}"]`;
    if (!inSettings) cameFrom = null;
    if (wanted && document.activeElement === document.body) document.querySelector<HTMLElement>(wanted)?.focus();
  }, [inSettings]);
}
