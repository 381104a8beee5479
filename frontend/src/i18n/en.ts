/** English: the keys here are the type every other language must fill. */
import { cards } from "./en/cards";
import { frame } from "./en/frame";
import { parts } from "./en/parts";
import { settings } from "./en/settings";

export const en = { ...parts, ...frame, ...cards, ...settings } as const;
