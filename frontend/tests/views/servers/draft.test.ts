/** The form becomes a configuration, or says which field is wrong. */
import { describe, expect, it } from "vitest";
import {
  draftOf,
  emptyDraft,
  isAddress,
  isConfig,
  proposeName,
  readDraft,
  readPairs,
} from "../../../src/views/servers/draft";

const draft = (fields: Partial<typeof emptyDraft>) => ({ ...emptyDraft, name: "x", ...fields });

describe("a program", () => {
  it("gets its arguments from both fields, in their order", () => {
    const { form, words, faults } = readDraft(
      draft({ command: "npx -y", args: "server-everything stdio", cwd: " /tmp ", env: "A=1\nB=x=y" }),
    );
    expect(faults).toEqual({});
    expect(words).toEqual(["npx", "-y", "server-everything", "stdio"]);
    expect(form).toEqual({
      name: "x",
      command: "npx",
      args: ["-y", "server-everything", "stdio"],
      cwd: "/tmp",
      env: { A: "1", B: "x=y" },
    });
  });
  it("wins over an address", () =>
    expect(readDraft(draft({ command: "a", url: "http://x" })).form.url).toBeUndefined());
  it("is refused with an open quote, by field", () => {
    expect(Object.keys(readDraft(draft({ command: '"a', args: "'b" })).faults)).toEqual(["command", "args"]);
  });
  it("is refused with a variable that is none, naming the line", () => {
    expect(readDraft(draft({ command: "a", env: "A=1\nwhat" })).faults.env).toEqual({
      key: "servers.fault.variable",
      line: "what",
    });
  });
});

describe("an address", () => {
  const far = { url: "https://h.example/mcp", clientId: "leo" };
  it("goes with the client id and the secret that were given for signing in", () => {
    expect(readDraft(draft({ ...far, clientSecret: " s " })).form).toMatchObject({
      client_id: "leo",
      client_secret: "s",
      signs_in: "person",
    });
    expect(readDraft(draft({ ...far, hasSecret: true })).form.client_secret).toBeNull();
    expect(readDraft(draft(far)).form.client_secret).toBe("");
  });
  it("needs id and secret where LeoChat signs in alone", () => {
    expect(readDraft(draft({ ...far, signsIn: "client" })).faults).toHaveProperty("clientSecret");
    expect(readDraft(draft({ ...far, clientId: "", signsIn: "client" })).faults).toHaveProperty("clientId");
    expect(readDraft(draft({ ...far, signsIn: "client", hasSecret: true })).faults).toEqual({});
  });
  it("goes with its headers", () => {
    expect(readDraft(draft({ url: " https://h.example/mcp ", headers: "Authorization: Bearer a:b" })).form).toEqual({
      name: "x",
      url: "https://h.example/mcp",
      headers: { Authorization: "Bearer a:b" },
    });
  });
  it("must be whole", () => {
    expect(readDraft(draft({ url: "h.example" })).faults.url).toBeDefined();
    expect(isAddress("http://127.0.0.1:3001/mcp")).toBe(true);
    expect(isAddress("ftp://x")).toBe(false);
  });
  it("or a command must be there", () =>
    expect(readDraft(draft({})).faults.command).toEqual({ key: "servers.fault.nothing" }));
});

it("needs a name", () => expect(readDraft(draft({ name: " ", command: "a" })).faults.name).toBeDefined());

it("takes export and quotes off variables, as they are copied from a shell", () => {
  expect(readPairs("export A=\"x y\"\nB='z'\n\nC=", "=").pairs).toEqual({ A: "x y", B: "z", C: "" });
});

it.each([
  { name: "a", command: "npx", args: ["-y", "a b", ""], cwd: "/x y", env: { A: "1", Q: '"q"' } },
  { name: "b", command: "C:\\Program Files\\x.exe", args: [], cwd: null, env: {} },
  { name: "c", url: "https://h/mcp", headers: { "X-Key": "a: b" } },
])("shows a saved server so that saving it unchanged changes nothing: $name", (form) => {
  expect(readDraft(draftOf(form)).form).toEqual(form);
});

it.each([
  [["npx", "-y", "@modelcontextprotocol/server-everything@2026.7.4"], "", "everything"],
  [["uvx", "mcp-server-time==1.0"], "", "time"],
  [["python", "C:\\my\\weather.py"], "", "weather"],
  [["/usr/bin/thing"], "", "thing"],
  [[], "https://mcp.example.org/mcp", "example-org"],
  [[], "http://127.0.0.1:3001/mcp", "local-3001"],
  [[], "", ""],
])("proposes a name for %j %s", (words, url, name) => expect(proposeName(words, url)).toBe(name));

it("tells a pasted configuration from a command", () => {
  expect(isConfig(' {"mcpServers": {}}')).toBe(true);
  expect(isConfig('"mcpServers": {')).toBe(true);
  expect(isConfig("npx -y x")).toBe(false);
});
