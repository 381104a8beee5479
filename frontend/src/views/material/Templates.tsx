/** The prompts that go before the message being written: what each says is one click away. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { removeTemplate, templates } from "../../material";
import { IconButton } from "../../parts/Button";
import type { FilledPrompt } from "../../wire";

export function Templates(): JSX.Element | null {
  if (templates.value.length === 0) return null;
  return (
    <div class="templates">
      {templates.value.map(({ key, prompt }) => (
        <div key={key} class="template" data-testid="template" data-server={prompt.server}>
          <details>
            <summary title={t("prompt.show")}>
              <Icon name="chev-r" small class="chev" />
              <Icon name="script" />
              <b class="cut">{prompt.title}</b>
              <span class="muted cut">{t("prompt.from", { server: prompt.server })}</span>
            </summary>
            <Preview prompt={prompt} />
          </details>
          <IconButton
            icon="x"
            label={t("prompt.remove", { name: prompt.title })}
            testid="template-remove"
            onClick={() => removeTemplate(key)}
          />
        </div>
      ))}
    </div>
  );
}

function Preview({ prompt }: { prompt: FilledPrompt }): JSX.Element {
  return (
    <ol class="prompt-lines">
      {prompt.messages.map((message, at) => (
        <li key={at} data-role={message.role}>
          <span class="label">{message.role === "user" ? t("prompt.you") : t("prompt.leo")}</span>
          {message.text && <div class="text">{message.text}</div>}
          {message.attachments.map(({ ref, name }) => (
            <span key={ref} class="file-chip">
              <Icon name="file" />
              <span class="cut">{name}</span>
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
