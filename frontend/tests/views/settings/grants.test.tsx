import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, expect, it, vi } from "vitest";
import { conversations } from "../../../src/desk";
import { Grants } from "../../../src/views/settings/Grants";
import type { ConversationInfo, GrantInfo } from "../../../src/wire";
import { startBackend } from "../fake-backend";

const grant = (id: string, more: Partial<GrantInfo>): GrantInfo => ({
  id,
  server: "filesystem",
  tool: null,
  pattern: null,
  conversation_id: null,
  created_ms: 1,
  ...more,
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("every standing yes says whose, what and where it holds, and can be taken back", async () => {
  conversations.value = [{ id: "c1", title: "Taxes" } as ConversationInfo];
  let grants = [
    grant("g1", { tool: "write_file", pattern: "/home/ana/notes/" }),
    grant("g2", { server: "acme", conversation_id: "c1" }),
  ];
  const { sent } = startBackend({
    grants_list: () => ({ grants }),
    grant_remove: ({ grant_id }) => {
      grants = grants.filter(({ id }) => id !== grant_id);
      return null;
    },
  });
  const { container } = render(<Grants />);
  const rows = () => [...container.querySelectorAll<HTMLElement>("[data-testid=grant]")];
  await expect.poll(() => rows().length).toBe(2);
  expect(rows()[0]?.textContent).toMatch(/filesystem write_file.*\/home\/ana\/notes\/.*in every conversation/);
  expect(rows()[1]?.textContent).toMatch(/acme all its tools.*in “Taxes”/);
  fireEvent.click(rows()[0]?.querySelector("[data-testid=grant-remove]") as Element);
  await expect.poll(() => rows().map((row) => row.textContent?.startsWith("acme"))).toEqual([true]);
  expect(sent.filter(({ type }) => type === "grant_remove")).toMatchObject([{ grant_id: "g1" }]);
});
