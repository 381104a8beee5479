/** A setting is saved when it changes, and a refusal stands beside its field. */
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/preact";
import { afterEach, beforeEach, expect, it } from "vitest";
import { settings } from "../../../src/desk";
import { SettingField } from "../../../src/views/settings/SettingField";
import type { FieldSpec } from "../../../src/views/settings/schema";
import { type Sent, startBackend, tellSettings } from "../fake-backend";

const spec = (more: Partial<FieldSpec>): FieldSpec => ({
  name: "a.b",
  title: "A thing",
  description: "What it is",
  control: "number",
  options: [],
  optional: false,
  whole: true,
  min: 1,
  max: 9,
  ...more,
});

let sent: Sent[];
beforeEach(() => {
  tellSettings({ "a.b": 3 });
  ({ sent } = startBackend({
    set_setting: ({ value }) => {
      if (value === 7) throw new Error("Seven is taken.");
      tellSettings({ "a.b": value });
    },
  }));
});
afterEach(() => {
  cleanup();
  settings.value = null;
});

const leave = (text: string) => {
  const input = screen.getByLabelText("A thing");
  fireEvent.input(input, { target: { value: text } });
  fireEvent.change(input, { target: { value: text } });
};

it("saves a number when the field is left, not on every key", async () => {
  render(<SettingField spec={spec({})} />);
  fireEvent.input(screen.getByLabelText("A thing"), { target: { value: "5" } });
  expect(sent).toEqual([]);
  leave("5");
  await waitFor(() => expect(sent).toMatchObject([{ type: "set_setting", name: "a.b", value: 5 }]));
});

it("says the bound and sends nothing", async () => {
  render(<SettingField spec={spec({})} />);
  leave("12");
  expect((await screen.findByRole("alert")).textContent).toContain("At most 9");
  expect(sent).toEqual([]);
});

it("shows the backend's refusal and keeps what was typed", async () => {
  render(<SettingField spec={spec({})} />);
  leave("7");
  expect((await screen.findByRole("alert")).textContent).toContain("Seven is taken.");
  expect((screen.getByLabelText("A thing") as HTMLInputElement).value).toBe("7");
});

it("draws a choice with its present value and the model's own for none", async () => {
  tellSettings({ "a.b": null });
  render(<SettingField spec={spec({ control: "choice", options: ["x", "y"], optional: true })} />);
  const select = screen.getByLabelText("A thing") as HTMLSelectElement;
  expect([...select.options].map(({ text }) => text)).toEqual(["As the model does", "x", "y"]);
  fireEvent.change(select, { target: { value: "y" } });
  await waitFor(() => expect(sent[0]?.value).toBe("y"));
});
