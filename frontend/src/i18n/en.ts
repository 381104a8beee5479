/** English: the keys here are the type every other language must fill. */
import { about } from "./en/about";
import { cards } from "./en/cards";
import { causes } from "./en/causes";
import { folders } from "./en/folders";
import { frame } from "./en/frame";
import { material } from "./en/material";
import { parts } from "./en/parts";
import { results } from "./en/results";
import { said } from "./en/said";
import { settings } from "./en/settings";
import { slash } from "./en/slash";
import { thread } from "./en/thread";
import { told } from "./en/told";

export const en = {
  ...parts,
  ...about,
  ...frame,
  ...thread,
  ...cards,
  ...settings,
  ...folders,
  ...slash,
  ...material,
  ...said,
  ...causes,
  ...told,
  ...results,
} as const;
