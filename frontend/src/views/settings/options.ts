/** Words for the values of choices that the page knows; any other value stands for itself. */
import { languages, t } from "../../i18n";

const words: Record<string, () => string> = {
  "general.language=system": () => t("settings.option.system"),
  "model.thinking=off": () => t("settings.option.off"),
  "model.thinking=low": () => t("settings.option.low"),
  "model.thinking=medium": () => t("settings.option.medium"),
  "model.thinking=high": () => t("settings.option.high"),
};

export function optionWord(setting: string, value: string): string {
  const known = words[`${setting}=${value}`];
  if (known) return known();
  if (setting === "general.language") return languages.find(({ id }) => id === value)?.name ?? value;
  return value;
}
