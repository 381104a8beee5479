/**
 * Sentences that the model is told in English and that a person reads too, in the person's language: known again by what they
 * are made of. What is not known whole stays as it came.
 */
import { language, type Text, tables } from "./i18n";
import { results } from "./i18n/en/results";

interface Known {
  key: keyof typeof results;
  pattern: RegExp;
  fixed: number;
}

/** A longer text is no sentence of ours. */
const LONGEST = 4000;
const HOLE = /\{(\w+)\}/g;

let known: Known[] | null = null;

/** Those that leave least to guess come first. */
const all = (): Known[] => {
  known ??= (Object.keys(results) as (keyof typeof results)[])
    .map((key) => ({ key, pattern: patternOf(results[key]), fixed: results[key].replace(HOLE, "").length }))
    .sort((a, b) => b.fixed - a.fixed);
  return known;
};

const patternOf = (sentence: string): RegExp => {
  const parts = sentence.split(HOLE);
  const escaped = parts.map((part, at) => (at % 2 ? `(?<${part}>.+?)` : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${escaped.join("")}$`, "s");
};

/** `text` in the person's language where it is one of these sentences; null where it is none, or English is the language. */
export function telling(text: string): string | null {
  if (language.value === "en" || !text || text.length > LONGEST) return null;
  for (const { key, pattern } of all()) {
    const found = pattern.exec(text);
    if (!found) continue;
    const words: Text = tables[language.value][key];
    if (typeof words !== "string") return null;
    return words.replace(HOLE, (_, name: string) => inner(name, found.groups?.[name] ?? ""));
  }
  return null;
}

/** What fills a hole: a sentence of the table itself (why a folder is closed), several faults, or others' words. */
function inner(name: string, value: string): string {
  if (name === "faults") return faults(value);
  return name === "why" ? (telling(value) ?? value) : value;
}

/** "is missing; `b` must be text (it was 5)": the first one's name stands before it. */
function faults(told: string): string {
  const one = (words: string) => telling(words) ?? words;
  return told
    .split(/; (?=`)/)
    .map((part) => {
      const named = /^(`[^`]+`) (.*)$/s.exec(part);
      return named ? `${named[1]} ${one(named[2] ?? "")}` : one(part);
    })
    .join("; ");
}

/** The same, or `text` itself. */
export const told = (text: string): string => telling(text) ?? text;
