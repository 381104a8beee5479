/** The one table of visible words: `t("key", {params})` in the person's language, redrawn when the language changes. */
import { computed, signal } from "@preact/signals";
import { en } from "./i18n/en";
import { es } from "./i18n/es";
import type { Saying } from "./wire";

/** A text, or its plural forms chosen by the parameter `count`. */
export type Text = string | { readonly one: string; readonly other: string };
export type Key = keyof typeof en;
export type Table = Readonly<Record<Key, Text>>;

export const tables = { en, es } satisfies Record<string, Table>;
export type Language = keyof typeof tables;
export const languages: readonly { id: Language; name: string }[] = [
  { id: "en", name: "English" },
  { id: "es", name: "Español" },
];

type Names<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Forms<T> = T extends string
  ? T
  : T extends { one: infer A extends string; other: infer B extends string }
    ? A | B
    : never;
type Count<T> = T extends string ? never : "count";
type ParamNames<K extends Key> = Names<Forms<(typeof en)[K]>> | Count<(typeof en)[K]>;
type Value<N> = N extends "count" ? number : string | number;
type Params<K extends Key> = [ParamNames<K>] extends [never]
  ? [params?: Record<string, never>]
  : [params: { [N in ParamNames<K>]: Value<N> }];

/** The language of the page. Set it with `setLanguage`. */
export const language = signal<Language>("en");

/** The locale for numbers and dates: the person's regional variant of the language where the browser knows one. */
export const locale = computed(() => {
  const wanted = language.value;
  const own = typeof navigator === "undefined" ? [] : navigator.languages;
  return own.find((tag) => tag === wanted || tag.startsWith(`${wanted}-`)) ?? wanted;
});

const figures = computed(() => new Intl.NumberFormat(locale.value));
/** Up to here a number is written alike in every locale of ours; the browser's knowledge of them takes long to be loaded. */
const PLAIN = 999;

/** English and Spanish have one form for one, and another for the rest. */
const isOne = (count: unknown): boolean => Number(count) === 1;

const figure = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value <= PLAIN ? String(value) : figures.value.format(value);

/** The first known language of a list of tags ("es-MX", "en"), else English. */
export function pickLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = languages.find(({ id }) => tag === id || tag.startsWith(`${id}-`));
    if (found) return found.id;
  }
  return "en";
}

/** Changes the page's language, its `lang` attribute included. */
export function setLanguage(id: Language): void {
  language.value = id;
  document.documentElement.lang = id;
}

/** The words for a key; reading it in a component subscribes the component to the language. */
export function t<K extends Key>(key: K, ...[params]: Params<K>): string {
  const text: Text = tables[language.value][key];
  const values = params as Record<string, string | number> | undefined;
  const form = typeof text === "string" ? text : text[isOne(values?.count) ? "one" : "other"];
  if (!values) return form;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? figure(value) : value;
  });
}

/**
 * What the backend told, in the person's language where it has a key for it: `message` is the same in English, and is shown
 * where there is none. Others' own words (`reason`) follow the sentence as they came.
 */
export function worded({ message, said }: { message: string; said?: Saying | null }): string {
  const key = `said.${said?.key}`;
  if (!said || !isKey(key)) return message;
  const say = t as (key: Key, holes: Saying["with"]) => string;
  const words = say(key, said.with);
  const { reason } = said.with;
  const inside = reason === undefined || fits(tables[language.value][key]);
  return inside ? words : `${words} ${t("said.reason", { reason })}`;
}

const isKey = (key: string): key is Key => Object.hasOwn(en, key);
const fits = (text: Text): boolean => JSON.stringify(text).includes("{reason}");
