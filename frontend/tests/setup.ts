/** What jsdom lacks of a browser, as far as the page needs it. */
import { afterAll, beforeEach } from "vitest";
import { setLanguage } from "../src/i18n";

HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.setAttribute("open", "");
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.removeAttribute("open");
};
HTMLElement.prototype.showPopover ??= () => undefined;
HTMLElement.prototype.hidePopover ??= () => undefined;
Element.prototype.scrollIntoView ??= () => undefined;

beforeEach(() => setLanguage("en"));

/** Colours are loaded when code is first shown: a load under way must end before its document is taken away. */
afterAll(async () => {
  await import("../src/markdown/languages");
});
