/** What new conversations start with: model, system prompt, temperature, longest reply, thinking. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { IconButton } from "../../parts/Button";
import { fieldNamed } from "../settings/data";
import { SettingField } from "../settings/SettingField";
import { ModelPicker } from "./ModelPicker";

const FIELDS = ["model.system", "model.temperature", "model.max_tokens", "model.thinking"];

export function DefaultsForm({ onBack }: { onBack: () => void }): JSX.Element {
  return (
    <>
      <div class="detail-head">
        <span class="narrow-only">
          <IconButton icon="chev-l" label={t("settings.toList")} onClick={onBack} />
        </span>
        <h2>{t("models.newOnes")}</h2>
      </div>
      <div class="settings-list">
        <div class="setting">
          <div class="words">
            <div class="name">{t("models.model")}</div>
            <div class="muted">{t("models.modelHint")}</div>
          </div>
          <span class="model-chip">
            <ModelPicker conversation={null} />
          </span>
        </div>
        {FIELDS.map((name) => {
          const spec = fieldNamed(name);
          return spec && <SettingField key={name} spec={spec} area={name === "model.system"} />;
        })}
      </div>
    </>
  );
}
