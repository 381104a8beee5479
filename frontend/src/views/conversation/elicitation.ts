/** A server's question as fields: its flat JSON schema read, and the answer in the types the schema asks for. */
import type { Option } from "../../parts/Field";

export interface Asked {
  name: string;
  title: string;
  description: string;
  kind: "text" | "number" | "boolean";
  options: readonly Option[] | null;
  required: boolean;
  start: string | boolean;
}

export type Values = Readonly<Record<string, string | boolean>>;

type Schema = Readonly<Record<string, unknown>>;

const record = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

/** The fields of a schema, in its order. */
export function asked(schema: Schema): Asked[] {
  const required = new Set(list(schema.required));
  return Object.entries(record(schema.properties)).map(([name, value]) => {
    const field = record(value);
    const kind =
      field.type === "boolean" ? "boolean" : field.type === "number" || field.type === "integer" ? "number" : "text";
    return {
      name,
      title: text(field.title) || name,
      description: text(field.description),
      kind,
      options: optionsOf(field),
      required: required.has(name),
      start: kind === "boolean" ? field.default === true : text(field.default),
    };
  });
}

function optionsOf(field: Schema): Option[] | null {
  const titled = list(field.oneOf ?? field.anyOf).map(record);
  if (titled.length && titled.every((each) => "const" in each)) {
    return titled.map((each) => ({ value: text(each.const), label: text(each.title) || text(each.const) }));
  }
  const values = list(field.enum).map(text);
  const names = list(field.enumNames).map(text);
  return values.length ? values.map((value, at) => ({ value, label: names[at] ?? value })) : null;
}

export function startValues(fields: readonly Asked[]): Values {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.start || (field.required ? (field.options?.[0]?.value ?? "") : field.start),
    ]),
  );
}

export const missing = (field: Asked, values: Values): boolean =>
  field.required && field.kind !== "boolean" && String(values[field.name] ?? "").trim() === "";

/** The answer: numbers as numbers, what was left empty is left out. */
export function valuesFor(fields: readonly Asked[], values: Values): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const value = values[name] ?? "";
    if (kind === "boolean") given[name] = value === true;
    else if (value !== "") given[name] = kind === "number" ? Number(value) : value;
  }
  return given;
}
