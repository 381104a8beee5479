/** The folders that LeoChat's own servers may use: which, until when, and the ways to add one and take it back. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { conversations } from "../../desk";
import { allowDropped, takeDropped } from "../../folders";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { ask } from "../../socket";
import type { FolderInfo, FoldersData } from "../../wire";
import { settingValue } from "./data";
import { SettingsPage } from "./FieldsPage";
import { FolderForm } from "./FolderForm";
import { tried } from "./tried";

export function FoldersPage(): JSX.Element {
  const [told, setTold] = useState<FoldersData | null>(null);
  const read = async () => setTold((await tried(ask({ type: "folders_list" }))) ?? told);
  const allowed = JSON.stringify(settingValue("folders.allowed"));
  // also after a change that came from elsewhere: an "always" in a conversation, another window
  useEffect(() => void read(), [allowed]);
  useEffect(() => {
    document.addEventListener("drop", onDrop);
    return () => document.removeEventListener("drop", onDrop);
  }, []);
  const remove = async ({ path, conversation_id }: FolderInfo) => {
    await tried(ask({ type: "folder_remove", path, conversation_id }));
    await read();
  };
  return (
    <SettingsPage title={t("settings.folders")}>
      <p class="muted">{t("folders.lead")}</p>
      <div class="folders" data-testid="folders">
        {told && (
          <section class="standing" aria-label={t("settings.folders")}>
            <ul>
              {told.folders.map((folder) => (
                <FolderRow
                  key={`${folder.path} ${folder.conversation_id}`}
                  folder={folder}
                  onRemove={() => remove(folder)}
                />
              ))}
            </ul>
          </section>
        )}
        <AddFolder picks={told?.picks ?? false} onAdded={read} />
      </div>
      <p class="muted page-note">{t("folders.note")}</p>
    </SettingsPage>
  );
}

/** A folder, or a file whose folder is meant; the whole page takes it. */
function onDrop(event: DragEvent): void {
  event.preventDefault();
  const { folders, files, all } = takeDropped(event.dataTransfer);
  void allowDropped([...folders, ...files.map(({ name }) => name)], all);
}

function FolderRow({ folder, onRemove }: { folder: FolderInfo; onRemove: () => void }): JSX.Element {
  return (
    <li data-testid="folder" data-kind={folder.kind}>
      <Icon name="folder" />
      <span class="grow">
        <code class="where">{folder.path}</code>
        <span class="muted">{reach(folder)}</span>
        {(folder.closed || !folder.there) && (
          <span class="bad">
            <Icon name="alert" small /> {folder.closed ? t("folders.closed") : t("folders.missing")}
          </span>
        )}
      </span>
      {folder.kind !== "own" && (
        <Button
          small
          testid="folder-remove"
          title={t("folders.removeThis", { folder: folder.path })}
          onClick={onRemove}
        >
          {t("folders.remove")}
        </Button>
      )}
    </li>
  );
}

function reach({ kind, conversation_id: id }: FolderInfo): string {
  if (kind === "own") return t("folders.own");
  if (kind === "always") return t("settings.grants.everywhere");
  const title = conversations.value?.find((each) => each.id === id)?.title;
  return t("settings.grants.conversation", { title: title || t("list.untitled") });
}

function AddFolder({ picks, onAdded }: { picks: boolean; onAdded: () => Promise<void> }): JSX.Element {
  const added = async (asked: Promise<{ path: string | null }>) => {
    const { path } = await asked;
    await onAdded();
    return path !== null;
  };
  return (
    <FolderForm
      name="folder"
      words={{
        label: t("folders.add"),
        placeholder: t("folders.placeholder"),
        add: t("folders.allow"),
        choose: t("folders.choose"),
      }}
      onAdd={(path) => added(ask({ type: "folder_add", path }))}
      onPick={picks ? () => added(ask({ type: "folder_pick" })) : null}
    />
  );
}
