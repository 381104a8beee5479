/** A conversation's own options go to the backend as they were typed, and empty ones back to the settings. */
import { expect, it } from "vitest";
import { readOptions } from "../../../src/views/models/options";

const texts = { system: "", temperature: "", max_tokens: "", thinking: "" };

it("sends nothing typed as null", () => {
  expect(readOptions(texts)).toEqual({
    options: { system: "", temperature: null, max_tokens: null, thinking: null },
    faults: {},
  });
});
it("reads numbers, with a comma too", () => {
  expect(readOptions({ ...texts, temperature: "0,5", max_tokens: "800", thinking: "2048" }).options).toMatchObject({
    temperature: 0.5,
    max_tokens: 800,
    thinking: 2048,
  });
});
it.each([
  ["temperature", "3"],
  ["temperature", "x"],
  ["max_tokens", "0"],
  ["max_tokens", "1.5"],
])("refuses %s %s", (option, text) => {
  expect(readOptions({ ...texts, [option]: text }).faults).toEqual({ [option]: true });
});
