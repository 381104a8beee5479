import { beforeEach, describe, expect, it, vi } from "vitest";
import { runUiCommand } from "../../src/actions/commands";
import { closePages, listShown, page, settings } from "../../src/desk";
import { draft } from "../../src/drafts";
import { toasts } from "../../src/parts/toasts";
import { Backend } from "../page";

let backend: Backend;
let count = 0;

/** Runs a command and gives what the page answered. */
async function answerTo(command: string, payload: Record<string, unknown> = {}) {
  count += 1;
  await runUiCommand({ type: "ui_command", id: `ui${count}`, command, payload, server: "leochat" });
  return backend.of("ui_result").at(-1);
}

beforeEach(() => {
  backend = new Backend();
  backend.connect();
  toasts.value = [];
  draft.value = "";
  closePages();
  const values = { "general.theme": "light", "general.follow_system": false };
  settings.value = { json_schema: {}, values, keys_where: "", keys_said: [], home: "", version: "", edition };
});

const edition = { name: "LeoChat", version: "", maker: "", homepage: "", prompts: [] };

describe("UI commands", () => {
  it("a theme is saved, and can be undone", async () => {
    expect(await answerTo("update_theme", { themeId: "dark-purple" })).toMatchObject({
      executed: true,
      data: { themeId: "dark-purple" },
    });
    expect(backend.of("set_setting")).toMatchObject([{ name: "general.theme", value: "dark-purple" }]);
    toasts.value[0]?.action?.run();
    await expect.poll(() => backend.of("set_setting").at(1)).toMatchObject({ name: "general.theme", value: "light" });
  });

  it("a mode alone keeps the hue, an unknown theme lists the known ones", async () => {
    await answerTo("update_theme", { mode: "dark" });
    expect(backend.of("set_setting")).toMatchObject([{ value: "dark" }]);
    const refused = await answerTo("update_theme", { themeId: "pink" });
    expect(refused).toMatchObject({ executed: false });
    expect(refused?.message).toContain("light-green");
  });

  it("a theme that the system's mode would hide ends the following of the system", async () => {
    const values = { "general.theme": "light", "general.follow_system": true };
    settings.value = { json_schema: {}, values, keys_where: "", keys_said: [], home: "", version: "", edition };
    await answerTo("update_theme", { themeId: "dark-green" });
    expect(backend.of("set_setting")).toMatchObject([
      { name: "general.follow_system", value: false },
      { name: "general.theme", value: "dark-green" },
    ]);
  });

  it("a notification is shown with its tone", async () => {
    expect(await answerTo("show_notification", { message: "Done", type: "success" })).toMatchObject({ executed: true });
    expect(toasts.value).toMatchObject([{ text: "Done", tone: "success", duration: 3000 }]);
  });

  it("panels open and close, with a way back", async () => {
    await answerTo("open_panel", { panel: "mcp" });
    expect(page.value.at).toBe("servers");
    toasts.value.at(-1)?.action?.run();
    expect(page.value.at).toBe("conversation");
    await answerTo("open_panel", { panel: "settings", tab: "models" });
    expect(page.value).toEqual({ at: "settings", tab: "models" });
    await answerTo("close_panel", { panel: "all" });
    expect(page.value.at).toBe("conversation");
    await answerTo("open_panel", { panel: "history" });
    expect(listShown.value).toBe(true);
    expect(await answerTo("open_panel", { panel: "attic" })).toMatchObject({ executed: false });
  });

  it("a text goes into the composer, whole or appended, and never out of it", async () => {
    await answerTo("set_input", { text: "one" });
    await answerTo("set_input", { text: "two", append: true });
    expect(draft.value).toBe("one two");
    toasts.value.at(-1)?.action?.run();
    expect(draft.value).toBe("one");
    expect(backend.of("send_message")).toEqual([]);
  });

  it("copies", async () => {
    const writeText = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText }, languages: ["en"] });
    expect(await answerTo("copy_to_clipboard", { text: "x", showNotification: false })).toMatchObject({
      executed: true,
    });
    expect(writeText).toHaveBeenCalledWith("x");
    expect(toasts.value).toEqual([]);
    vi.unstubAllGlobals();
  });

  it.each(["resize_window", "open_url", "send_message", "format_disk"])(
    "%s is not the page's to do, and is answered so",
    async (command) => {
      expect(await answerTo(command, { url: "https://x.org", text: "x" })).toMatchObject({ executed: false });
    },
  );

  it("a message that is not on show is said to be so", async () => {
    expect(await answerTo("scroll_to_message", { messageId: "nope" })).toMatchObject({ executed: false });
  });
});
