/** The fields of a server: a program with its arguments, folder and variables, or an address with its headers. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Field } from "../../parts/Field";
import { Command } from "./Command";
import type { Draft, DraftField, Fault, Reading } from "./draft";

interface FieldsProps {
  draft: Draft;
  reading: Reading;
  /** What is wrong and shall be said by now. */
  faults: Reading["faults"];
  fixedName: boolean;
  proposed: string;
  onChange: (field: DraftField, text: string) => void;
}

export function FormFields(props: FieldsProps): JSX.Element {
  const { draft, reading } = props;
  const remote = draft.url.trim() !== "" && draft.command.trim() === "";
  const local = draft.command.trim() !== "";
  return (
    <div class="form">
      <Text {...props} field="name" label={t("servers.name")} placeholder={props.proposed} disabled={props.fixedName} />
      <Text {...props} field="command" label={t("servers.command")} mono disabled={remote} placeholder="npx" />
      <Text
        {...props}
        field="args"
        label={t("servers.args")}
        hint={t("servers.argsHint")}
        mono
        rows={rowsOf(draft.args)}
        disabled={remote}
        placeholder="-y @modelcontextprotocol/server-everything"
      />
      {reading.words.length > 0 && (
        <div class="exactly">
          <span class="muted">{t("servers.exactly")}</span>
          <Command words={reading.words} />
        </div>
      )}
      <div class="two">
        <Text
          {...props}
          field="cwd"
          label={t("servers.folder")}
          hint={t("servers.folderHint")}
          mono
          disabled={remote}
        />
        <Text
          {...props}
          field="env"
          label={t("servers.variables")}
          hint={t("servers.envHint")}
          mono
          rows={rowsOf(draft.env)}
          disabled={remote}
          placeholder="NAME=value"
        />
      </div>
      <div class="or">
        <span>{t("servers.or")}</span>
      </div>
      <Text {...props} field="url" label={t("servers.address")} mono disabled={local} placeholder="https://" />
      {remote && (
        <Text
          {...props}
          field="headers"
          label={t("servers.headers")}
          hint={t("servers.headersHint")}
          mono
          rows={rowsOf(draft.headers)}
          placeholder="Authorization: Bearer …"
        />
      )}
    </div>
  );
}

const testids: Record<DraftField, string> = {
  name: "server-name",
  command: "server-command",
  args: "server-args",
  cwd: "server-cwd",
  env: "server-env",
  url: "server-url",
  headers: "server-headers",
};

interface TextProps extends FieldsProps {
  field: DraftField;
  label: string;
  hint?: string;
  mono?: boolean;
  /** Given: a field of several lines. */
  rows?: number;
  disabled?: boolean;
  placeholder?: string;
}

function Text(props: TextProps): JSX.Element {
  const fault = props.faults[props.field];
  return (
    <Field label={props.label} hint={props.hint} error={fault && faultText(fault)}>
      {(bound) => {
        const shared = {
          ...bound,
          class: `in${props.mono ? " mono" : ""}`,
          "data-testid": testids[props.field],
          value: props.draft[props.field],
          placeholder: props.placeholder,
          disabled: props.disabled,
          spellcheck: false,
          autocomplete: "off",
          autocapitalize: "off",
        } as const;
        return props.rows === undefined ? (
          <input {...shared} type="text" onInput={(event) => props.onChange(props.field, event.currentTarget.value)} />
        ) : (
          <textarea
            {...shared}
            rows={props.rows}
            onInput={(event) => props.onChange(props.field, event.currentTarget.value)}
          />
        );
      }}
    </Field>
  );
}

const rowsOf = (text: string): number => Math.min(8, Math.max(1, text.split("\n").length));

const faultText = (fault: Fault): string => ("line" in fault ? t(fault.key, { line: fault.line }) : t(fault.key));
