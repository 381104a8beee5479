/** English: the keys here are the type every other language must fill. */
import { cards } from "./en/cards";
import { frame } from "./en/frame";
import { parts } from "./en/parts";

export const en = { ...parts, ...frame, ...cards } as const;
