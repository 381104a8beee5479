/** Folders that LeoChat's own servers may use, as far as the whole window is concerned: dropping one on it. */
import { openSettings } from "./desk";
import { t } from "./i18n";
import { complain } from "./parts/complain";
import { confirm } from "./parts/confirm";
import { toast } from "./parts/toasts";
import { ask } from "./socket";

interface Dropped {
  folders: string[];
  files: File[];
  all: File[];
}

/** Divides what was dropped. To be called while the event is handled: afterwards it is empty. */
export function takeDropped(data: DataTransfer | null): Dropped {
  const taken: Dropped = { folders: [], files: [], all: [...(data?.files ?? [])] };
  for (const item of data?.items ?? []) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.() ?? null;
    const file = item.getAsFile();
    if (entry?.isDirectory) taken.folders.push(entry.name);
    else if (file) taken.files.push(file);
  }
  if (taken.folders.length + taken.files.length === 0) taken.files = taken.all;
  return taken;
}

interface WebView2 {
  postMessageWithAdditionalObjects?: (message: string, objects: unknown) => void;
}

/** Asks about the folders of what was dropped, where the window knows its place on the disk; a browser does not. */
export async function allowDropped(names: readonly string[], files: readonly File[]): Promise<void> {
  const windows = (globalThis as { chrome?: { webview?: WebView2 } }).chrome?.webview;
  windows?.postMessageWithAdditionalObjects?.("FilesDropped", files); // only so does Windows tell the paths
  try {
    const { folders } = await ask({ type: "folders_dropped", names: [...names] });
    if (folders.length === 0) {
      toast({
        text: t("folders.noPath"),
        tone: "warning",
        action: { label: t("folders.open"), run: () => openSettings("folders") },
      });
    }
    for (const folder of folders) await allowAfterAsking(folder);
  } catch (error) {
    complain(error);
  }
}

async function allowAfterAsking(folder: string): Promise<void> {
  const sure = await confirm({
    title: t("ask.folder.title"),
    message: t("folders.sure", { folder }),
    confirmText: t("folders.allow"),
  });
  if (!sure) return;
  const { path } = await ask({ type: "folder_add", path: folder });
  toast({ tone: "success", text: t("folders.added", { folder: path }) });
}
