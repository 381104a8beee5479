/** A labelled input with its hint or error, and the controls that go into it: text, area, select, switch, check. */
import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";

/** What a control inside a field takes over, so that label, hint and error belong to it. */
export interface Bound {
  id: string;
  required: boolean;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

interface FieldProps {
  label: string;
  required?: boolean | undefined;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (bound: Bound) => ComponentChildren;
}

/** Label above, control, and under it the error or else the hint. */
export function Field(props: FieldProps): JSX.Element {
  const id = useId();
  const told = props.error ? `${id}-bad` : props.hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label class="label" for={id}>
        {props.label}
        {props.required && <em> {t("part.required")}</em>}
      </label>
      {props.children({
        id,
        required: props.required ?? false,
        "aria-invalid": Boolean(props.error),
        "aria-describedby": told,
      })}
      {props.error ? (
        <span class="bad" id={`${id}-bad`} role="alert">
          <Icon name="error" />
          {props.error}
        </span>
      ) : (
        props.hint && (
          <span class="hint" id={`${id}-hint`}>
            {props.hint}
          </span>
        )
      )}
    </div>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Partial<Bound> {
  value: string;
  options: readonly Option[];
  disabled?: boolean | undefined;
  testid?: string | undefined;
  name?: string | undefined;
  onChange: (value: string) => void;
}

/** A native select in the page's look. */
export function Select({ options, testid, onChange, name, ...rest }: SelectProps): JSX.Element {
  return (
    <span class="select">
      <select
        {...rest}
        class="in"
        data-testid={testid}
        data-name={name}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chev-d" />
    </span>
  );
}

interface SwitchProps {
  checked: boolean;
  label: string;
  mini?: boolean;
  disabled?: boolean | undefined;
  testid?: string | undefined;
  onChange: (checked: boolean) => void;
}

/** On or off, at once. Its label is for readers; show the words beside it. */
export function Switch(props: SwitchProps): JSX.Element {
  return (
    <input
      type="checkbox"
      role="switch"
      aria-checked={props.checked}
      class={`switch${props.mini ? " mini" : ""}`}
      aria-label={props.label}
      checked={props.checked}
      disabled={props.disabled}
      data-testid={props.testid}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}
