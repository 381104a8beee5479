/** Adding, accepting, switching and removing servers as a person does it, against a backend by script. */
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it } from "vitest";
import { servers } from "../../../src/desk";
import { ConfirmHost } from "../../../src/parts/confirm";
import { ServersPage } from "../../../src/views/servers/ServersPage";
import type { ServerInfo } from "../../../src/wire";
import { type Sent, startBackend } from "../fake-backend";
import { found } from "./found-server";
import { server } from "./server-info";

const waiting = (name: string, command: string[], more: Partial<ServerInfo> = {}): ServerInfo =>
  server(name, {
    kind: "third_party",
    transport: "stdio",
    state: "waiting",
    accepted: false,
    hash: `hash of ${name}`,
    command,
    ...more,
  });

let list: ServerInfo[];
let sent: Sent[];
const tell = (next: ServerInfo[]) => {
  list = next;
  servers.value = next;
};
const row = (name: string) =>
  screen.getAllByTestId("server-row").find((each) => each.dataset.server === name) as HTMLElement;
const type = (testid: string, text: string) => fireEvent.input(screen.getByTestId(testid), { target: { value: text } });
const asked = (kind: string) => sent.filter((command) => command.type === kind);

beforeEach(() => {
  tell([
    server("files", {
      tools: [{ name: "read", title: null, description: "Reads a file", enabled: true, asks: false, tokens: 98 }],
      tokens: 98,
    }),
    server("quiz", { kind: "demo", state: "disabled", enabled: false }),
    server("broken", {
      kind: "third_party",
      transport: "stdio",
      state: "error",
      message: "The program was not found. Install it.",
      detail: "PATH: /usr/bin",
      command: ["gone"],
      hash: "h",
    }),
  ]);
  const started = startBackend({
    servers_log: () => ({ lines: ["10:00:00.000 host: started"] }),
    servers_memory: () => ({ bytes: { broken: 42_000_000 } }),
    servers_find: () => found([{ name: "docs", url: "https://d.example/mcp" }]),
    prompts_list: () => ({ servers: [] }),
    resources_list: () => ({ servers: [] }),
    servers_add: (command) => {
      const form = command.server as { name: string; command: string; args: string[]; env: Record<string, string> };
      if (form.name === "taken") throw new Error("There is a server called taken already.");
      tell([...list, waiting(form.name, [form.command, ...form.args], { variables: Object.keys(form.env) })]);
      return { names: [form.name], notes: [] };
    },
    servers_accept: (command) =>
      tell(
        list.map((each) =>
          each.name === command.name ? { ...each, state: "ready", accepted: true, changes: null } : each,
        ),
      ),
    servers_remove: (command) => tell(list.filter((each) => each.name !== command.name)),
    servers_get: () => ({
      name: "broken",
      command: "gone",
      args: ["a b"],
      cwd: null,
      env: { K: "v" },
      url: null,
      headers: {},
    }),
    servers_launch: (command) => {
      const form = command.server as { name: string; command?: string; args: string[]; env?: object };
      const words = form.command ? [form.command, ...form.args] : [];
      const hash = `hash of ${words.join(" ")}`;
      const accepted = !form.command || words.join(" ") === "gone a b";
      return { name: form.name, hash, accepted, command: words, cwd: null, variables: Object.keys(form.env ?? {}) };
    },
    servers_test: () => ({
      ok: true,
      message: "",
      detail: null,
      tools: ["echo"],
      duration_ms: 812,
      steps: [{ name: "handshake", ok: true, ms: 700 }],
      protocol: "2026-07-28",
      era: "modern",
      version: "3",
      unclean: 2,
      remedies: [],
    }),
  });
  sent = started.sent;
  render(
    <>
      <ServersPage />
      <ConfirmHost />
    </>,
  );
});
afterEach(() => {
  cleanup();
  servers.value = null;
});

it("shows each server's state as a word and a mark", () => {
  expect(row("files").dataset.status).toBe("ready");
  expect(row("files").textContent).toContain("Ready · 1 tool · 98 tokens a round");
  expect(row("quiz").dataset.status).toBe("disabled");
  expect(within(row("broken")).getByText("The program was not found.")).toBeTruthy();
});

it("adds a server, shows exactly what starts, and starts it only when that is accepted", async () => {
  fireEvent.click(screen.getByTestId("server-add"));
  type("server-name", "everything");
  type("server-command", "npx");
  type("server-args", "-y @modelcontextprotocol/server-everything");
  type("server-env", "KEY=secret");
  fireEvent.click(screen.getByTestId("server-save"));
  const dialog = await screen.findByTestId("server-consent");
  expect(asked("servers_add")[0]?.server).toMatchObject({
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-everything"],
  });
  expect([...dialog.querySelectorAll("li code")].map((line) => line.textContent)).toEqual([
    "npx",
    "-y",
    "@modelcontextprotocol/server-everything",
  ]);
  expect(dialog.textContent).toContain("KEY");
  expect(dialog.textContent).not.toContain("secret");
  await waitFor(() => expect(document.activeElement === screen.getByTestId("server-decline")).toBe(true));
  expect(row("everything").dataset.status).toBe("stopped");
  fireEvent.click(screen.getByTestId("server-accept"));
  await waitFor(() => expect(screen.queryByTestId("server-consent")).toBeNull());
  expect(asked("servers_accept")[0]).toMatchObject({
    name: "everything",
    hash: "hash of everything",
    ui_commands: false,
  });
  expect(row("everything").dataset.status).toBe("ready");
});

it("leaves it unstarted when it is declined, with a way back", async () => {
  fireEvent.click(screen.getByTestId("server-add"));
  type("server-command", "npx -y thing");
  fireEvent.click(screen.getByTestId("server-save"));
  fireEvent.click(await screen.findByTestId("server-decline"));
  await waitFor(() => expect(screen.queryByTestId("server-consent")).toBeNull());
  expect(asked("servers_accept")).toEqual([]);
  expect(asked("servers_decline")[0]).toMatchObject({ hash: "hash of thing" });
  tell(list.map((each) => (each.name === "thing" ? { ...each, declined: true } : each)));
  await waitFor(() => expect(row("thing").textContent).toContain("Declined: not started"));
  fireEvent.click(screen.getByTestId("server-review"));
  expect(await screen.findByTestId("server-consent")).toBeTruthy();
});

it("says which field is wrong, and why the backend refused", async () => {
  fireEvent.click(screen.getByTestId("server-add"));
  type("server-name", "taken");
  fireEvent.click(screen.getByTestId("server-save"));
  expect((await screen.findByRole("alert")).textContent).toBe("Give a command, or an address below");
  type("server-command", "x");
  fireEvent.click(screen.getByTestId("server-save"));
  expect(await screen.findByText("There is a server called taken already.")).toBeTruthy();
});

it("takes a configuration pasted into any field to the JSON view", async () => {
  fireEvent.click(screen.getByTestId("server-add"));
  type("server-command", '{"mcpServers": {"docs": {"url": "https://d.example/mcp"}}}');
  expect((screen.getByTestId("server-json") as HTMLTextAreaElement).value).toContain("mcpServers");
  expect(screen.queryByTestId("server-command")).toBeNull();
  expect(await screen.findByText("1 server found")).toBeTruthy();
  expect(asked("servers_find")[0]?.json_text).toContain("mcpServers");
});

it("tests the form without saving it", async () => {
  fireEvent.click(screen.getByTestId("server-add"));
  type("server-url", "http://127.0.0.1:9/mcp");
  fireEvent.click(screen.getByTestId("server-test"));
  expect((await screen.findByTestId("server-report")).textContent).toContain("It works: 1 tool");
  expect(screen.getByTestId("server-steps").textContent).toContain("Shook hands 0.7\u00a0s");
  expect(screen.getByTestId("server-steps").textContent).toContain("stateless, version 3");
  expect(screen.getByTestId("server-steps").textContent).toContain("2 lines of its output");
  expect(asked("servers_test")[0]?.server).toMatchObject({ url: "http://127.0.0.1:9/mcp" });
  expect(asked("servers_add")).toEqual([]);
});

it("tests a changed command only after it was shown whole and accepted", async () => {
  fireEvent.click(within(row("broken")).getByText("Edit command"));
  await screen.findByTestId("server-save");
  fireEvent.click(screen.getByTestId("server-test"));
  expect(await screen.findByTestId("server-report")).toBeTruthy();
  expect(asked("servers_test")).toHaveLength(1);
  type("server-command", "other");
  fireEvent.click(screen.getByTestId("server-test"));
  const dialog = await screen.findByTestId("server-consent");
  expect([...dialog.querySelectorAll("li code")].map((line) => line.textContent)).toEqual(["other", "a b"]);
  fireEvent.click(screen.getByTestId("server-decline"));
  await waitFor(() => expect(screen.queryByTestId("server-consent")).toBeNull());
  expect(asked("servers_test")).toHaveLength(1);
  fireEvent.click(screen.getByTestId("server-test"));
  fireEvent.click(await screen.findByTestId("server-accept"));
  expect(await screen.findByTestId("server-report")).toBeTruthy();
  expect(asked("servers_test")[1]).toMatchObject({ server: { command: "other" }, hash: "hash of other a b" });
  fireEvent.click(screen.getByTestId("server-test"));
  await waitFor(() => expect(asked("servers_test")).toHaveLength(3));
  expect(screen.queryByTestId("server-consent")).toBeNull();
});

it("opens a broken server's command as it is, for mending", async () => {
  fireEvent.click(within(row("broken")).getByText("Edit command"));
  await screen.findByTestId("server-save");
  expect((screen.getByTestId("server-args") as HTMLTextAreaElement).value).toBe('"a b"');
  expect((screen.getByTestId("server-env") as HTMLTextAreaElement).value).toBe("K=v");
});

it("asks again with the difference when a server has changed", async () => {
  tell([...list, waiting("rug", ["npx", "rug@2"], { changes: "- argument: rug@1\n+ argument: rug@2" })]);
  await waitFor(() => expect(row("rug")).toBeTruthy());
  fireEvent.click(within(row("rug")).getByText("rug"));
  fireEvent.click(await screen.findByTestId("server-review"));
  const dialog = await screen.findByTestId("server-consent");
  expect([...dialog.querySelectorAll(".changes .ln")].map((line) => line.textContent)).toEqual([
    "−argument: rug@1",
    "+argument: rug@2",
  ]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Keep it stopped"));
});

it("removes a server only after asking", async () => {
  fireEvent.click(within(row("broken")).getByText("broken"));
  fireEvent.click(await screen.findByTestId("server-remove"));
  fireEvent.click(await screen.findByTestId("confirm-cancel"));
  expect(asked("servers_remove")).toEqual([]);
  fireEvent.click(screen.getByTestId("server-remove"));
  fireEvent.click(await screen.findByTestId("confirm-ok"));
  await waitFor(() => expect(screen.getAllByTestId("server-row")).toHaveLength(2));
});

it("switches single tools", async () => {
  fireEvent.click(within(row("files")).getByText("files"));
  fireEvent.click(await screen.findByLabelText("Use read"));
  await waitFor(() => expect(asked("servers_tool")[0]).toMatchObject({ name: "files", tool: "read", enabled: false }));
});
