/** Files on their way into a message: uploaded at once, sent by reference. */
import { signal } from "@preact/signals";
import { t } from "./i18n";
import { complain } from "./parts/complain";
import { fetchOwn } from "./token";

export interface Upload {
  key: number;
  name: string;
  size: number;
  /** Null while it is being uploaded. */
  ref: string | null;
  /** The resource it was read from. */
  source?: { server: string; uri: string } | undefined;
  /** It changed since it was read: it is read again when the message is sent. */
  stale?: boolean | undefined;
}

let count = 0;

/** The files of the message being written. */
export const uploads = signal<readonly Upload[]>([]);

/** Those of messages begun in other conversations, by what `drafts.ts` calls them. */
export const parkedUploads = new Map<string, readonly Upload[]>();

/** As they are kept over a reload, with keys of their own. */
export function uploadsOf(kept: readonly Omit<Upload, "key">[]): readonly Upload[] {
  return kept.map((each) => {
    count += 1;
    return { ...each, key: count };
  });
}

/** Uploads files; one that fails is told and taken out again. */
export async function attach(files: Iterable<File>): Promise<void> {
  await Promise.all([...files].map(attachOne));
}

async function attachOne(file: File): Promise<void> {
  count += 1;
  const upload: Upload = { key: count, name: file.name || t("file.unnamed"), size: file.size, ref: null };
  uploads.value = [...uploads.value, upload];
  try {
    const form = new FormData();
    form.append("file", file, upload.name);
    const response = await fetchOwn("/attachments", { method: "POST", body: form });
    const { ref } = (await response.json()) as { ref: string };
    change(upload.key, (each) => [{ ...each, ref }]);
  } catch (error) {
    detach(upload.key);
    complain(error);
  }
}

export const detach = (key: number): void => change(key, () => []);

/** Wherever it is: the person may have gone to another conversation meanwhile. */
function change(key: number, make: (upload: Upload) => Upload[]): void {
  const changed = (all: readonly Upload[]) => all.flatMap((each) => (each.key === key ? make(each) : [each]));
  uploads.value = changed(uploads.value);
  for (const [id, parked] of parkedUploads) parkedUploads.set(id, changed(parked));
}
