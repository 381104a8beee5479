/** How the memory is used: what may go along with messages, the file, and forgetting it all. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { servers } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { confirm } from "../../parts/confirm";
import type { MemoryView } from "../../wire";
import { SettingField } from "../settings/SettingField";
import type { Section } from "../settings/schema";
import { clear, exportAll, importFile } from "./deeds";

interface OverviewProps {
  section: Section;
  view: MemoryView | null;
  onBack: () => void;
}

export function Overview({ section, view, onBack }: OverviewProps): JSX.Element {
  const off = servers.value?.some(({ name, enabled }) => name === "memory" && !enabled) ?? false;
  return (
    <>
      <div class="detail-head">
        <span class="narrow-only">
          <IconButton icon="chev-l" label={t("settings.toList")} onClick={onBack} />
        </span>
        <h2>{t("memory.overview")}</h2>
      </div>
      <p class="muted page-note">{t("memory.lead")}</p>
      {off && (
        <p class="memory-off" role="status">
          <Icon name="alert" /> {t("memory.off")}
        </p>
      )}
      <div class="settings-list">
        {section.fields.map((spec) => (
          <SettingField key={spec.name} spec={spec} />
        ))}
      </div>
      <File total={view?.total ?? 0} />
    </>
  );
}

function File({ total }: { total: number }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const onClear = async () => {
    const sure = await confirm({
      title: t("memory.clearTitle"),
      message: t("memory.clearText", { count: total }),
      confirmText: t("memory.clear"),
      danger: true,
    });
    if (sure) await clear();
  };
  return (
    <section class="part">
      <div class="head">
        <h3>{t("memory.file")}</h3>
      </div>
      <p class="muted">{t("memory.fileHint")}</p>
      <div class="acts">
        <Button icon="download" testid="memory-export" disabled={total === 0} onClick={exportAll}>
          {t("memory.export")}
        </Button>
        <Button icon="file" testid="memory-import" onClick={() => input.current?.click()}>
          {t("memory.import")}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".jsonl,.json,.txt,application/jsonl,application/json"
          data-testid="memory-file"
          aria-label={t("memory.import")}
          onChange={async (event) => {
            const chosen = event.currentTarget;
            if (chosen.files?.[0]) await importFile(chosen.files[0]);
            chosen.value = "";
          }}
        />
        <span class="grow" />
        <Button kind="danger" icon="trash" testid="memory-clear" disabled={total === 0} onClick={onClear}>
          {t("memory.clear")}
        </Button>
      </div>
    </section>
  );
}
