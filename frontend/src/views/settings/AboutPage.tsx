/** What this program is, where it keeps its things, and where keys are kept. */
import type { JSX } from "preact";
import { settings } from "../../desk";
import { t } from "../../i18n";
import { Mark } from "../../icons/Icon";
import { CopyButton } from "../../parts/CopyButton";
import { SettingsPage } from "./FieldsPage";

export function AboutPage(): JSX.Element {
  const about = settings.value;
  return (
    <SettingsPage title={t("settings.about")}>
      <div class="about">
        <Mark size={56} />
        <div>
          <b>LeoChat {about?.version}</b>
          <p class="muted">{t("settings.aboutText")}</p>
        </div>
      </div>
      {about && (
        <dl class="facts">
          <dt>{t("settings.home")}</dt>
          <dd class="with-copy">
            <code>{about.home}</code>
            <CopyButton text={() => about.home} />
          </dd>
          <dt>{t("settings.keysWhere")}</dt>
          <dd>{about.keys_where}</dd>
          <dt>{t("settings.telemetry")}</dt>
          <dd>{t("settings.noTelemetry")}</dd>
        </dl>
      )}
    </SettingsPage>
  );
}
