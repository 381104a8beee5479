/** How wide the window is, and what of the list is on show because of it. */
import { computed, signal } from "@preact/signals";
import { listShown } from "./desk";

const query = typeof matchMedia === "function" ? matchMedia("(max-width: 899px)") : null;

/** Under 900 px: a rail, and the list opens over the page. */
export const narrow = signal(query?.matches ?? false);
query?.addEventListener?.("change", () => {
  narrow.value = query.matches;
  listShown.value = null;
});

/** Whether the list is open: as the person left it, else open where there is room. */
export const listOpen = computed(() => listShown.value ?? !narrow.value);

/** Whether the list's search field is open. */
export const searchOpen = signal(false);
