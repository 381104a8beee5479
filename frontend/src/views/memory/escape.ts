/** Esc inside a form leaves the form, not the settings around it. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useEscape(form: RefObject<HTMLElement>, onEscape: () => void): void {
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      const inside = event.target instanceof Node && form.current?.contains(event.target);
      if (event.key !== "Escape" || event.isComposing || !inside) return;
      event.preventDefault(); // seen before the settings see it
      onEscape();
    };
    window.addEventListener("keydown", heard, true);
    return () => window.removeEventListener("keydown", heard, true);
  }, [onEscape]);
}
