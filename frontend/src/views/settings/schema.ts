/** Reads the settings' JSON schema into sections and fields, so that a new setting is drawn without a line here. */
import type { Language } from "../../i18n";

type Words = Partial<Record<Language, string>>;

export interface FieldSpec {
  /** Dotted, as set_setting wants it: "general.theme". */
  name: string;
  title: string;
  description: string;
  control: "switch" | "choice" | "number" | "text" | "list";
  /** The values of a choice, as they are in the settings. */
  options: readonly string[];
  /** Empty is allowed and means "no value". */
  optional: boolean;
  whole: boolean;
  min: number | undefined;
  max: number | undefined;
}

export interface Section {
  id: string;
  title: string;
  fields: FieldSpec[];
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (node: Json, plural: string, single: string, language: Language): string => {
  const words = node[plural] as Words | undefined;
  return words?.[language] ?? words?.en ?? (typeof node[single] === "string" ? node[single] : "");
};

/** The sections that are not hidden, in the schema's order, with words in `language`. */
export function sectionsOf(schema: Json, language: Language): Section[] {
  return propertiesOf(schema)
    .filter(([, node]) => node.hidden !== true && isObject(node.properties))
    .map(([id, node]) => ({
      id,
      title: textIn(node, "titles", "title", language) || id,
      fields: propertiesOf(node).flatMap(([key, field]) => fieldOf(`${id}.${key}`, field, language) ?? []),
    }))
    .filter(({ fields }) => fields.length > 0);
}

const propertiesOf = (node: Json): [string, Json][] =>
  isObject(node.properties)
    ? Object.entries(node.properties).filter((entry): entry is [string, Json] => isObject(entry[1]))
    : [];

/** Null for what has no control (an object); such settings have views of their own. */
function fieldOf(name: string, node: Json, language: Language): FieldSpec | null {
  const forms = [node, ...(Array.isArray(node.anyOf) ? node.anyOf.filter(isObject) : [])];
  const optional = forms.some(({ type }) => type === "null");
  const options = forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum.map(String) : []));
  const numeric = forms.find(({ type }) => type === "integer" || type === "number");
  const control = controlOf(forms, options, numeric !== undefined);
  if (control === null || node.hidden === true) return null;
  return {
    name,
    title: textIn(node, "titles", "title", language) || name,
    description: textIn(node, "descriptions", "description", language),
    control,
    options,
    optional,
    whole: numeric?.type === "integer",
    min: numberIn(numeric, "minimum"),
    max: numberIn(numeric, "maximum"),
  };
}

function controlOf(forms: readonly Json[], options: readonly string[], numeric: boolean): FieldSpec["control"] | null {
  const has = (type: string) => forms.some((form) => form.type === type);
  if (options.length > 0) return "choice";
  if (has("boolean")) return "switch";
  if (numeric) return "number";
  if (has("string")) return "text";
  const list = forms.find(({ type }) => type === "array");
  return list && isObject(list.items) && list.items.type === "string" ? "list" : null;
}

const numberIn = (node: Json | undefined, key: string): number | undefined =>
  typeof node?.[key] === "number" ? node[key] : undefined;

/** What a field's text means as a value; `problem` where it is no number or outside its bounds. */
export function readValue(
  spec: FieldSpec,
  text: string,
): { value: unknown } | { problem: "number" | "whole" | "low" | "high" | "empty"; bound?: number } {
  const typed = text.trim();
  if (spec.control === "list")
    return {
      value:
        typed === ""
          ? []
          : typed
              .split(/[\n,]/)
              .map((item) => item.trim())
              .filter(Boolean),
    };
  if (spec.control === "choice") return { value: typed === "" && spec.optional ? null : typed };
  if (spec.control !== "number") return { value: text };
  if (typed === "") return spec.optional ? { value: null } : { problem: "empty" };
  const value = Number(typed.replace(",", "."));
  if (!Number.isFinite(value)) return { problem: "number" };
  if (spec.whole && !Number.isInteger(value)) return { problem: "whole" };
  if (spec.min !== undefined && value < spec.min) return { problem: "low", bound: spec.min };
  if (spec.max !== undefined && value > spec.max) return { problem: "high", bound: spec.max };
  return { value };
}

/** A value as the text of its field. */
export const writeValue = (value: unknown): string =>
  value === null || value === undefined ? "" : Array.isArray(value) ? value.join("\n") : String(value);
