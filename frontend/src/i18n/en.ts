/** English: the keys here are the type every other language must fill. */
import { cards } from "./en/cards";
import { frame } from "./en/frame";
import { parts } from "./en/parts";
import { settings } from "./en/settings";
import { slash } from "./en/slash";
import { thread } from "./en/thread";

export const en = { ...parts, ...frame, ...thread, ...cards, ...settings, ...slash } as const;
