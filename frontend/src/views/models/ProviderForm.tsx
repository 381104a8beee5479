/** One provider: address, key (never shown back), model, a test that says cause and cure, and making it the standard. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { duration } from "../../format";
import { t, worded } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { toast } from "../../parts/toasts";
import { ask } from "../../socket";
import type { ProviderInfo, ProviderReport } from "../../wire";
import { Cure } from "../servers/Cure";
import { done, wordsOf } from "../settings/tried";
import { forgetModels, isDemo, readProviders } from "./catalog";
import { defaultChoice } from "./chosen";
import { AddressField, isAddress, KeyField, ModelField, ProtocolField } from "./ProviderFields";

interface FormProps {
  provider: ProviderInfo;
  onBack: () => void;
}

type Outcome = "running" | ProviderReport | null;

export function ProviderForm({ provider, onBack }: FormProps): JSX.Element {
  const [address, setAddress] = useState(provider.base_url === provider.default_base_url ? "" : provider.base_url);
  const [protocol, setProtocol] = useState(provider.protocol);
  const [key, setKey] = useState("");
  const [model, setModel] = useState(provider.model ?? "");
  const [outcome, setOutcome] = useState<Outcome>(null);
  const turn = useRef(0);
  const typed = typedOf(provider, { address: address.trim(), protocol, key: key.trim(), model: model.trim() });
  const changed = Object.keys(typed).length > 0;
  const wrong = address.trim() !== "" && !isAddress(address);
  const standard = defaultChoice().provider === provider.name;

  const save = async (use: boolean): Promise<void> => {
    if (!(await done(ask({ type: "provider_save", name: provider.name, ...typed, use })))) return;
    setKey("");
    forgetModels(provider.name);
    await done(readProviders());
    toast({ tone: "success", text: t(use ? "models.savedStandard" : "models.saved", { name: provider.title }) });
  };
  const forgetKey = async (): Promise<void> => {
    if (await done(ask({ type: "provider_save", name: provider.name, key: "" }))) await done(readProviders());
  };
  const test = async (): Promise<void> => {
    turn.current += 1;
    const mine = turn.current;
    setOutcome("running");
    const report = await ask({ type: "provider_test", name: provider.name, ...typed }).catch(
      (error: unknown): ProviderReport => ({
        ok: false,
        message: wordsOf(error),
        said: null,
        detail: null,
        models: [],
        duration_ms: 0,
      }),
    );
    if (turn.current === mine) setOutcome(report);
  };
  const edit = (set: (text: string) => void) => (text: string) => {
    turn.current += 1;
    setOutcome(null);
    set(text);
  };
  // Who has no address of its own needs one before anything else.
  const fixed = provider.default_base_url !== "";
  const addressField = <AddressField provider={provider} text={address} onText={edit(setAddress)} />;
  return (
    <form
      class="editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save(false);
      }}
    >
      <div class="detail-head">
        <span class="narrow-only">
          <IconButton icon="chev-l" label={t("settings.toList")} onClick={onBack} />
        </span>
        <h2 class="cut">{provider.title}</h2>
        {standard && <span class="tag">{t("models.standard")}</span>}
        <span class="grow" />
        {!standard && (
          <Button small testid="provider-use" onClick={() => save(true)}>
            {t("models.useForNew")}
          </Button>
        )}
      </div>
      {isDemo(provider) ? (
        <p class="muted">{t("models.demoText")}</p>
      ) : (
        <>
          <div class="form">
            {!fixed && <ProtocolField value={protocol} onChange={edit(setProtocol)} />}
            {!fixed && addressField}
            <KeyField provider={provider} text={key} onText={edit(setKey)} onForget={forgetKey} />
            <ModelField provider={provider} text={model} onText={edit(setModel)} />
            {fixed && addressField}
          </div>
          <Result outcome={outcome} />
          <footer>
            <Button icon="play" testid="provider-test" disabled={outcome === "running" || wrong} onClick={test}>
              {t("servers.test")}
            </Button>
            <span class="grow" />
            <Button kind="primary" submit testid="provider-save" disabled={!changed || wrong}>
              {t("settings.save")}
            </Button>
          </footer>
        </>
      )}
    </form>
  );
}

interface Typed {
  base_url?: string;
  protocol?: string;
  key?: string;
  model?: string;
}

/** Only what differs from what is saved, so that defaults stay defaults. */
export function typedOf(
  provider: ProviderInfo,
  form: { address: string; protocol: string; key: string; model: string },
): Typed {
  const typed: Typed = {};
  if ((form.address || provider.default_base_url) !== provider.base_url) typed.base_url = form.address;
  if (form.protocol !== provider.protocol) typed.protocol = form.protocol;
  if (form.model !== (provider.model ?? "")) typed.model = form.model;
  if (form.key) typed.key = form.key;
  return typed;
}

function Result({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome === null) return null;
  if (outcome === "running") {
    return (
      <p class="trial" role="status">
        <Spinner /> {t("models.testing")}
      </p>
    );
  }
  if (outcome.ok) {
    return (
      <div class="trial-ok" role="status" data-testid="provider-report" data-ok="true">
        <p>
          <Icon name="ok" /> <b>{worded(outcome)}</b> <span class="muted num">{duration(outcome.duration_ms)}</span>
        </p>
      </div>
    );
  }
  return (
    <div role="alert" data-testid="provider-report" data-ok="false">
      <Cure message={worded(outcome)} detail={outcome.detail} />
    </div>
  );
}
