/** How the window looks: six themes to see before choosing, light or dark as the system, text size, language. */
import type { JSX } from "preact";
import { type Key, t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { fieldNamed, saveSetting, settingValue } from "./data";
import { SettingsPage } from "./FieldsPage";
import { SettingField } from "./SettingField";
import { done } from "./tried";

/** Ids of the themes, a light and its dark form one below the other. */
const themes = [
  ["light", "settings.theme.light"],
  ["light-purple", "settings.theme.lightPurple"],
  ["light-green", "settings.theme.lightGreen"],
  ["dark", "settings.theme.dark"],
  ["dark-purple", "settings.theme.darkPurple"],
  ["dark-green", "settings.theme.darkGreen"],
] as const satisfies readonly (readonly [string, Key])[];

const AFTER = ["general.follow_system", "general.text_size", "general.language"];

export function AppearancePage(): JSX.Element {
  const chosen = settingValue("general.theme");
  const theme = fieldNamed("general.theme");
  return (
    <SettingsPage title={t("settings.appearance")}>
      <fieldset class="themes">
        <legend>{theme?.title ?? t("settings.theme")}</legend>
        {themes.map(([id, key]) => (
          <Swatch key={id} id={id} name={t(key)} chosen={chosen === id} />
        ))}
      </fieldset>
      <div class="settings-list">
        {AFTER.map((name) => {
          const spec = fieldNamed(name);
          return spec && <SettingField key={name} spec={spec} />;
        })}
      </div>
    </SettingsPage>
  );
}

/** A small picture of the window in the theme's own colours: the attribute brings its tokens. */
function Swatch({ id, name, chosen }: { id: string; name: string; chosen: boolean }): JSX.Element {
  return (
    <label class="swatch">
      <input
        class="sr-only"
        type="radio"
        name="theme"
        value={id}
        checked={chosen}
        data-testid={`theme-${id}`}
        onChange={() => done(saveSetting("general.theme", id))}
      />
      <span class="mini" data-theme-id={id} aria-hidden="true">
        <span class="mini-side">
          <i />
          <i class="on" />
          <i />
        </span>
        <span class="mini-main">
          <i class="said" />
          <i class="line" />
          <i class="line short" />
          <span class="mini-card">
            <i class="line short" />
            <i class="press" />
          </span>
        </span>
      </span>
      <span class="swatch-name">
        {name}
        {chosen && <Icon name="check" />}
      </span>
    </label>
  );
}
