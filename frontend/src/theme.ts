/** The six themes: which one is on, and how light and dark forms of a hue belong together. */
import { computed, effect, signal } from "@preact/signals";
import { settingOf } from "./desk";
import { ask } from "./socket";

export const themeIds = ["light", "dark", "light-purple", "dark-purple", "light-green", "dark-green"] as const;
export type ThemeId = (typeof themeIds)[number];
export type Mode = "light" | "dark";

const KEPT_AS = "leochat-theme";
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const systemMode = signal<Mode>(dark?.matches ? "dark" : "light");
dark?.addEventListener?.("change", () => {
  systemMode.value = dark.matches ? "dark" : "light";
});

export const isTheme = (id: unknown): id is ThemeId => themeIds.some((known) => known === id);

/** The same hue in another mode. */
export function inMode(id: ThemeId, mode: Mode): ThemeId {
  const hue = id.replace(/^(light|dark)/, "");
  const wanted = `${mode}${hue}`;
  return isTheme(wanted) ? wanted : mode;
}

/** The theme on show: the chosen one, in the system's mode where the person asked for that. */
export const themeId = computed<ThemeId>(() => {
  const chosen = settingOf("general.theme");
  const id = isTheme(chosen) ? chosen : kept();
  return settingOf("general.follow_system") === true ? inMode(id, systemMode.value) : id;
});

/** The theme before the settings are here: that of the last time. */
function kept(): ThemeId {
  const last = localStorage.getItem(KEPT_AS);
  return isTheme(last) ? last : systemMode.value;
}

/** Keeps the page in the chosen theme and text size from now on. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.themeId = themeId.value;
    localStorage.setItem(KEPT_AS, themeId.value);
    const size = settingOf("general.text_size");
    document.documentElement.style.setProperty("zoom", typeof size === "number" && size !== 100 ? `${size}%` : "");
  });
}

/** Puts a theme on. One that the system's mode would turn into its other form ends the following of the system. */
export async function chooseTheme(id: ThemeId): Promise<void> {
  const follows = settingOf("general.follow_system") === true;
  if (follows && inMode(id, systemMode.value) !== id) await set("general.follow_system", false);
  await set("general.theme", id);
}

/** Takes a choice of theme back: gives what restores the present one. */
export function rememberTheme(): () => Promise<void> {
  const theme = settingOf("general.theme");
  const follows = settingOf("general.follow_system");
  return async () => {
    await set("general.theme", theme);
    await set("general.follow_system", follows);
  };
}

const set = (name: string, value: unknown): Promise<unknown> => ask({ type: "set_setting", name, value });
