/** The fields of a provider: its address, its key (never shown back), its model. */
import type { JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { settings } from "../../desk";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Field, Select } from "../../parts/Field";
import { allWorded } from "../../sayings";
import { ask } from "../../socket";
import type { ProviderInfo } from "../../wire";
import { done } from "../settings/tried";
import { isUsable, listings, readModels } from "./catalog";
import { keyWords } from "./readiness";

interface TextProps {
  provider: ProviderInfo;
  text: string;
  onText: (text: string) => void;
}

export function AddressField({ provider, text, onText }: TextProps): JSX.Element {
  const hint = t(provider.default_base_url ? "models.addressHint" : "models.addressOwn");
  const wrong = text.trim() !== "" && !isAddress(text);
  return (
    <Field label={t("models.address")} hint={hint} error={wrong ? t("models.badAddress") : undefined}>
      {(bound) => (
        <input
          {...bound}
          class="in mono"
          type="url"
          data-testid="provider-url"
          spellcheck={false}
          autocomplete="off"
          placeholder={provider.default_base_url || "https://…/v1"}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** Whether a request could go there: http or https, and a host. What names no scheme gets one. */
export function isAddress(text: string): boolean {
  const typed = text.trim();
  try {
    const { protocol, hostname } = new URL(typed.includes("://") ? typed : `https://${typed}`);
    return /^https?:$/.test(protocol) && hostname !== "" && !/\s/.test(typed);
  } catch {
    return false;
  }
}

const PROTOCOLS = ["openai-chat", "openai-responses", "anthropic", "gemini", "ollama"] as const;

/** Which language an address of one's own speaks. */
export function ProtocolField({ value, onChange }: { value: string; onChange: (name: string) => void }): JSX.Element {
  return (
    <Field label={t("models.protocol")} hint={t("models.protocolHint")}>
      {(bound) => (
        <Select
          {...bound}
          testid="provider-protocol"
          value={value}
          options={PROTOCOLS.map((name) => ({ value: name, label: t(`models.protocol.${name}`) }))}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

interface KeyProps extends TextProps {
  onForget: () => void;
}

/** Where the key in use comes from; where a typed one would be kept. */
function keyHint(provider: ProviderInfo): string {
  if (provider.key_from === "environment") return `${keyWords(provider)}.`;
  const said =
    provider.key_from === "stored" || (!provider.needs_key && provider.base_url) ? `${keyWords(provider)}.` : "";
  return [said, settings.value && allWorded(settings.value.keys_where, settings.value.keys_said)]
    .filter(Boolean)
    .join(" ");
}

export function KeyField({ provider, text, onText, onForget }: KeyProps): JSX.Element {
  const url = provider.key_url;
  return (
    <div>
      <Field label={t("models.key")} hint={keyHint(provider)}>
        {(bound) => (
          <input
            {...bound}
            class="in mono"
            type="password"
            data-testid="provider-key"
            autocomplete="off"
            spellcheck={false}
            placeholder={provider.key_from === "none" ? "" : "••••••••••••"}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="acts">
        {url && (
          <Button small kind="link" icon="external" onClick={() => done(ask({ type: "open_url", url }))}>
            {t("models.getKey", { name: provider.title })}
          </Button>
        )}
        {provider.key_from === "stored" && (
          <Button small kind="quiet" testid="provider-forget" onClick={onForget}>
            {t("models.forgetKey")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Free text; what the endpoint lists is proposed once the field has the focus. */
export function ModelField({ provider, text, onText }: TextProps): JSX.Element {
  const id = useId();
  const listing = listings.value.get(provider.name);
  const models = listing === undefined || listing === "loading" ? [] : listing.models;
  useEffect(() => {
    if (isUsable(provider)) readModels(provider.name);
  }, [provider, listing === undefined]);
  const hint =
    listing === "loading"
      ? t("models.listing")
      : models.length > 1
        ? t("models.listed", { count: models.length })
        : t("models.freeText");
  return (
    <Field label={t("models.model")} hint={hint}>
      {(bound) => (
        <>
          <input
            {...bound}
            class="in mono"
            type="text"
            list={`${id}-models`}
            data-testid="provider-model"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <datalist id={`${id}-models`}>
            {models.map((model) => (
              <option key={model.id} value={model.id}>
                {model.name ?? undefined}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
