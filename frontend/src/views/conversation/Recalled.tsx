/** Under a person's message: what was remembered and went along with it. */
import type { JSX } from "preact";
import { openSettings } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";

export function Recalled({ lines }: { lines: readonly string[] }): JSX.Element {
  return (
    <details class="recalled" data-testid="recalled">
      <summary>
        <Icon name="brain" />
        {t("memory.recalled", { count: lines.length })}
        <Icon name="chev-d" />
      </summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <Button kind="link" onClick={() => openSettings("memory")}>
        {t("memory.open")}
      </Button>
    </details>
  );
}
