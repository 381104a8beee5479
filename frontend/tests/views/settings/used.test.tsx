import { cleanup, render } from "@testing-library/preact";
import { afterEach, expect, it, vi } from "vitest";
import { Used } from "../../../src/views/settings/Used";
import type { UsageRow } from "../../../src/wire";
import { startBackend } from "../fake-backend";

const row = (label: string, priced: number, cost: number | null, input: number | null): UsageRow => ({
  label,
  replies: 2,
  priced,
  usage: {
    input_tokens: input,
    output_tokens: 7,
    cached_input_tokens: null,
    cache_write_tokens: null,
    thinking_tokens: null,
    cost,
  },
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says what each day and model used; what is unknown is left out and never 0", async () => {
  const days = [row("2026-11-30", 2, 1.5, 12000), row("2026-11-29", 0, null, null)];
  const models = [row("openai/gpt-5.1", 1, 1.5, 12000)];
  startBackend({ usage_list: () => ({ days, models, prices_as_of: "2026-05-01" }) });
  const { container } = render(<Used />);
  const rows = () =>
    [...container.querySelectorAll("tbody tr")].map((tr) => [...tr.children].map((c) => c.textContent));
  await expect.poll(() => rows().length).toBe(3);
  expect(rows()).toEqual([
    ["Nov 30, 2026", "12,000", "7", "$1.50"],
    ["Nov 29, 2026", "", "7", ""],
    ["openai/gpt-5.1", "12,000", "7", "$1.50 +"],
  ]);
  expect(container.textContent).toContain("May 1, 2026");
});
