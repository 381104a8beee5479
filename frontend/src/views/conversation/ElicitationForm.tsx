/** A server asks the person for data: its words, a form drawn from its schema, and three answers. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { Field, Select } from "../../parts/Field";
import { useServices } from "../../services";
import { ask } from "../../socket";
import type { Elicitation } from "../../wire";
import { type Asked, asked as fieldsOf, missing, startValues, type Values, valuesFor } from "./elicitation";

export function ElicitationForm({ asked }: { asked: Elicitation }): JSX.Element {
  const { openUrl } = useServices();
  const fields = fieldsOf(asked.json_schema);
  const [values, setValues] = useState<Values>(() => startValues(fields));
  const [tried, setTried] = useState(false);
  const answer = (action: "accept" | "decline" | "cancel") => {
    const content = action === "accept" ? valuesFor(fields, values) : null;
    ask({ type: "answer", request_id: asked.request_id, action, content }).catch(complain);
  };
  const accept = () => {
    setTried(true);
    if (fields.every((field) => !missing(field, values))) answer("accept");
  };
  return (
    <section class="ask" data-testid="elicitation" aria-label={asked.message}>
      <header>
        <span class="tile" data-tone="accent">
          <Icon name="hand" />
        </span>
        <div class="grow">
          <h2>{t("elicit.title", { server: asked.server })}</h2>
          <p>{asked.message}</p>
        </div>
      </header>
      <form
        class="call form"
        onSubmit={(event) => {
          event.preventDefault();
          accept();
        }}
      >
        {asked.url && (
          <Button icon="external" onClick={() => openUrl(asked.url ?? "")}>
            {asked.url}
          </Button>
        )}
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            error={tried && missing(field, values) ? t("part.fillIn") : undefined}
            onValue={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      </form>
      <footer>
        <Button kind="primary" testid="elicit-accept" onClick={accept}>
          {t("elicit.accept")}
        </Button>
        <Button testid="elicit-decline" onClick={() => answer("decline")}>
          {t("elicit.decline")}
        </Button>
        <span class="grow" />
        <Button kind="quiet" testid="elicit-cancel" onClick={() => answer("cancel")}>
          {t("part.cancel")}
        </Button>
      </footer>
    </section>
  );
}

interface OneFieldProps {
  field: Asked;
  value: string | boolean;
  error: string | undefined;
  onValue: (value: string | boolean) => void;
}

/** One field of a flat schema, wherever it is asked. */
export function OneField(props: OneFieldProps): JSX.Element {
  const { field, value, error, onValue } = props;
  if (field.kind === "choices") return <Choices {...props} />;
  if (field.kind === "boolean") {
    return (
      <label class="checked">
        <input
          type="checkbox"
          class="check"
          checked={value === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>{field.title}</span>
      </label>
    );
  }
  return (
    <Field label={field.title} required={field.required} hint={field.description} error={error}>
      {(bound) =>
        field.options ? (
          <Select {...bound} value={String(value)} options={field.options} onChange={onValue} />
        ) : (
          <input
            {...bound}
            class="in"
            inputMode={field.kind === "number" ? "decimal" : undefined}
            value={String(value)}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}
