/** What a pasted configuration would add is shown before it is added. */
import { expect, it } from "vitest";
import { isUnpinned, readConfig } from "../../../src/views/servers/config-text";

const names = (text: string) => {
  const reading = readConfig(text);
  return "servers" in reading ? reading.servers.map(({ name }) => name) : reading.problem;
};

it.each([
  ['{"mcpServers": {"a": {"command": "x"}}}', ["a"]],
  ['{"servers": {"a": {"url": "http://x"}}}', ["a"]],
  ['{"mcp": {"servers": {"a": {"command": "x"}}}}', ["a"]],
  ['{"a": {"command": "x"}, "b": {"url": "http://x"}}', ["a", "b"]],
  ['"mcpServers": {"a": {"command": "x"}},', ["a"]],
  ['{"a": 1}', "none"],
  ["[]", "none"],
  ["{", "json"],
  [" ", "empty"],
])("finds the servers in %s", (text, found) => expect(names(text)).toEqual(found));

it("says what a server needs and that its version is not fixed", () => {
  const reading = readConfig(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how configurations name variables
    '{"mcpServers": {"d": {"command": "npx", "args": ["-y", "@a/b"], "env": {"K": "${env:KEY}", "L": "${KEY}"}}}}',
  );
  expect(reading).toEqual({
    servers: [{ name: "d", words: ["npx", "-y", "@a/b"], url: null, unpinned: true, needs: ["KEY"] }],
  });
});

it.each([
  [["npx", "-y", "@a/b@1.2.3"], false],
  [["npx.cmd", "thing@2"], false],
  [["npx", "thing"], true],
  [["npx", "thing@latest"], true],
  [["uvx", "thing==1.0"], false],
  [["uvx", "thing"], true],
  [["python", "x.py"], false],
])("%j fetches whatever is newest: %s", (words, unpinned) => expect(isUnpinned(words)).toBe(unpinned));
