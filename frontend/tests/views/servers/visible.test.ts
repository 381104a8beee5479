/** Nothing in a command can hide. */
import { expect, it } from "vitest";
import { hidesSomething, pieces } from "../../../src/views/servers/visible";

const hidden = (text: string) =>
  pieces(text)
    .filter((piece) => piece.hidden)
    .map(({ text: name }) => name);

it.each([
  ["direction", "a\u202eb", ["U+202E"]],
  ["zero width", "a\u200bb\u2060", ["U+200B", "U+2060"]],
  ["control", "a\u0007\u001b[2J", ["U+0007", "U+001B"]],
  ["line separator", "a\u2028b", ["U+2028"]],
  ["no-break space", "a\u00a0b", ["U+00A0"]],
  ["tags", "a\u{e0041}", ["U+E0041"]],
  ["fillers", "\u3164\u2800", ["U+3164", "U+2800"]],
  ["variation selector", "a\ufe0f", ["U+FE0F"]],
  ["line break", "a\nb", ["U+000A"]],
  ["outer spaces", " a b ", ["␣", "␣"]],
])("names %s characters", (_, text, names) => {
  expect(hidden(text)).toEqual(names);
  expect(hidesSomething(text)).toBe(true);
});

it.each(["npx -y @scope/pkg@1.2", "C:\\Users\\José\\ñ", "日本語 😀", ""])("leaves %s as it is", (text) => {
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(hidesSomething(text)).toBe(false);
});
