/** The fields of a server: a program with its arguments, folder and variables, or an address with its headers. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Field, Select } from "../../parts/Field";
import { Command } from "./Command";
import type { Draft, DraftField, Fault, Reading, SignsIn } from "./draft";

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
      {remote && !/^tcp:/i.test(draft.url.trim()) && <Registration {...props} />}
    </div>
  );
}

const signers = ["person", "client"] as const satisfies readonly SignsIn[];

/** For servers whose sign-in knows LeoChat only by an id that a person was given; most register it by themselves. */
function Registration(props: FieldsProps): JSX.Element {
  const { draft, faults } = props;
  const open = draft.clientId !== "" || Boolean(faults.clientId ?? faults.clientSecret);
  return (
    <details class="registration" data-testid="server-registration" open={open}>
      <summary>{t("servers.client")}</summary>
      <p class="muted">{t("servers.clientHint")}</p>
      <div class="two">
        <Text {...props} field="clientId" label={t("servers.clientId")} mono />
        <Text
          {...props}
          field="clientSecret"
          label={t("servers.clientSecret")}
          hint={t("servers.clientSecretHint")}
          mono
          secret
          placeholder={draft.hasSecret ? t("servers.clientSecretKept") : undefined}
        />
      </div>
      <Field label={t("servers.signsIn")}>
        {(bound) => (
          <Select
            {...bound}
            testid="server-signs-in"
            value={draft.signsIn}
            options={signers.map((value) => ({ value, label: t(`servers.signsIn.${value}`) }))}
            onChange={(value) => props.onChange("signsIn", value)}
          />
        )}
      </Field>
    </details>
  );
}

const testids: Record<Exclude<DraftField, "signsIn">, string> = {
  name: "server-name",
  command: "server-command",
  args: "server-args",
  cwd: "server-cwd",
  env: "server-env",
  url: "server-url",
  headers: "server-headers",
  clientId: "server-client-id",
  clientSecret: "server-client-secret",
};

interface TextProps extends FieldsProps {
  field: keyof typeof testids;
  label: string;
  hint?: string;
  mono?: boolean;
  /** Given: a field of several lines. */
  rows?: number;
  disabled?: boolean;
  placeholder?: string | undefined;
  /** Not shown as it is typed. */
  secret?: boolean;
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
          <input
            {...shared}
            type={props.secret ? "password" : "text"}
            onInput={(event) => props.onChange(props.field, event.currentTarget.value)}
          />
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
