/** Asking the backend for something where a refusal is a notice and not an exception. */
import { complain } from "../../parts/complain";

/** The words of whatever was thrown. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The answer, or null after the refusal was shown. */
export async function tried<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    complain(error);
    return null;
  }
}

/** True if it was done; a refusal was shown. */
export async function done(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}
