import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toasts } from "../../src/parts/Toasts";
import { toast, toasts } from "../../src/parts/toasts";

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const shown = () => toasts.value.map(({ text }) => text);

it("a notice keeps its time when another page draws it", async () => {
  toast({ text: "Saved" });
  const first = render(<Toasts />);
  await vi.advanceTimersByTimeAsync(2000);
  first.unmount();
  render(<Toasts />);
  await vi.advanceTimersByTimeAsync(900);
  expect(shown()).toEqual(["Saved"]);
  await vi.advanceTimersByTimeAsync(200);
  expect(shown()).toEqual([]);
});

it("a notice waits while the pointer is on it, and an error waits until it is closed", async () => {
  toast({ text: "Deleted", action: { label: "Undo", run: () => undefined } });
  toast({ text: "Broken", tone: "error" });
  const { container } = render(<Toasts />);
  const first = container.querySelector("[data-testid=toast]") as Element;
  fireEvent.mouseEnter(first);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(shown()).toEqual(["Deleted", "Broken"]);
  fireEvent.mouseLeave(first);
  await vi.advanceTimersByTimeAsync(4000);
  expect(shown()).toEqual(["Broken"]);
});

it("a notice takes the place of one about the same, and of one that says the same; what can be undone by itself stays", () => {
  const undo = { label: "Undo", run: () => undefined };
  toast({ kind: "theme", text: "Theme: Dark", action: undo });
  toast({ text: "“One” was deleted", action: undo });
  toast({ kind: "theme", text: "Theme: Light", action: undo });
  expect(shown()).toEqual(["“One” was deleted", "Theme: Light"]);
  toast({ text: "“One” was deleted", action: undo });
  toast({ text: "No line", tone: "error" });
  toast({ text: "No line", tone: "error" });
  expect(shown()).toEqual(["“One” was deleted", "Theme: Light", "“One” was deleted", "No line"]);
});
