/** Tries one tool: a form drawn from its schema, or its arguments as JSON, and what came back. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { duration } from "../../format";
import { t } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { CodeBlock } from "../../parts/CodeBlock";
import { Field } from "../../parts/Field";
import type { ToolSchema, ToolTrial } from "../../wire";
import { OneField } from "../conversation/ElicitationForm";
import { asked, faultOf, startValues, type Values, valuesFor } from "../conversation/elicitation";
import { wordsOf } from "../settings/tried";
import { Cure } from "./Cure";
import { schemaOf, tryTool } from "./deeds";

type Outcome = "running" | ToolTrial | { fault: string } | null;

export function TryTool({ server, tool }: { server: string; tool: string }): JSX.Element {
  const [schema, setSchema] = useState<ToolSchema | null>(null);
  const [values, setValues] = useState<Values>({});
  const [json, setJson] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>(null);
  useEffect(() => {
    schemaOf(server, tool).then((read) => {
      setSchema(read);
      if (!read) return;
      setValues(startValues(asked(read.input_schema)));
      if (!isFlat(read.input_schema)) setJson("{}");
    });
  }, [server, tool]);
  if (schema === null) return <Spinner />;
  const fields = asked(schema.input_schema);
  const run = async () => {
    setTried(true);
    if (json === null && fields.some((field) => faultOf(field, values) !== undefined)) return;
    setOutcome("running");
    try {
      setOutcome(await tryTool(server, tool, json === null ? valuesFor(fields, values) : parsed(json)));
    } catch (error) {
      setOutcome({ fault: wordsOf(error) });
    }
  };
  return (
    <form
      class="try form"
      data-testid="tool-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      {json !== null && (
        <Field label={t("servers.try.json")}>
          {(bound) => (
            <textarea
              {...bound}
              class="in mono"
              rows={4}
              spellcheck={false}
              data-testid="tool-json"
              value={json}
              onInput={(event) => setJson(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {json === null &&
        fields.map((field) => (
          <OneField
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            error={tried ? faultOf(field, values) : undefined}
            onValue={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
      <div class="acts">
        <Button small kind="primary" icon="play" submit testid="tool-run" disabled={outcome === "running"}>
          {t("servers.try.run")}
        </Button>
        {isFlat(schema.input_schema) && fields.length > 0 && (
          <Button
            small
            kind="quiet"
            onClick={() => setJson(json === null ? JSON.stringify(valuesFor(fields, values), null, 2) : null)}
          >
            {t(json === null ? "servers.try.asJson" : "servers.try.asForm")}
          </Button>
        )}
        <span class="muted">{t("servers.try.note")}</span>
      </div>
      <Result outcome={outcome} />
    </form>
  );
}

function Result({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome === null) return null;
  if (outcome === "running") {
    return (
      <p class="trial" role="status">
        <Spinner /> {t("servers.try.running")}
      </p>
    );
  }
  if ("fault" in outcome) {
    return (
      <div role="alert">
        <Cure message={outcome.fault} />
      </div>
    );
  }
  const structured = outcome.structured === null ? "" : JSON.stringify(outcome.structured, null, 2);
  return (
    <div class="tried" role="status" data-testid="tool-result" data-error={outcome.is_error}>
      <p>
        <Icon name={outcome.is_error ? "error" : "ok"} />{" "}
        <b>{t(outcome.is_error ? "servers.try.failed" : "servers.try.worked")}</b>{" "}
        <span class="muted num">{duration(outcome.duration_ms)}</span>
      </p>
      {outcome.text && <CodeBlock text={outcome.text} language="text" />}
      {structured && structured !== outcome.text && <CodeBlock text={structured} language="json" />}
      {outcome.pictures.map((address) => (
        <img key={address} src={address} alt={t("servers.try.picture")} />
      ))}
    </div>
  );
}

/** The arguments as typed. Throws with words. */
function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(t("servers.try.object"));
  return value as Record<string, unknown>;
}

/** Whether every argument is a single value, so that a form can hold it. */
function isFlat(schema: Record<string, unknown>): boolean {
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  return Object.values(properties).every(
    (field) =>
      typeof field?.type === "string" && field.type !== "object" && (field.type !== "array" || isChoice(field)),
  );
}

/** Whether a list is of given choices, which the form shows as checks. */
const isChoice = (field: Record<string, unknown>): boolean =>
  typeof field.items === "object" && field.items !== null && ("enum" in field.items || "anyOf" in field.items);
