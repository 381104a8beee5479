/** Importing from a file with its form, trying a tool, remedies, copies and signing out, against a backend by script. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { servers } from "../../../src/desk";
import { ServersPage } from "../../../src/views/servers/ServersPage";
import { type Sent, startBackend } from "../fake-backend";
import { blank, found } from "./found-server";
import { server } from "./server-info";

let sent: Sent[];
const asked = (kind: string) => sent.filter((command) => command.type === kind);
const field = (name: string) => document.querySelector(`[data-name="${name}"]`) as HTMLInputElement;
const fill = (name: string, value: string) => fireEvent.input(field(name), { target: { value } });

const SCHEMA = {
  input_schema: {
    type: "object",
    properties: { a: { type: "number" }, loud: { type: "boolean" }, mode: { type: "string", enum: ["x", "y"] } },
    required: ["a"],
  },
  output_schema: null,
};
const NESTED = { input_schema: { type: "object", properties: { deep: { type: "object" } } }, output_schema: null };

beforeEach(() => {
  servers.value = [
    server("adder", {
      kind: "third_party",
      transport: "http",
      url: "https://a.example/mcp",
      signed_in: true,
      started_ms: Date.now() - 3 * 3_600_000,
      calls: 12,
      used_ms: Date.now() - 3 * 86_400_000,
      era: "legacy",
      protocol: "2025-06-18",
      last_error: "It went wrong",
      failed_ms: 1,
      tools: ["add", "nested"].map((name) => ({
        name,
        title: null,
        description: "",
        enabled: true,
        asks: true,
        tokens: 9,
      })),
    }),
    server("lost", {
      kind: "third_party",
      state: "error",
      message: "Not found. Install it.",
      remedies: [
        { kind: "program", value: "/opt/npx" },
        { kind: "install", value: "sudo apt-get install nodejs npm" },
      ],
    }),
  ];
  const bundle = found(
    [
      {
        name: "box",
        command: ["node", "/b/main.js"],
        blanks: [
          blank("key", { title: "API key", required: true, secret: true }),
          blank("unit", { choices: ["C", "F"] }),
        ],
        notes: [{ message: "Its manifest leaves out author.", said: [] }],
      },
      { name: "far", url: "https://b.example" },
    ],
    { bundle: true },
  );
  sent = startBackend({
    servers_log: () => ({ lines: [] }),
    servers_memory: () => ({ bytes: { adder: 42_000_000 } }),
    servers_find: () => bundle,
    servers_add: () => ({ names: [], notes: [] }),
    servers_copy: () => ({ name: "adder-2" }),
    servers_schema: (command) => (command.tool === "add" ? SCHEMA : NESTED),
    servers_try: () => ({ text: "42", is_error: false, duration_ms: 7, structured: null, pictures: [] }),
    prompts_list: () => ({ servers: [] }),
    resources_list: () => ({ servers: [] }),
  }).sent;
  render(<ServersPage />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  servers.value = null;
});

it("uploads a picked bundle, asks for what it needs, and adds only what is chosen", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ ref: "r1" })));
  fireEvent.click(screen.getByTestId("server-add"));
  const picked = new File(["PK"], "box.mcpb");
  fireEvent.change(screen.getByTestId("server-file"), { target: { files: [picked] } });
  expect(await screen.findByText("2 servers found", {}, { timeout: 15_000 })).toBeTruthy();
  expect(asked("servers_find")[0]).toMatchObject({ ref: "r1" });
  expect(screen.getByText("Its manifest leaves out author.")).toBeTruthy();
  expect(field("key").type).toBe("password");
  fireEvent.click(screen.getByLabelText("Add far"));
  fireEvent.click(screen.getByTestId("server-save"));
  expect((await screen.findByRole("alert")).textContent).toBe("Fill this in first");
  expect(asked("servers_add")).toEqual([]);
  fill("key", "s3cret");
  fireEvent.change(field("unit"), { target: { value: "F" } });
  fireEvent.click(screen.getByTestId("server-save"));
  await waitFor(() =>
    expect(asked("servers_add")[0]).toMatchObject({
      ref: "r1",
      picked: ["box"],
      values: { box: { key: "s3cret", unit: "F" } },
    }),
  );
}, 30_000);

it("shows what a server is used for and takes", async () => {
  expect(screen.getByTestId("server-used").textContent).toBe("12 calls, the last one 3 days ago");
  expect((await screen.findByTestId("server-memory")).textContent).toBe("42\u00a0MB");
  const facts = screen.getByText("Running for").closest("dl")?.textContent ?? "";
  expect(facts).toContain("3 hours");
  expect(facts).toContain("with a handshake");
  expect(facts).toContain("Streamable HTTP");
  expect(facts).toContain("It went wrong");
});

it("signs out, and makes a copy", async () => {
  fireEvent.click(screen.getByTestId("server-sign-out"));
  await waitFor(() => expect(asked("servers_sign_out")[0]).toMatchObject({ name: "adder" }));
});

it("tries a tool with a form drawn from its schema", async () => {
  fireEvent.click(screen.getByText("add"));
  const form = await screen.findByTestId("tool-form");
  fireEvent.click(within(form).getByTestId("tool-run"));
  expect((await within(form).findByRole("alert")).textContent).toBe("Fill this in first");
  fireEvent.input(within(form).getByRole("textbox"), { target: { value: "40" } });
  fireEvent.click(within(form).getByTestId("tool-run"));
  expect((await screen.findByTestId("tool-result")).textContent).toContain("42");
  expect(asked("servers_try")[0]).toMatchObject({ name: "adder", tool: "add", arguments: { a: 40, loud: false } });
});

it("takes the arguments of a tool as JSON where a form could not hold them", async () => {
  fireEvent.click(screen.getByText("nested"));
  fireEvent.input(await screen.findByTestId("tool-json"), { target: { value: '{"deep": {"n": 1}}' } });
  fireEvent.click(screen.getByTestId("tool-run"));
  await waitFor(() => expect(asked("servers_try")[0]).toMatchObject({ arguments: { deep: { n: 1 } } }));
});

it("offers what can be done about a trouble, and shows a command to copy", async () => {
  const row = screen.getAllByTestId("server-row").find((each) => each.dataset.server === "lost") as HTMLElement;
  expect(row.textContent).toContain("sudo apt-get install nodejs npm");
  fireEvent.click(within(row).getByText("Use /opt/npx"));
  await waitFor(() =>
    expect(asked("servers_remedy")[0]).toMatchObject({ name: "lost", remedy: { kind: "program", value: "/opt/npx" } }),
  );
});
