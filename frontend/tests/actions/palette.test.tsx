import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, expect, it } from "vitest";
import { Palette, paletteOpen } from "../../src/actions/Palette";
import { conversations } from "../../src/desk";
import { shown } from "../../src/opening";
import { conversationInfo } from "../info";

HTMLDialogElement.prototype.showModal ??= () => undefined;

afterEach(cleanup);

it("finds conversations by their titles, and Enter opens the chosen one", async () => {
  conversations.value = [
    conversationInfo({ id: "a", title: "Señor Ribera's invoice", folder: "Shop" }),
    conversationInfo({ id: "b", title: "Lisbon in October" }),
  ];
  paletteOpen.value = true;
  const { container } = render(<Palette />);
  expect(container.textContent).not.toContain("Lisbon");
  const input = container.querySelector("input") as HTMLInputElement;
  fireEvent.input(input, { target: { value: "senor" } });
  const found = container.querySelector("[role=option][aria-selected=true]");
  expect(found?.textContent).toContain("Señor Ribera's invoice Shop, ");
  fireEvent.keyDown(input, { key: "Enter" });
  await expect.poll(() => shown.value?.id).toBe("a");
  expect(paletteOpen.value).toBe(false);
});
