/** UI commands that the page executes: one handler each, and an answer for every one, since the model waits for it. */
import { closePages, listShown, openServers, openSettings, page } from "../desk";
import { setInput } from "../drafts";
import { type Key, t } from "../i18n";
import { allHere } from "../opening";
import { copyText } from "../parts/clipboard";
import { confirm } from "../parts/confirm";
import { type Tone, toast } from "../parts/toasts";
import { scrollThread } from "../scrolling";
import { ask } from "../socket";
import { told } from "../tellings";
import { chooseTheme, inMode, isTheme, rememberTheme, themeId, themeIds } from "../theme";
import type { UiCommand, UiCommandAsked, UiResult } from "../wire";

type Answer = Pick<UiResult, "executed" | "message"> & { data?: Record<string, unknown> | null };
type Payload<C> = Partial<Omit<C, "command">>;
type Handlers = { [C in UiCommand as C["command"]]: (payload: Payload<C>) => Answer | Promise<Answer> };

const done = (message: string, data: Record<string, unknown> | null = null): Answer => ({
  executed: true,
  message,
  data,
});
const refuse = (message: string): Answer => ({ executed: false, message });
const text = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);

const panelNames: Record<string, Key> = { mcp: "frame.servers", settings: "frame.settings", history: "list.label" };
const tones: readonly Tone[] = ["info", "success", "warning", "error"];

const handlers: Handlers = {
  update_theme: async ({ themeId: wanted, mode }) => {
    const id = wanted ?? (mode ? inMode(themeId.value, mode) : themeId.value);
    if (!isTheme(id)) return refuse(`There is no theme ${text(wanted)}. Themes: ${themeIds.join(", ")}.`);
    const chosen = mode ? inMode(id, mode) : id;
    const undo = rememberTheme();
    await chooseTheme(chosen);
    toast({
      text: t("command.theme", { theme: t(`theme.${chosen}`) }),
      icon: "theme",
      kind: "theme",
      action: { label: t("part.undo"), run: undo },
    });
    return done(`The theme is now ${chosen}.`, { themeId: chosen });
  },
  show_notification: ({ message, type, duration }) => {
    const tone = tones.find((known) => known === type) ?? "info";
    toast({ text: text(message), tone, duration: typeof duration === "number" ? Math.max(1000, duration) : 3000 });
    return done("Shown.");
  },
  show_confirm: async (payload) => {
    const confirmed = await confirm({
      title: told(text(payload.title)),
      message: text(payload.message),
      confirmText: payload.confirmText || undefined,
      cancelText: payload.cancelText || undefined,
    });
    const then = confirmed ? payload.onConfirmCommand : null;
    if (then) await execute(text(then.command), (then.payload ?? {}) as Record<string, unknown>);
    return done(confirmed ? "The user confirmed." : "The user did not confirm.", { confirmed });
  },
  open_panel: ({ panel, tab }) => {
    const undo = rememberPanels();
    if (panel === "mcp") openServers(tab ?? null);
    else if (panel === "settings") openSettings(tab ?? null);
    else if (panel === "history") listShown.value = true;
    else return refuse(`There is no panel ${text(panel)}. Panels: mcp, settings, history.`);
    offerUndo("panel", t("command.opened", { panel: t(panelNames[panel] ?? "frame.settings", {} as never) }), undo);
    return done(`Opened ${panel}.`);
  },
  close_panel: ({ panel = "all" }) => {
    const undo = rememberPanels();
    if (panel === "history" || panel === "all") listShown.value = false;
    const at = page.value.at;
    if (panel === "all" || (panel === "mcp" && at === "servers") || (panel === "settings" && at === "settings"))
      closePages();
    offerUndo("panel", t("command.closed"), undo);
    return done(`Closed ${panel}.`);
  },
  set_input: ({ text: words, append }) => {
    const undo = setInput(text(words), append === true);
    offerUndo("input", t("command.input"), undo);
    return done("The text is in the input box. It was not sent.");
  },
  scroll_to_message: async ({ messageId, position }) => {
    if (messageId || position === "top") await allHere();
    return scrollThread(messageId ?? null, position ?? null)
      ? done("Scrolled.")
      : refuse("This message is not on show.");
  },
  copy_to_clipboard: async ({ text: words, showNotification }) => {
    if (!(await copyText(text(words)))) return refuse("The window may not use the clipboard now.");
    if (showNotification !== false) toast({ tone: "success", text: t("command.copied") });
    return done("Copied.");
  },
  resize_window: () => refuse("A browser's window cannot be resized from here."),
  open_file: () => refuse("Files are opened by the app, not by the page."),
  open_url: () => refuse("Addresses are opened by the app, not by the page."),
  send_message: () => refuse("Messages are sent by the app, not by the page."),
};

/** Executes a command and answers it. */
export async function runUiCommand(asked: UiCommandAsked): Promise<void> {
  const answer = await execute(asked.command, asked.payload);
  await ask({ type: "ui_result", ui_id: asked.id, ...answer }).catch(() => undefined); // nobody waits any more
}

async function execute(command: string, payload: Record<string, unknown>): Promise<Answer> {
  const handler = (handlers as Record<string, ((payload: object) => Answer | Promise<Answer>) | undefined>)[command];
  if (!handler) return refuse(`This window does not know the command ${command}.`);
  try {
    return await handler(payload);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function rememberPanels(): () => void {
  const [before, list] = [page.value, listShown.value];
  return () => {
    page.value = before;
    listShown.value = list;
  };
}

function offerUndo(kind: string, words: string, undo: () => void): void {
  toast({ kind, text: words, action: { label: t("part.undo"), run: undo } });
}
