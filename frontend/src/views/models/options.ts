/** A conversation's own options as texts of a form and back; an empty text goes back to the settings. */
import { t } from "../../i18n";
import type { ConversationInfo } from "../../wire";

export type Option = "system" | "temperature" | "max_tokens" | "thinking";
export type Texts = Record<Option, string>;

export const writeOptions = (conversation: ConversationInfo): Texts => ({
  system: conversation.system,
  temperature: conversation.temperature === null ? "" : String(conversation.temperature),
  max_tokens: conversation.max_tokens === null ? "" : String(conversation.max_tokens),
  thinking: conversation.thinking ?? "",
});

export interface OptionsReading {
  options: { system: string; temperature: number | null; max_tokens: number | null; thinking: string | number | null };
  faults: Partial<Record<Option, true>>;
}

/** Temperature from 0 to 2, the longest reply a whole number of tokens. */
export function readOptions(texts: Texts): OptionsReading {
  const temperature = numberOf(texts.temperature);
  const tokens = numberOf(texts.max_tokens);
  const faults: OptionsReading["faults"] = {};
  if (temperature !== null && !(temperature >= 0 && temperature <= 2)) faults.temperature = true;
  if (tokens !== null && !(Number.isInteger(tokens) && tokens > 0)) faults.max_tokens = true;
  const thinking = /^\d+$/.test(texts.thinking) ? Number(texts.thinking) : texts.thinking || null;
  return { options: { system: texts.system, temperature, max_tokens: tokens, thinking }, faults };
}

const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text.trim().replace(",", ".")));

/** The levels of thinking in words; a number of tokens that was set elsewhere stays choosable. */
export function thinkingWords(now: string): { value: string; label: string }[] {
  const levels = [
    { value: "", label: t("settings.modelDefault") },
    { value: "off", label: t("settings.option.off") },
    { value: "low", label: t("settings.option.low") },
    { value: "medium", label: t("settings.option.medium") },
    { value: "high", label: t("settings.option.high") },
  ];
  return levels.some(({ value }) => value === now) ? levels : [...levels, { value: now, label: now }];
}
