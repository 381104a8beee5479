/** A server's form: every kind of field of the protocol read, checked and answered in the types it asks for. */
import { describe, expect, it } from "vitest";
import { asked, faultOf, inputType, startValues, valuesFor } from "../../src/views/conversation/elicitation";

const schema = {
  type: "object",
  required: ["mail", "toppings"],
  properties: {
    mail: { type: "string", format: "email", maxLength: 20 },
    page: { type: "string", format: "uri" },
    day: { type: "string", format: "date", default: "2026-01-31" },
    count: { type: "integer", minimum: 1, maximum: 5 },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
      default: "l",
    },
    old: { type: "string", enum: ["a", "b"], enumNames: ["Ann", "Bob"] },
    toppings: {
      type: "array",
      maxItems: 2,
      items: {
        anyOf: [
          { const: "c", title: "Cheese" },
          { const: "o", title: "Olives" },
          { const: "b", title: "Basil" },
        ],
      },
      default: ["c"],
    },
    sure: { type: "boolean", default: true },
  },
};
const fields = asked(schema);
const field = (name: string) => fields.find((each) => each.name === name) ?? (fields[0] as (typeof fields)[number]);
const start = startValues(fields);
const fault = (name: string, value: string | readonly string[]) => faultOf(field(name), { ...start, [name]: value });

describe("a server's form", () => {
  it("begins with its defaults, choices by their titles", () => {
    expect(start).toMatchObject({ day: "2026-01-31", size: "l", toppings: ["c"], sure: true, count: "" });
    expect(field("size").options?.map(({ label }) => label)).toEqual(["Small", "Large"]);
    expect(field("old").options?.map(({ label }) => label)).toEqual(["Ann", "Bob"]);
    expect(field("toppings").options?.map(({ label }) => label)).toEqual(["Cheese", "Olives", "Basil"]);
    expect(["mail", "page", "day", "count"].map((name) => inputType(field(name)))).toEqual([
      "email",
      "url",
      "date",
      "text",
    ]);
  });

  it("says what does not fit before it is sent", () => {
    expect(fault("mail", "")).toBeTruthy();
    expect(fault("mail", "leo")).toContain("e-mail");
    expect(fault("mail", "a.very.long.name@example.org")).toContain("20");
    expect(fault("page", "example.org")).toBeTruthy();
    expect(fault("count", "many")).toBeTruthy();
    expect(fault("count", "1.5")).toBeTruthy();
    expect(fault("count", "6")).toContain("5");
    expect(fault("toppings", [])).toContain("1");
    expect(fault("toppings", ["c", "o", "b"])).toContain("2");
    for (const [name, value] of [
      ["mail", "l@x.org"],
      ["page", "https://x.org/"],
      ["count", "5"],
      ["count", ""],
    ] as const) {
      expect(fault(name, value)).toBeUndefined();
    }
  });

  it("answers in the types it asks for, and leaves out what is empty", () => {
    expect(valuesFor(fields, { ...start, mail: "l@x.org", count: "3", toppings: ["c", "b"] })).toEqual({
      mail: "l@x.org",
      day: "2026-01-31",
      count: 3,
      size: "l",
      toppings: ["c", "b"],
      sure: true,
    });
  });
});
