/** What this program is and is made of, where it keeps its things, and what helps when it does not work. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { appName, settings } from "../../desk";
import { t } from "../../i18n";
import { Mark } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { allWorded } from "../../sayings";
import { ask } from "../../socket";
import type { AboutData } from "../../wire";
import { Diagnosis } from "./Diagnosis";
import { SettingsPage } from "./FieldsPage";
import { Parts } from "./Parts";
import { done, tried } from "./tried";
import { Updates } from "./Updates";

export function AboutPage(): JSX.Element {
  const known = settings.value;
  const [about, setAbout] = useState<AboutData | null>(null);
  useEffect(() => {
    void tried(ask({ type: "get_about" })).then(setAbout);
  }, []);
  const edition = known?.edition;
  return (
    <SettingsPage title={t("settings.about", { name: appName.value })}>
      <div class="about">
        <Mark size={56} />
        <div>
          <b data-testid="about-name">
            {edition?.name} {edition?.version}
          </b>
          {about && about.name !== "LeoChat" && <p class="muted">{t("about.edition", { version: about.made_with })}</p>}
          {edition?.maker && <p class="muted">{t("about.by", { maker: edition.maker })}</p>}
          <p class="muted">{t("settings.aboutText")}</p>
          {edition?.homepage && (
            <Button kind="link" onClick={() => void done(ask({ type: "open_url", url: edition.homepage }))}>
              {t("about.home")}
            </Button>
          )}
        </div>
      </div>
      {known && (
        <dl class="facts">
          <Place title={t("settings.home")} path={known.home} />
          {about && <Place title={t("about.logs")} path={about.logs} />}
          <dt>{t("settings.keysWhere")}</dt>
          <dd>{allWorded(known.keys_where, known.keys_said)}</dd>
          {about && (
            <>
              <dt>{t("about.kind")}</dt>
              <dd>{about.packaged ? t("about.packaged") : t("about.fromSource")}</dd>
              <dt>{t("about.window")}</dt>
              <dd>{about.window}</dd>
            </>
          )}
          <dt>{t("settings.telemetry")}</dt>
          <dd>{t("settings.noTelemetry")}</dd>
        </dl>
      )}
      <p class="muted">{t("about.remove")}</p>
      {about && (
        <>
          <Diagnosis />
          <Updates last={about.update} />
          <Parts parts={about.parts} sbom={about.sbom} />
        </>
      )}
    </SettingsPage>
  );
}

function Place({ title, path }: { title: string; path: string }): JSX.Element {
  return (
    <>
      <dt>{title}</dt>
      <dd class="with-copy">
        <code>{path}</code>
        <CopyButton text={() => path} />
      </dd>
    </>
  );
}
