/** A folder to add: its path, or the system's own dialog where the window has one. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { wordsOf } from "./tried";

interface FolderFormProps {
  /** Begins the test ids: `NAME-path`, `NAME-add`, `NAME-pick`. */
  name: string;
  words: { label: string; placeholder: string; add: string; choose: string; hint?: string };
  /** Adds a path (true: it was added). Rejects with words for the person. */
  onAdd: (path: string) => Promise<boolean>;
  /** Where the window has a dialog to choose by. */
  onPick: (() => Promise<boolean>) | null;
}

export function FolderForm({ name, words, onAdd, onPick }: FolderFormProps): JSX.Element {
  const id = useId();
  const [path, setPath] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (asked: Promise<boolean>) => {
    setError(null);
    setBusy(true);
    try {
      if (await asked) setPath("");
    } catch (refused) {
      setError(wordsOf(refused));
    } finally {
      setBusy(false);
    }
  };
  const described = error ? `${id}-fault` : words.hint ? `${id}-hint` : undefined;
  return (
    <form
      class="folder-add"
      onSubmit={(event) => {
        event.preventDefault();
        void add(onAdd(path));
      }}
    >
      <label for={id}>{words.label}</label>
      <div class="folder-line">
        <input
          id={id}
          class="in grow"
          data-testid={`${name}-path`}
          value={path}
          placeholder={words.placeholder}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={error !== null}
          aria-describedby={described}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <Button testid={`${name}-add`} disabled={busy || path.trim() === ""} submit>
          {words.add}
        </Button>
        {onPick && (
          <Button testid={`${name}-pick`} disabled={busy} onClick={() => void add(onPick())}>
            {words.choose}
          </Button>
        )}
      </div>
      {error ? (
        <p class="bad" role="alert" id={`${id}-fault`}>
          <Icon name="error" small /> {error}
        </p>
      ) : (
        words.hint && (
          <p class="muted hint" id={`${id}-hint`}>
            {words.hint}
          </p>
        )
      )}
    </form>
  );
}
