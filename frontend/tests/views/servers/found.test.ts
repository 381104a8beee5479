import { expect, it } from "vitest";
import { isUnpinned, missingIn, needsOf, sourceOf, valuesOf } from "../../../src/views/servers/found";
import { blank, foundServer } from "./found-server";

it.each([
  ["npx", "-y", "@scope/server"],
  ["npx", "-y", "@scope/server@latest"],
  ["uvx", "mcp-server-git"],
  ["C:\\bin\\npx.cmd", "pkg"],
])("sees that %s %s %s takes whatever version is newest", (...words) => {
  expect(isUnpinned(words)).toBe(true);
});

it.each([
  ["npx", "-y", "@scope/server@1.2.3"],
  ["uvx", "mcp-server-git==0.6"],
  ["uvx", "mcp-server-git@0.6"],
  ["node", "server.js"],
])("sees that %s %s %s is one version", (...words) => {
  expect(isUnpinned(words)).toBe(false);
});

const variable = (name: string): string => `$\{${name}}`;

it("tells what the environment has to supply from what the form asks for", () => {
  const server = foundServer({
    command: ["x", `--key=${variable("API_KEY")}`, variable("env:HOME"), variable("input:token")],
    blanks: [blank("apiKey")],
  });
  expect(needsOf(server)).toEqual(["HOME", "token"]);
});

it("sends what was filled in or proposed, several values as a list, and names what is missing", () => {
  const server = foundServer({
    blanks: [
      blank("key", { required: true }),
      blank("loud", { kind: "boolean", default: ["true"] }),
      blank("count", { kind: "number", default: ["2"] }),
      blank("where", { multiple: true, required: true }),
    ],
  });
  expect(missingIn([server], {})).toEqual(new Set(["thing key", "thing where"]));
  const filled = { thing: { key: "k", where: "/a\n\n/b" } };
  expect(missingIn([server], filled)).toEqual(new Set());
  expect(valuesOf([server], filled)).toEqual({ thing: { key: "k", loud: true, count: "2", where: ["/a", "/b"] } });
});

it("takes the text of a small file", async () => {
  const file = Object.assign(new File([""], "claude_desktop_config.json"), { text: async () => '{"a": 1}' });
  expect(await sourceOf(file)).toEqual({ text: '{"a": 1}' });
});
