/** What the backend told in a few sentences, in the person's language where all of them are known. */
import { worded } from "./i18n";
import { told } from "./tellings";
import type { Saying } from "./wire";

export const allWorded = (message: string, said: readonly Saying[] | undefined): string =>
  said?.length ? said.map((one) => worded({ message, said: one })).join(" ") : told(message);
