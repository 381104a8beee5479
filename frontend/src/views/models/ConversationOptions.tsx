/** What one conversation does differently: system prompt, temperature, longest reply, thinking. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { conversations, settingOf } from "../../desk";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Field, Select } from "../../parts/Field";
import { ask } from "../../socket";
import type { ConversationInfo } from "../../wire";
import { wordsOf } from "../settings/tried";
import { type Option, readOptions, thinkingWords, writeOptions } from "./options";

/** The conversation whose options are open. */
const openFor = signal<string | null>(null);

/** Opens the options of a conversation; the host draws them. */
export const openOptions = (conversationId: string): void => {
  openFor.value = conversationId;
};

/** Draws the open options; once in the page. */
export function OptionsHost(): JSX.Element | null {
  const found = conversations.value?.find(({ id }) => id === openFor.value);
  if (!found) return null;
  return <Options key={found.id} conversation={found} />;
}

const close = (): void => {
  openFor.value = null;
};

function Options({ conversation }: { conversation: ConversationInfo }): JSX.Element {
  const [texts, setTexts] = useState(writeOptions(conversation));
  const [refused, setRefused] = useState<string | null>(null);
  const { options, faults } = readOptions(texts);
  const set = (option: Option) => (text: string) => setTexts({ ...texts, [option]: text });
  const save = async () => {
    if (Object.keys(faults).length > 0) return;
    try {
      await ask({ type: "set_conversation", conversation_id: conversation.id, options });
      close();
    } catch (error) {
      setRefused(wordsOf(error));
    }
  };
  return (
    <Dialog
      testid="options-dialog"
      title={t("models.optionsTitle")}
      lead={t("models.optionsLead")}
      onClose={close}
      footer={
        <>
          {refused && (
            <span class="bad grow" role="alert">
              {refused}
            </span>
          )}
          <Button onClick={close}>{t("part.cancel")}</Button>
          <Button kind="primary" testid="options-save" onClick={save}>
            {t("settings.save")}
          </Button>
        </>
      }
    >
      <div class="form">
        <Field label={t("models.system")} hint={t("models.systemHint")}>
          {(bound) => (
            <textarea
              {...bound}
              class="in"
              rows={5}
              autofocus
              data-testid="options-system"
              placeholder={String(settingOf("model.system") ?? "")}
              value={texts.system}
              onInput={(event) => set("system")(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="two">
          <Typed
            option="temperature"
            label={t("models.temperature")}
            hint={t("models.temperatureHint")}
            text={texts.temperature}
            bad={faults.temperature}
            onText={set("temperature")}
          />
          <Typed
            option="max_tokens"
            label={t("models.maxTokens")}
            hint={t("models.maxTokensHint")}
            text={texts.max_tokens}
            bad={faults.max_tokens}
            onText={set("max_tokens")}
          />
        </div>
        <Field label={t("models.thinking")}>
          {(bound) => (
            <Select
              {...bound}
              value={texts.thinking}
              options={thinkingWords(texts.thinking)}
              onChange={set("thinking")}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

interface TypedProps {
  option: Option;
  label: string;
  hint: string;
  text: string;
  bad: boolean | undefined;
  onText: (text: string) => void;
}

function Typed({ option, label, hint, text, bad, onText }: TypedProps): JSX.Element {
  const setting = settingOf(`model.${option}`);
  return (
    <Field
      label={label}
      hint={hint}
      error={bad ? t(option === "temperature" ? "models.badTemperature" : "models.badTokens") : undefined}
    >
      {(bound) => (
        <input
          {...bound}
          class="in num"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          placeholder={setting === null || setting === undefined ? t("models.ownDefault") : String(setting)}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
