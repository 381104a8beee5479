/** A card's inputs: short ones two in a line, long ones alone. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { type Bound, Field, Select } from "../parts/Field";
import type { Input } from "../wire";
import { type Filled, type InputValue, put } from "./inputs";

interface InputProps {
  input: Input;
  value: InputValue;
  wrong: string | undefined;
  onPut: (value: InputValue) => void;
}

/** Consecutive inputs of a card as one form. */
export function CardInputs({ inputs, filled }: { inputs: readonly Input[]; filled: Filled }): JSX.Element {
  return (
    <div class="card-form">
      {inputs.map((input) => (
        <OneInput
          key={input.name}
          input={input}
          value={filled.values.value[input.name] ?? null}
          wrong={filled.wrong.value[input.name]}
          onPut={(value) => put(filled, input.name, value)}
        />
      ))}
    </div>
  );
}

function OneInput(props: InputProps): JSX.Element {
  const { input, wrong } = props;
  if (input.kind === "checkbox") return <Check {...props} />;
  return (
    <div class={input.kind === "text" ? "whole" : undefined}>
      <Field label={input.label || input.name} required={input.required} error={wrong}>
        {(bound) => (input.kind === "select" ? <Choice {...props} bound={bound} /> : <Line {...props} bound={bound} />)}
      </Field>
    </div>
  );
}

const types = { text: "text", number: "text", date: "date" } as const;

function Line({ input, value, onPut, bound }: InputProps & { bound: Bound }): JSX.Element {
  const kind = input.kind === "number" || input.kind === "date" ? input.kind : "text";
  return (
    <input
      {...bound}
      class={`in${kind === "text" ? "" : " num"}`}
      type={types[kind]}
      inputMode={kind === "number" ? "decimal" : undefined}
      autoComplete="off"
      value={value === null ? "" : String(value)}
      data-testid="card-input"
      data-name={input.name}
      onInput={(event) => onPut(event.currentTarget.value)}
    />
  );
}

function Choice({ input, value, onPut, bound }: InputProps & { bound: Bound }): JSX.Element {
  const options =
    input.value === null && !input.required
      ? [{ value: "", label: t("part.choose") }, ...input.options]
      : input.options;
  return (
    <Select
      {...bound}
      value={value === null ? "" : String(value)}
      options={options}
      testid="card-input"
      name={input.name}
      onChange={onPut}
    />
  );
}

function Check({ input, value, wrong, onPut }: InputProps): JSX.Element {
  return (
    <div class="field check-field">
      <label class="checked">
        <input
          type="checkbox"
          class="check"
          checked={value === true}
          aria-invalid={Boolean(wrong)}
          data-testid="card-input"
          data-name={input.name}
          onChange={(event) => onPut(event.currentTarget.checked)}
        />
        <span>
          {input.label || input.name}
          {input.required && <em class="muted"> {t("part.required")}</em>}
        </span>
      </label>
      {wrong && (
        <span class="bad" role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}
