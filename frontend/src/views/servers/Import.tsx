/** Where a configuration is pasted, or a file picked: one line under the form; what comes into it opens it whole. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { Field } from "../../parts/Field";
import type { Source } from "./found";

interface ImportProps {
  whole: boolean;
  source: Source;
  onText: (text: string) => void;
  onFile: (file: File | undefined) => void;
}

export function Import({ whole, source, onText, onFile }: ImportProps): JSX.Element {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div class="import">
      {"ref" in source ? (
        <p class="picked-file">
          <Icon name="file" /> <b>{source.name}</b>
          <IconButton icon="x" label={t("servers.import.other")} onClick={() => onText("")} />
        </p>
      ) : (
        <Field
          label={t(whole ? "servers.jsonWhole" : "servers.jsonShort")}
          hint={whole ? t("servers.import.hint") : undefined}
        >
          {(bound) => (
            <textarea
              {...bound}
              class={`in mono${whole ? " json" : ""}`}
              data-testid="server-json"
              rows={whole ? 9 : 1}
              spellcheck={false}
              autocomplete="off"
              placeholder='{ "mcpServers": { … } }'
              value={source.text}
              onInput={(event) => onText(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <input
        ref={file}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={t("servers.import.pick")}
        data-testid="server-file"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      <Button small icon="file" testid="server-pick" onClick={() => file.current?.click()}>
        {t("servers.import.pick")}
      </Button>
    </div>
  );
}
