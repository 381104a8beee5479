/** How the window looks: six themes to see before choosing, light or dark as the system, text size, language. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { chooseTheme, type ThemeId, themeId, themeIds } from "../../theme";
import { fieldNamed } from "./data";
import { SettingsPage } from "./FieldsPage";
import { SettingField } from "./SettingField";
import { done } from "./tried";

const AFTER = ["general.follow_system", "general.text_size", "general.language"];

export function AppearancePage(): JSX.Element {
  const theme = fieldNamed("general.theme");
  return (
    <SettingsPage title={t("settings.appearance")}>
      <fieldset class="themes">
        <legend>{theme?.title ?? t("settings.theme")}</legend>
        {themeIds.map((id) => (
          <Swatch key={id} id={id} chosen={themeId.value === id} />
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
function Swatch({ id, chosen }: { id: ThemeId; chosen: boolean }): JSX.Element {
  return (
    <label class="swatch" data-testid={`theme-${id}`}>
      <input
        class="sr-only"
        type="radio"
        name="theme"
        value={id}
        checked={chosen}
        onChange={() => done(chooseTheme(id))}
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
        {t(`theme.${id}`)}
        {chosen && <Icon name="check" />}
      </span>
    </label>
  );
}
