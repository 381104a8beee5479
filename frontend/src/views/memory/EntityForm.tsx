/** Name and type of something that is remembered: to add it, or to change them. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { save } from "./deeds";
import { useEscape } from "./escape";

interface FormProps {
  old: { name: string; kind: string } | null;
  onCancel: () => void;
  onSaved: (name: string) => void;
}

export function EntityForm({ old, onCancel, onSaved }: FormProps): JSX.Element {
  const [name, setName] = useState(old?.name ?? "");
  const [kind, setKind] = useState(old?.kind ?? "");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  useEscape(form, onCancel);
  const usable = name.trim() !== "" && kind.trim() !== "";
  const submit = async () => {
    const same = old?.name === name.trim() && old.kind === kind.trim();
    if (same || (usable && (await save(old?.name ?? null, name, kind)))) onSaved(name.trim());
  };
  return (
    <form
      ref={form}
      class="memory-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {!old && (
        <div class="detail-head">
          <h2>{t("memory.addTitle")}</h2>
        </div>
      )}
      <div class="two">
        <Field label={t("memory.name")}>
          {(bound) => (
            <input
              {...bound}
              class="in"
              type="text"
              autocomplete="off"
              data-testid="memory-name"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t("memory.kind")} hint={t("memory.kindHint")}>
          {(bound) => (
            <input
              {...bound}
              class="in"
              type="text"
              autocomplete="off"
              data-testid="memory-kind"
              value={kind}
              onInput={(event) => setKind(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <div class="acts">
        <span class="grow" />
        <Button kind="quiet" onClick={onCancel}>
          {t("part.cancel")}
        </Button>
        <Button kind="primary" submit testid="memory-save" disabled={!usable}>
          {t("settings.save")}
        </Button>
      </div>
    </form>
  );
}
