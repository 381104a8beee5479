/** What a person has filled into a card, and what is still missing before a button may act. */
import { type Signal, signal } from "@preact/signals";
import { t } from "../i18n";
import type { Card, Input } from "../wire";

export type InputValue = string | number | boolean | null;

/** The values of a card's inputs and what is wrong with them, by name. */
export interface Filled {
  values: Signal<Readonly<Record<string, InputValue>>>;
  wrong: Signal<Readonly<Record<string, string>>>;
}

/** Starts with the values the card came with. */
export function fill(card: Card): Filled {
  const values: Record<string, InputValue> = {};
  for (const input of inputsOf(card)) values[input.name] = start(input);
  return { values: signal(values), wrong: signal({}) };
}

export function inputsOf(card: Card): Input[] {
  return card.body.flatMap((block) => (block.type === "input" ? [block.input] : []));
}

function start(input: Input): InputValue {
  if (input.kind === "checkbox") return input.value === true || input.value === "true";
  if (input.value !== null) return typeof input.value === "boolean" ? String(input.value) : input.value;
  return input.kind === "select" && input.required ? (input.options[0]?.value ?? null) : null;
}

/** Changes a value; what was wrong with it is taken back. */
export function put(filled: Filled, name: string, value: InputValue): void {
  filled.values.value = { ...filled.values.value, [name]: value };
  if (!(name in filled.wrong.value)) return;
  const { [name]: _, ...rest } = filled.wrong.value;
  filled.wrong.value = rest;
}

/** Whether the buttons may act; says at each input what is missing. */
export function check(card: Card, filled: Filled): boolean {
  const wrong: Record<string, string> = {};
  for (const input of inputsOf(card)) {
    const value = filled.values.value[input.name] ?? null;
    const empty = value === null || value === false || String(value).trim() === "";
    if (input.required && empty) wrong[input.name] = t("part.fillIn");
    else if (input.kind === "number" && !empty && !Number.isFinite(Number(value)))
      wrong[input.name] = t("part.notANumber");
  }
  filled.wrong.value = wrong;
  return Object.keys(wrong).length === 0;
}
