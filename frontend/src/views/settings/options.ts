/** Words for the values of choices that the page knows; any other value stands for itself. */
import { type Key, languages, t } from "../../i18n";

const keys: Record<string, Key> = {
  "general.language=system": "settings.option.system",
  "approvals.mode=ask": "settings.option.ask",
  "approvals.mode=reads": "settings.option.reads",
  "approvals.mode=all": "settings.option.all",
  "approvals.mode=none": "settings.option.none",
  "model.thinking=off": "settings.option.off",
  "model.thinking=low": "settings.option.low",
  "model.thinking=medium": "settings.option.medium",
  "model.thinking=high": "settings.option.high",
};

export function optionWord(setting: string, value: string): string {
  const key = keys[`${setting}=${value}`];
  if (key) return t(key, {} as never);
  if (setting === "general.language") return languages.find(({ id }) => id === value)?.name ?? value;
  return value;
}
