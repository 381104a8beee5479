/** The way to index another folder: its path, or the system's own dialog where the window has one. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { ask } from "../../socket";
import type { KnowledgeView } from "../../wire";
import { wordsOf } from "../settings/tried";

interface AddProps {
  picks: boolean;
  onView: (view: KnowledgeView) => void;
}

export function AddFolder({ picks, onView }: AddProps): JSX.Element {
  const id = useId();
  const [path, setPath] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (asked: Promise<KnowledgeView>) => {
    setError(null);
    setBusy(true);
    try {
      onView(await asked);
      setPath("");
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
        void add(ask({ type: "knowledge_add", path }));
      }}
    >
      <label for={id}>{t("knowledge.add")}</label>
      <div class="folder-line">
        <input
          id={id}
          class="in grow"
          data-testid="knowledge-path"
          value={path}
          placeholder={t("knowledge.placeholder")}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={error !== null}
          aria-describedby={error ? `${id}-fault` : `${id}-hint`}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <Button testid="knowledge-add" disabled={busy || path.trim() === ""} submit>
          {t("knowledge.index")}
        </Button>
        {picks && (
          <Button testid="knowledge-pick" disabled={busy} onClick={() => void add(ask({ type: "knowledge_pick" }))}>
            {t("knowledge.choose")}
          </Button>
        )}
      </div>
      {error ? (
        <p class="bad" role="alert" id={`${id}-fault`}>
          <Icon name="error" small /> {error}
        </p>
      ) : (
        <p class="muted hint" id={`${id}-hint`}>
          {t("knowledge.skips")}
        </p>
      )}
    </form>
  );
}
