/** Above a message that a server's prompt wrote: which prompt of which server. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { Origin } from "../../wire";

export function FromPrompt({ origin }: { origin: Origin }): JSX.Element {
  return (
    <div class="prompt-line" data-testid="from-prompt" data-server={origin.server}>
      <Icon name="script" />
      <b class="cut">{origin.label}</b>
      <span class="muted">{t("prompt.from", { server: origin.server })}</span>
    </div>
  );
}
