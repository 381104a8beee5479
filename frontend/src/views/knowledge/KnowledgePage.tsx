/** The knowledge page: the folders that are indexed, how far each is, and the model that finds by meaning. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { confirm } from "../../parts/confirm";
import { Empty, Skeleton } from "../../parts/Empty";
import { toast } from "../../parts/toasts";
import { ask, link } from "../../socket";
import type { KnowledgeFolder, KnowledgeView } from "../../wire";
import { enable } from "../servers/deeds";
import { SettingsPage } from "../settings/FieldsPage";
import { tried } from "../settings/tried";
import { AddFolder } from "./AddFolder";
import { FolderItem } from "./FolderItem";
import { MeaningForm } from "./MeaningForm";

const BUSY_MS = 700;
const QUIET_MS = 4000;

export function KnowledgePage(): JSX.Element {
  const [view, setView] = useState<KnowledgeView | null>(null);
  const read = async () => {
    const told = await ask({ type: "knowledge_read" }).catch(() => null); // the next look tells
    if (told) setView(told);
  };
  const busy = view?.folders.some(({ state }) => state === "scanning" || state === "reading") ?? false;
  const comparing = view !== null && view.model.model !== "" && view.model.vectors < view.model.passages;
  useEffect(() => {
    void read();
    const timer = setInterval(
      () => {
        if (!document.hidden && link.peek() === "open") void read();
      },
      busy || comparing ? BUSY_MS : QUIET_MS,
    );
    return () => clearInterval(timer);
  }, [busy, comparing]);
  const take = async (asked: Promise<KnowledgeView>): Promise<boolean> => {
    const told = await tried(asked);
    if (told) setView(told);
    return told !== null;
  };
  const remove = async ({ id, path }: KnowledgeFolder) => {
    const sure = await confirm({
      title: t("knowledge.removeTitle"),
      message: t("knowledge.removeText", { folder: path }),
      confirmText: t("knowledge.remove"),
      danger: true,
    });
    if (sure && (await take(ask({ type: "knowledge_remove", folder: id }))))
      toast({ text: t("knowledge.removed"), tone: "success" });
  };
  const turnOn = async () => {
    if (await enable("knowledge", true)) await read();
  };
  return (
    <SettingsPage title={t("knowledge.page")}>
      <p class="muted">{t("knowledge.lead")}</p>
      {view === null && <Skeleton />}
      {view && !view.on && (
        <div class="hint-row" role="status" data-tone="warning" data-testid="knowledge-off">
          <Icon name="alert" />
          <span class="grow">{t("knowledge.off")}</span>
          <Button small onClick={turnOn}>
            {t("knowledge.turnOn")}
          </Button>
        </div>
      )}
      {view?.trouble && (
        <p class="bad" role="alert">
          <Icon name="error" small /> {t("knowledge.trouble", { words: view.trouble })}
        </p>
      )}
      {view && (
        <>
          <section class="standing knowledge" data-testid="knowledge" aria-label={t("knowledge.folders")}>
            {view.folders.length === 0 ? (
              <Empty sign={<Icon name="folder" />} title={t("knowledge.none")} hint={t("knowledge.noneHint")} />
            ) : (
              <ul>
                {view.folders.map((folder) => (
                  <FolderItem
                    key={folder.id}
                    folder={folder}
                    on={view.on}
                    onAgain={() => take(ask({ type: "knowledge_again", folder: folder.id }))}
                    onRemove={() => remove(folder)}
                  />
                ))}
              </ul>
            )}
            <AddFolder picks={view.picks} onView={setView} />
          </section>
          <MeaningForm model={view.model} onView={setView} />
        </>
      )}
    </SettingsPage>
  );
}
