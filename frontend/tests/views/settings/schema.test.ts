/** A setting in the schema is a field on the page, in both languages, with its bounds. */
import { describe, expect, it } from "vitest";
import { type FieldSpec, readValue, sectionsOf, writeValue } from "../../../src/views/settings/schema";

const schema = {
  type: "object",
  properties: {
    general: {
      titles: { en: "General", es: "General" },
      properties: {
        language: {
          enum: ["system", "en"],
          type: "string",
          titles: { en: "Language", es: "Idioma" },
          descriptions: { en: "Which", es: "Cuál" },
        },
        size: { type: "integer", minimum: 80, maximum: 200, title: "Size" },
        on: { type: "boolean" },
        temperature: {
          anyOf: [{ type: "number", minimum: 0, maximum: 2 }, { type: "null" }],
          titles: { en: "Temperature" },
        },
        thinking: { anyOf: [{ enum: ["off", "low"], type: "string" }, { type: "integer" }, { type: "null" }] },
        hosts: { type: "array", items: { type: "string" } },
        map: { type: "object", additionalProperties: { type: "integer" } },
        name: { type: "string" },
      },
    },
    window: { hidden: true, properties: { width: { type: "integer" } } },
    providers: { type: "array", items: { type: "object" } },
  },
};

const fields = (language: "en" | "es") => sectionsOf(schema, language)[0]?.fields ?? [];
const field = (name: string) => fields("en").find((each) => each.name === `general.${name}`) as FieldSpec;

describe("the schema", () => {
  it("gives its sections without the hidden ones", () =>
    expect(sectionsOf(schema, "en").map(({ id }) => id)).toEqual(["general"]));
  it("gives each field a control, and none to what has no control", () => {
    expect(fields("en").map(({ name, control }) => `${name} ${control}`)).toEqual([
      "general.language choice",
      "general.size number",
      "general.on switch",
      "general.temperature number",
      "general.thinking choice",
      "general.hosts list",
      "general.name text",
    ]);
  });
  it("gives words in the language, else in English, else the name", () => {
    expect(
      fields("es")
        .map(({ title }) => title)
        .slice(0, 4),
    ).toEqual(["Idioma", "Size", "general.on", "Temperature"]);
    expect(fields("es")[0]?.description).toBe("Cuál");
  });
});

describe("what is typed", () => {
  it.each([
    ["size", "120", { value: 120 }],
    ["size", "79", { problem: "low", bound: 80 }],
    ["size", "201", { problem: "high", bound: 200 }],
    ["size", "1.5", { problem: "whole" }],
    ["size", "x", { problem: "number" }],
    ["size", " ", { problem: "empty" }],
    ["temperature", "0,7", { value: 0.7 }],
    ["temperature", "", { value: null }],
    ["thinking", "", { value: null }],
    ["thinking", "low", { value: "low" }],
    ["hosts", "a.example, b.example\nc.example", { value: ["a.example", "b.example", "c.example"] }],
    ["hosts", "", { value: [] }],
    ["name", " as it is ", { value: " as it is " }],
  ] as const)("%s %j", (name, text, expected) => expect(readValue(field(name), text)).toEqual(expected));
  it("is written back as it would be typed", () => {
    expect([null, undefined, 0, ["a", "b"], "x"].map(writeValue)).toEqual(["", "", "0", "a\nb", "x"]);
  });
});
