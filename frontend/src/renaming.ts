/** Which title is being edited: "head:ID" in the header, "row:ID" in the list; one at a time. */
import { signal } from "@preact/signals";

export const renaming = signal<string | null>(null);
