/** The folders that LeoChat's own servers may use: which, until when, and the ways to add one and take it back. */
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { conversations } from "../../desk";
import { allowDropped, takeDropped } from "../../folders";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { ask } from "../../socket";
import type { FolderInfo, FoldersData } from "../../wire";
import { settingValue } from "./data";
import { SettingsPage } from "./FieldsPage";
import { tried, wordsOf } from "./tried";

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
  const id = useId();
  const [path, setPath] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (asked: Promise<{ path: string | null }>) => {
    setError(null);
    setBusy(true);
    try {
      if ((await asked).path) setPath("");
      await onAdded();
    } catch (refused) {
      setError(wordsOf(refused));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="folder-add"
      onSubmit={(event) => {
        event.preventDefault();
        void add(ask({ type: "folder_add", path }));
      }}
    >
      <label for={id}>{t("folders.add")}</label>
      <div class="folder-line">
        <input
          id={id}
          class="in grow"
          data-testid="folder-path"
          value={path}
          placeholder={t("folders.placeholder")}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={error !== null}
          aria-describedby={error ? `${id}-fault` : undefined}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <Button testid="folder-add" disabled={busy || path.trim() === ""} submit>
          {t("folders.allow")}
        </Button>
        {picks && (
          <Button testid="folder-pick" disabled={busy} onClick={() => void add(ask({ type: "folder_pick" }))}>
            {t("folders.choose")}
          </Button>
        )}
      </div>
      {error && (
        <p class="bad" role="alert" id={`${id}-fault`}>
          <Icon name="error" small /> {error}
        </p>
      )}
    </form>
  );
}
