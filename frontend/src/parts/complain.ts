/** A failed command as a notice with the backend's own words. */
import { toast } from "./toasts";

/** Shows why something did not work. */
export function complain(error: unknown): void {
  toast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
}
