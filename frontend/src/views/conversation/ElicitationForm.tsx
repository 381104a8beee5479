/** A server asks the person for data: its words, a form drawn from its schema, and three answers. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { IconName } from "../../icons/names";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { Field, Select } from "../../parts/Field";
import { useServices } from "../../services";
import { ask } from "../../socket";
import type { Elicitation } from "../../wire";
import {
  type Asked,
  faultOf,
  asked as fieldsOf,
  inputType,
  startValues,
  type Value,
  type Values,
  valuesFor,
} from "./elicitation";

export function ElicitationForm({ asked }: { asked: Elicitation }): JSX.Element {
  return asked.url === null ? <FormQuestion asked={asked} /> : <AddressQuestion asked={asked} url={asked.url} />;
}

type Action = "accept" | "decline" | "cancel";

function Question({ asked, children }: { asked: Elicitation; children: ComponentChildren }): JSX.Element {
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
      {children}
    </section>
  );
}

interface AnswersProps {
  first: string;
  second?: string;
  icon?: IconName | undefined;
  answer: (action: Action) => void;
}

function Answers({ first, second = t("elicit.decline"), icon, answer }: AnswersProps): JSX.Element {
  return (
    <footer>
      <Button kind="primary" icon={icon} testid="elicit-accept" onClick={() => answer("accept")}>
        {first}
      </Button>
      <Button testid="elicit-decline" onClick={() => answer("decline")}>
        {second}
      </Button>
      <span class="grow" />
      <Button kind="quiet" testid="elicit-cancel" onClick={() => answer("cancel")}>
        {t("part.cancel")}
      </Button>
    </footer>
  );
}

const send = (asked: Elicitation, action: Action, content: Record<string, unknown> | null): void => {
  ask({ type: "answer", request_id: asked.request_id, action, content }).catch(complain);
};

function FormQuestion({ asked }: { asked: Elicitation }): JSX.Element {
  const fields = fieldsOf(asked.json_schema);
  const [values, setValues] = useState<Values>(() => startValues(fields));
  const [tried, setTried] = useState(false);
  const answer = (action: Action) => {
    if (action !== "accept") return send(asked, action, null);
    setTried(true);
    if (fields.every((field) => faultOf(field, values) === undefined)) send(asked, action, valuesFor(fields, values));
  };
  return (
    <Question asked={asked}>
      <form
        class="call form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          answer("accept");
        }}
      >
        {fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            error={tried ? faultOf(field, values) : undefined}
            onValue={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <button type="submit" hidden />
      </form>
      {fields.length === 0 ? (
        <Answers first={t("elicit.yes")} second={t("elicit.no")} answer={answer} />
      ) : (
        <Answers first={t("elicit.accept")} answer={answer} />
      )}
    </Question>
  );
}

/** To accept is to go there: the address is shown whole before, with whose it is. */
function AddressQuestion({ asked, url }: { asked: Elicitation; url: string }): JSX.Element {
  const { openUrl } = useServices();
  const answer = (action: Action) => {
    if (action === "accept") openUrl(url);
    send(asked, action, null);
  };
  return (
    <Question asked={asked}>
      <div class="call">
        <p>{t("elicit.openHint", { server: asked.server, host: hostOf(url) })}</p>
        <code class="uri" data-testid="elicit-url">
          {url}
        </code>
      </div>
      <Answers first={t("elicit.open")} icon="external" answer={answer} />
    </Question>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

interface OneFieldProps {
  field: Asked;
  value: Value;
  error: string | undefined;
  onValue: (value: Value) => void;
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
        <span>
          {field.title}
          {field.description && <span class="remark">{field.description}</span>}
        </span>
      </label>
    );
  }
  return (
    <Field label={field.title} required={field.required} hint={field.description} error={error}>
      {(bound) =>
        field.options ? (
          <Select
            {...bound}
            name={field.name}
            value={String(value)}
            options={field.required ? field.options : [{ value: "", label: t("part.choose") }, ...field.options]}
            onChange={onValue}
          />
        ) : (
          <input
            {...bound}
            class="in"
            data-name={field.name}
            type={inputType(field)}
            inputMode={field.kind === "number" ? "decimal" : undefined}
            value={String(value)}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        )
      }
    </Field>
  );
}

/** Any number of choices. */
function Choices({ field, value, error, onValue }: OneFieldProps): JSX.Element {
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const toggle = (one: string, on: boolean) => {
    const order = (field.options ?? []).map((option) => option.value);
    onValue(order.filter((each) => (each === one ? on : chosen.includes(each))));
  };
  return (
    <fieldset class="field choices" data-name={field.name}>
      <legend class="label">
        {field.title}
        {field.required && <em> {t("part.required")}</em>}
      </legend>
      {(field.options ?? []).map((option) => (
        <label key={option.value} class="checked">
          <input
            type="checkbox"
            class="check"
            value={option.value}
            checked={chosen.includes(option.value)}
            onChange={(event) => toggle(option.value, event.currentTarget.checked)}
          />
          <span>{option.label}</span>
        </label>
      ))}
      {error ? (
        <span class="bad" role="alert">
          <Icon name="error" />
          {error}
        </span>
      ) : (
        field.description && <span class="hint">{field.description}</span>
      )}
    </fieldset>
  );
}
