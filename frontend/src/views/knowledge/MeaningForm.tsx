/** The embedding model: where it is, its name and key (never shown back), a test, and how far the passages are compared. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { duration } from "../../format";
import { t } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { Field, Select } from "../../parts/Field";
import { toast } from "../../parts/toasts";
import { ask } from "../../socket";
import type { KnowledgeModel, KnowledgeTrial, KnowledgeView } from "../../wire";
import { Cure } from "../servers/Cure";
import { tried, wordsOf } from "../settings/tried";

type Protocol = KnowledgeModel["protocol"];
type Outcome = "running" | KnowledgeTrial | null;

interface FormProps {
  model: KnowledgeModel;
  onView: (view: KnowledgeView) => void;
}

export function MeaningForm({ model, onView }: FormProps): JSX.Element {
  const [protocol, setProtocol] = useState<Protocol>(model.protocol);
  const [address, setAddress] = useState(model.address);
  const [name, setName] = useState(model.model);
  const [key, setKey] = useState("");
  const [outcome, setOutcome] = useState<Outcome>(null);
  const turn = useRef(0);
  const typed = { protocol, address: address.trim(), model: name.trim(), key: key.trim() || null };
  const changed =
    typed.key !== null ||
    typed.protocol !== model.protocol ||
    typed.address !== model.address ||
    typed.model !== model.model;
  const edit =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      turn.current += 1;
      setOutcome(null);
      set(value);
    };
  const save = async (more: { key?: string } = {}) => {
    const told = await tried(ask({ type: "knowledge_model_save", ...typed, ...more }));
    if (!told) return;
    setKey("");
    onView(told);
    toast({ text: t("knowledge.saved"), tone: "success" });
  };
  const test = async () => {
    turn.current += 1;
    const mine = turn.current;
    setOutcome("running");
    const found = await ask({ type: "knowledge_model_test", ...typed }).catch(
      (error: unknown): KnowledgeTrial => ({ ok: false, dimensions: null, message: wordsOf(error), duration_ms: 0 }),
    );
    if (turn.current === mine) setOutcome(found);
  };
  const text = (value: string, set: (text: string) => void, testid: string, type = "text") => ({
    class: "in mono",
    type,
    "data-testid": testid,
    spellcheck: false,
    autocomplete: "off",
    value,
    onInput: (event: JSX.TargetedEvent<HTMLInputElement>) => edit(set)(event.currentTarget.value),
  });
  return (
    <form
      class="standing meaning"
      noValidate
      data-testid="meaning"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t("knowledge.model")}</h2>
      <p class="muted">{t("knowledge.modelLead")}</p>
      <Compared model={model} />
      <div class="two">
        <Field label={t("knowledge.protocol")}>
          {(bound) => (
            <Select
              {...bound}
              value={protocol}
              testid="meaning-protocol"
              options={[
                { value: "openai", label: t("knowledge.protocol.openai") },
                { value: "ollama", label: t("knowledge.protocol.ollama") },
              ]}
              onChange={(value) => edit(setProtocol)(value === "ollama" ? "ollama" : "openai")}
            />
          )}
        </Field>
        <Field label={t("knowledge.modelName")} hint={t("knowledge.modelHint")}>
          {(bound) => <input {...bound} {...text(name, setName, "meaning-model")} />}
        </Field>
      </div>
      <Field
        label={t("knowledge.address")}
        hint={t(protocol === "ollama" ? "knowledge.addressOllama" : "knowledge.addressHint")}
      >
        {(bound) => <input {...bound} {...text(address, setAddress, "meaning-address", "url")} />}
      </Field>
      <Field label={t("knowledge.key")} hint={t(model.has_key ? "knowledge.keyStored" : "knowledge.keyHint")}>
        {(bound) => (
          <input
            {...bound}
            {...text(key, setKey, "meaning-key", "password")}
            placeholder={model.has_key ? "••••••••••••" : ""}
          />
        )}
      </Field>
      <Found outcome={outcome} />
      <div class="acts">
        <Button
          icon="play"
          testid="meaning-test"
          disabled={outcome === "running" || typed.address === "" || typed.model === ""}
          onClick={test}
        >
          {t("knowledge.test")}
        </Button>
        {model.has_key && (
          <Button kind="quiet" testid="meaning-forget" onClick={() => save({ key: "" })}>
            {t("knowledge.forgetKey")}
          </Button>
        )}
        <span class="grow" />
        <Button kind="primary" submit testid="meaning-save" disabled={!changed}>
          {t("knowledge.save")}
        </Button>
      </div>
    </form>
  );
}

/** How many passages have their vector, and why not more. */
function Compared({ model }: { model: KnowledgeModel }): JSX.Element | null {
  const { vectors: done, passages: all } = model;
  if (model.model === "" || all === 0) return null;
  return (
    <div class="compared" data-testid="meaning-compared">
      <span class="muted num">{t("knowledge.compared", { done, all })}</span>
      {done < all && <progress max={all} value={done} aria-label={t("knowledge.compared", { done, all })} />}
      {model.problem && (
        <span class="bad" role="alert">
          <Icon name="error" small /> {model.problem}
        </span>
      )}
    </div>
  );
}

function Found({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome === null) return null;
  if (outcome === "running") {
    return (
      <p class="trial" role="status">
        <Spinner /> {t("knowledge.testing")}
      </p>
    );
  }
  if (outcome.ok) {
    return (
      <div class="trial-ok" role="status" data-testid="meaning-report" data-ok="true">
        <p>
          <Icon name="ok" /> <b>{t("knowledge.works", { count: outcome.dimensions ?? 0 })}</b>{" "}
          <span class="muted num">{duration(outcome.duration_ms)}</span>
        </p>
      </div>
    );
  }
  return (
    <div role="alert" data-testid="meaning-report" data-ok="false">
      <Cure message={outcome.message} />
    </div>
  );
}
