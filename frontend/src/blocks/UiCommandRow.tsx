/** What a server asked of the window and what became of it, as a line of the log. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import { CodeBlock } from "../parts/CodeBlock";
import { told } from "../tellings";
import type { UiCommandBlock } from "../wire";

export function UiCommandRow({ block }: { block: UiCommandBlock }): JSX.Element {
  const { executed, message } = block.result;
  return (
    <details
      class="step ui-command"
      data-testid="ui-command"
      data-command={block.command}
      data-executed={String(executed)}
    >
      <summary>
        <span class="sign">
          <Icon name={executed ? "bolt" : "minus"} />
        </span>
        <span>{block.server}</span>
        <code>{block.command}</code>
        <span class="arg cut grow">{told(message)}</span>
        <Icon name="chev-r" class="chev" />
      </summary>
      <div class="open">
        <CodeBlock wrap language="json" label={t("tool.arguments")} text={JSON.stringify(block.payload, null, 2)} />
      </div>
    </details>
  );
}
