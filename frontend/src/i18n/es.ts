/** Spanish. A missing or extra key does not compile. */
import type { Table } from "../i18n";
import { about } from "./es/about";
import { cards } from "./es/cards";
import { causes } from "./es/causes";
import { folders } from "./es/folders";
import { frame } from "./es/frame";
import { material } from "./es/material";
import { parts } from "./es/parts";
import { results } from "./es/results";
import { said } from "./es/said";
import { settings } from "./es/settings";
import { slash } from "./es/slash";
import { thread } from "./es/thread";
import { told } from "./es/told";

export const es: Table = {
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
};
