/** The knowledge page against a backend by script: how far a folder is, what could not be read, removing, the model's key. */
import { cleanup, fireEvent, render, screen } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConfirmHost } from "../../../src/parts/confirm";
import { KnowledgePage } from "../../../src/views/knowledge/KnowledgePage";
import type { KnowledgeFolder, KnowledgeView } from "../../../src/wire";
import { type Sent, startBackend } from "../fake-backend";

const folder = (id: number, more: Partial<KnowledgeFolder> = {}): KnowledgeFolder => ({
  id,
  path: `/home/ana/f${id}`,
  state: "ready",
  problem: "",
  files: 10,
  indexed: 8,
  waiting: 0,
  failed: 2,
  passages: 40,
  others: 1,
  scanned_ms: 1,
  indexed_ms: 1,
  problems: [
    { path: "a.pdf", kind: "locked", problem: "in English" },
    { path: "b.x", kind: "other", problem: "Some other words." },
  ],
  ...more,
});

let view: KnowledgeView;
let sent: Sent[];
const asked = (kind: string) => sent.filter(({ type }) => type === kind);

beforeEach(() => {
  view = {
    on: true,
    folders: [folder(1), folder(2, { state: "reading", files: 200, waiting: 50, problems: [] })],
    model: { protocol: "openai", address: "", model: "", has_key: false, vectors: 0, passages: 40, problem: "" },
    picks: false,
    trouble: "",
  };
  sent = startBackend({
    knowledge_read: () => view,
    knowledge_remove: ({ folder: id }) => {
      view = { ...view, folders: view.folders.filter((each) => each.id !== id) };
      return view;
    },
    knowledge_model_save: () => {
      view = { ...view, model: { ...view.model, address: "http://h/v1", model: "m", has_key: true } };
      return view;
    },
  }).sent;
  render(
    <>
      <KnowledgePage />
      <ConfirmHost />
    </>,
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("shows how far a folder is, and why files could not be read", async () => {
  const bar = (await screen.findByTestId("knowledge-progress")) as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([150, 200]);
  expect(bar.getAttribute("aria-label")).toBe("150 of 200 files read");
  const problems = screen.getByTestId("knowledge-problems");
  expect(problems.textContent).toContain("2 files could not be read");
  expect(problems.textContent).toContain("It is protected by a password");
  expect(problems.textContent).toContain("Some other words.");
  expect(problems.textContent).not.toContain("in English");
});

it("removes a folder only after asking", async () => {
  fireEvent.click((await screen.findAllByTestId("knowledge-remove"))[0] as HTMLElement);
  fireEvent.click(await screen.findByTestId("confirm-cancel"));
  expect(asked("knowledge_remove")).toEqual([]);
  fireEvent.click(screen.getAllByTestId("knowledge-remove")[0] as HTMLElement);
  fireEvent.click(await screen.findByTestId("confirm-ok"));
  await expect.poll(() => screen.getAllByTestId("knowledge-folder").length).toBe(1);
  expect(asked("knowledge_remove")).toMatchObject([{ folder: 1 }]);
});

it("sends a key once and shows it no more", async () => {
  const type = (testid: string, text: string) =>
    fireEvent.input(screen.getByTestId(testid), { target: { value: text } });
  await screen.findByTestId("meaning");
  type("meaning-address", " http://h/v1 ");
  type("meaning-model", "m");
  type("meaning-key", "secret");
  fireEvent.click(screen.getByTestId("meaning-save"));
  await screen.findByTestId("meaning-forget");
  expect(asked("knowledge_model_save")).toMatchObject([{ address: "http://h/v1", model: "m", key: "secret" }]);
  expect((screen.getByTestId("meaning-key") as HTMLInputElement).value).toBe("");
});
