/** When a tool asks before it runs: the four modes with what each means, then whatever else the schema has. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { saveSetting, settingValue } from "./data";
import { fieldsOf, SettingsPage } from "./FieldsPage";
import { Grants } from "./Grants";
import { SettingField } from "./SettingField";
import type { Section } from "./schema";
import { done } from "./tried";

const MODE = "approvals.mode";

/** What each known mode is called and means; a mode without words is drawn by its schema. */
const meanings: Record<string, () => { name: string; means: string }> = {
  ask: () => ({ name: t("settings.option.ask"), means: t("settings.mode.ask") }),
  reads: () => ({ name: t("settings.option.reads"), means: t("settings.mode.reads") }),
  all: () => ({ name: t("settings.option.all"), means: t("settings.mode.all") }),
  none: () => ({ name: t("settings.option.none"), means: t("settings.mode.none") }),
};

export function ApprovalsPage({ section }: { section: Section }): JSX.Element {
  const fields = fieldsOf(section);
  const mode = fields.find(({ name, options }) => name === MODE && options.every((option) => meanings[option]));
  return (
    <SettingsPage title={section.title}>
      {mode && (
        <fieldset class="modes" aria-label={mode.title}>
          {mode.options.map((option) => (
            <Mode key={option} option={option} />
          ))}
        </fieldset>
      )}
      <div class="settings-list">
        {fields
          .filter((field) => field !== mode)
          .map((spec) => (
            <SettingField key={spec.name} spec={spec} />
          ))}
      </div>
      <Grants />
      <p class="muted page-note">{t("settings.approvalsNote")}</p>
    </SettingsPage>
  );
}

function Mode({ option }: { option: string }): JSX.Element | null {
  const words = meanings[option]?.();
  if (!words) return null;
  return (
    <label class="mode">
      <input
        type="radio"
        name={MODE}
        value={option}
        checked={settingValue(MODE) === option}
        data-testid={`approvals-${option}`}
        onChange={() => done(saveSetting(MODE, option))}
      />
      <span>
        <b>{words.name}</b>
        <span class="muted">{words.means}</span>
      </span>
    </label>
  );
}
