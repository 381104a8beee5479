/** What is kept: backups, with the way back to one, and all conversations out to a file and in from one. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bytes, moment } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { confirm } from "../../parts/confirm";
import { toast } from "../../parts/toasts";
import { ask } from "../../socket";
import type { BackupInfo, Backups } from "../../wire";
import { Archive } from "./Archive";
import { SettingsPage } from "./FieldsPage";
import { tried } from "./tried";

export function DataPage(): JSX.Element {
  const [told, setTold] = useState<Backups | null>(null);
  const [busy, setBusy] = useState(false);
  const take = async (asked: Promise<Backups>): Promise<boolean> => {
    const answer = await tried(asked);
    if (answer) setTold(answer);
    return answer !== null;
  };
  useEffect(() => void take(ask({ type: "backups_list" })), []);
  const make = async () => {
    setBusy(true);
    if (await take(ask({ type: "backup_make" }))) toast({ text: t("data.made"), tone: "success" });
    setBusy(false);
  };
  const plan = async (backup: BackupInfo) => {
    const sure = await confirm({
      title: t("data.ask", { when: whenOf(backup) }),
      message: t("data.asked"),
      confirmText: t("data.plan"),
    });
    if (sure) await take(ask({ type: "backup_plan", name: backup.name }));
  };
  const planned = told?.backups.find(({ name }) => name === told.planned);
  return (
    <SettingsPage title={t("data.title")}>
      <section class="standing" data-testid="backups" aria-labelledby="backups-title">
        <h2 id="backups-title">{t("data.backups")}</h2>
        <p class="muted">{t("data.lead")}</p>
        {planned && (
          <div class="hint-row" role="status" data-tone="warning" data-testid="backup-planned">
            <Icon name="clock" />
            <span class="grow">{t("data.planned", { when: whenOf(planned) })}</span>
            <Button small testid="backup-unplan" onClick={() => take(ask({ type: "backup_plan", name: null }))}>
              {t("data.unplan")}
            </Button>
          </div>
        )}
        {told?.backups.length === 0 && <p class="muted">{t("data.none")}</p>}
        {told && told.backups.length > 0 && (
          <ul>
            {told.backups.map((backup) => (
              <li key={backup.name} data-testid="backup">
                <Icon name="archive" />
                <span class="grow">
                  <span>{whenOf(backup)}</span>
                  <span class="muted num">{bytes(backup.size)}</span>
                </span>
                <Button small testid="backup-restore" onClick={() => plan(backup)}>
                  {t("data.back")}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button small icon="archive" disabled={busy} testid="backup-make" onClick={make}>
            {t("data.make")}
          </Button>
        </div>
      </section>
      <Archive />
    </SettingsPage>
  );
}

const whenOf = ({ made_ms: made }: BackupInfo): string => moment(new Date(made));
