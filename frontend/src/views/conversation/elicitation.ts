/** A server's question as fields: its flat JSON schema read, and the answer in the types the schema asks for. */
import { t } from "../../i18n";
import type { Option } from "../../parts/Field";

export interface Asked {
  name: string;
  title: string;
  description: string;
  kind: "text" | "number" | "boolean" | "choices";
  options: readonly Option[] | null;
  required: boolean;
  start: Value;
  /** How a text is checked and which field the browser shows for it. */
  format: Format | null;
  limits: Limits;
}

export type Value = string | boolean | readonly string[];
export type Values = Readonly<Record<string, Value>>;
type Format = "email" | "uri" | "date" | "date-time";
type Limit = "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems";

export interface Limits extends Readonly<Partial<Record<Limit, number>>> {
  readonly integer: boolean;
}

/** What is wrong with a field, in words. */
export type Fault = string | undefined;

type Schema = Readonly<Record<string, unknown>>;

const record = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

const FORMATS: ReadonlySet<unknown> = new Set<Format>(["email", "uri", "date", "date-time"]);
const LIMITS: readonly Limit[] = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];

/** The fields of a schema, in its order. */
export function asked(schema: Schema): Asked[] {
  const required = new Set(list(schema.required));
  return Object.entries(record(schema.properties)).map(([name, value]) => {
    const field = record(value);
    const kind = kindOf(field);
    return {
      name,
      title: text(field.title) || name,
      description: text(field.description),
      kind,
      options: optionsOf(kind === "choices" ? record(field.items) : field),
      required: required.has(name),
      start: startOf(kind, field.default),
      format: FORMATS.has(field.format) ? (field.format as Format) : null,
      limits: limitsOf(field),
    };
  });
}

function kindOf(field: Schema): Asked["kind"] {
  if (field.type === "boolean") return "boolean";
  if (field.type === "number" || field.type === "integer") return "number";
  return field.type === "array" ? "choices" : "text";
}

function startOf(kind: Asked["kind"], given: unknown): Value {
  if (kind === "boolean") return given === true;
  return kind === "choices" ? list(given).map(text) : text(given);
}

function limitsOf(field: Schema): Limits {
  const found = LIMITS.filter((name) => typeof field[name] === "number").map((name) => [name, field[name]]);
  return { ...Object.fromEntries(found), integer: field.type === "integer" };
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

/** Why a field cannot be sent as it is. */
export function faultOf(field: Asked, values: Values): Fault {
  const value = values[field.name] ?? "";
  if (field.kind === "boolean") return undefined;
  if (field.kind === "choices") return countFault(field, Array.isArray(value) ? value.length : 0);
  const given = String(value).trim();
  if (given === "") return field.required ? t("part.fillIn") : undefined;
  if (field.options) return undefined;
  return field.kind === "number" ? numberFault(field, Number(given)) : textFault(field, given);
}

function countFault({ required, limits }: Asked, count: number): Fault {
  const least = limits.minItems ?? (required ? 1 : 0);
  if (count < least && (required || count > 0)) return t("elicit.bad.minItems", { count: least });
  return count > (limits.maxItems ?? Infinity) ? t("elicit.bad.maxItems", { count: limits.maxItems ?? 0 }) : undefined;
}

function numberFault({ limits }: Asked, value: number): Fault {
  if (!Number.isFinite(value)) return t("elicit.bad.number");
  if (limits.integer && !Number.isInteger(value)) return t("elicit.bad.integer");
  if (value < (limits.minimum ?? -Infinity)) return t("elicit.bad.minimum", { limit: limits.minimum ?? 0 });
  return value > (limits.maximum ?? Infinity) ? t("elicit.bad.maximum", { limit: limits.maximum ?? 0 }) : undefined;
}

function textFault({ format, limits }: Asked, value: string): Fault {
  const length = [...value].length;
  if (format === "email" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return t("elicit.bad.email");
  if (format === "uri" && !isAddress(value)) return t("elicit.bad.uri");
  if (length < (limits.minLength ?? 0)) return t("elicit.bad.minLength", { count: limits.minLength ?? 0 });
  return length > (limits.maxLength ?? Infinity)
    ? t("elicit.bad.maxLength", { count: limits.maxLength ?? 0 })
    : undefined;
}

const isAddress = (value: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(value);

/** The answer: numbers as numbers, what was left empty is left out. */
export function valuesFor(fields: readonly Asked[], values: Values): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const field of fields) {
    const { name, kind } = field;
    const value = values[name] ?? "";
    if (kind === "boolean") given[name] = value === true;
    else if (kind === "choices") {
      if (field.required || (Array.isArray(value) && value.length)) given[name] = Array.isArray(value) ? value : [];
    } else if (value !== "") given[name] = kind === "number" ? Number(value) : moment(field, String(value).trim());
  }
  return given;
}

/** What the browser's field gives for a moment lacks its offset. */
function moment({ format }: Asked, value: string): string {
  const at = format === "date-time" ? new Date(value) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : value;
}

/** The kind of the browser's own field. */
export function inputType({ format }: Asked): string {
  if (format === "email") return "email";
  if (format === "uri") return "url";
  if (format === "date") return "date";
  return format === "date-time" ? "datetime-local" : "text";
}
