/** All conversations as a file, and an export of ours or of another program taken in. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { saveFile } from "../../actions/conversation";
import { number } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { allWorded } from "../../sayings";
import { fetchOwn } from "../../token";
import type { Imported } from "../../wire";
import { tried } from "./tried";

export function Archive(): JSX.Element {
  const files = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [taken, setTaken] = useState<Imported | null>(null);
  const save = async () => {
    setBusy(true);
    const blob = await tried(fetchOwn("/archive").then((response) => response.blob()));
    if (blob) saveFile(`leochat-${new Date().toISOString().slice(0, 10)}.json`, blob);
    setBusy(false);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setTaken(null);
    const form = new FormData();
    form.append("file", file);
    const sent = fetchOwn("/archive", { method: "POST", body: form });
    setTaken(await tried(sent.then((response) => response.json() as Promise<Imported>)));
    setBusy(false);
  };
  return (
    <section class="standing" data-testid="archive" aria-labelledby="archive-title">
      <h2 id="archive-title">{t("data.move")}</h2>
      <p class="muted">{t("data.moveLead")}</p>
      <div class="acts">
        <Button small icon="download" disabled={busy} testid="export-all" onClick={save}>
          {t("data.export")}
        </Button>
        <Button small icon="folder" disabled={busy} testid="import-file" onClick={() => files.current?.click()}>
          {t(busy ? "data.importing" : "data.import")}
        </Button>
        <input
          ref={files}
          type="file"
          hidden
          accept=".json,.jsonl,.zip,application/json,application/zip"
          data-testid="import-input"
          aria-label={t("data.import")}
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </div>
      {taken && <Report taken={taken} />}
    </section>
  );
}

function Report({ taken }: { taken: Imported }): JSX.Element {
  const { program, conversations, messages, already, notes } = taken;
  const words = { program, conversations: number(conversations), messages: number(messages) };
  return (
    <div class="hint-row" role="status" data-tone="success" data-testid="imported">
      <Icon name="ok" />
      <div class="grow">
        {t("data.imported", words)} {already > 0 && t("data.already", { count: already })}
        {notes.length > 0 && (
          <details>
            <summary>
              {t("data.notes")} ({number(notes.length)})
            </summary>
            <ul class="plain">
              {notes.map((note) => (
                <li key={note.message}>{allWorded(note.message, note.said)}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </div>
  );
}
