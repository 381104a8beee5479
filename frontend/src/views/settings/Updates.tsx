/** Whether there is a newer version: asked when pressed, or once a day where the person wants that. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { ask } from "../../socket";
import type { UpdateInfo } from "../../wire";
import { fieldNamed } from "./data";
import { SettingField } from "./SettingField";
import { done, tried } from "./tried";

const SETTINGS = ["program.updates", "program.updates_from"];

export function Updates({ last }: { last: UpdateInfo }): JSX.Element {
  const [found, setFound] = useState(last);
  const [busy, setBusy] = useState(false);
  const look = async () => {
    setBusy(true);
    const told = await tried(ask({ type: "look_for_update" }));
    setBusy(false);
    if (told) setFound(told);
  };
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">{t("about.updates")}</h2>
      <p class="muted">{t("about.updatesLead")}</p>
      <div class="settings-list">
        {SETTINGS.map((name) => {
          const spec = fieldNamed(name);
          return spec && <SettingField key={name} spec={spec} />;
        })}
      </div>
      <div class="line-up">
        <Button icon="redo" disabled={busy} testid="updates-look" onClick={() => void look()}>
          {busy ? t("about.looking") : t("about.look")}
        </Button>
        <Found found={found} />
      </div>
    </section>
  );
}

function Found({ found }: { found: UpdateInfo }): JSX.Element | null {
  if (found.asked_ms === null) return null;
  const read = () => void done(ask({ type: "open_url", url: found.url }));
  return (
    <span role="status" data-testid="updates-found">
      {found.problem ?? (found.newer ? t("about.newer", { version: found.newer }) : t("about.newest"))}{" "}
      {found.newer && found.url && (
        <Button kind="link" onClick={read}>
          {t("about.openNews")}
        </Button>
      )}
    </span>
  );
}
