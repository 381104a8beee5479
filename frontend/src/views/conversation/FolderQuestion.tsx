/** "Allow this folder?": a call needs a folder outside the allowed ones; the exact folder, and who wants it for what. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import type { Approve, ToolCall } from "../../wire";

export function FolderHead({ call }: { call: ToolCall }): JSX.Element {
  return (
    <header>
      <span class="tile" data-tone="accent">
        <Icon name="folder" />
      </span>
      <div class="grow">
        <h2>{t("ask.folder.title")}</h2>
        <p>
          <code>{call.tool ?? call.name}</code> {t("ask.of")} <b>{call.server}</b> {t("ask.folder.needs")}
        </p>
      </div>
    </header>
  );
}

export function FolderPath({ folder }: { folder: string }): JSX.Element {
  return (
    <p class="folder-path" data-testid="approval-folder">
      <Icon name="folder" small />
      <code>{folder}</code>
    </p>
  );
}

interface FolderAnswersProps {
  disabled: boolean;
  answer: (decision: Pick<Approve, "decision">) => void;
}

export function FolderAnswers({ disabled, answer }: FolderAnswersProps): JSX.Element {
  return (
    <>
      <Button kind="primary" testid="approve" disabled={disabled} onClick={() => answer({ decision: "once" })}>
        {t("ask.once")}
      </Button>
      <Button testid="approve-conversation" disabled={disabled} onClick={() => answer({ decision: "conversation" })}>
        {t("ask.conversation")}
      </Button>
      <Button testid="approve-always" disabled={disabled} onClick={() => answer({ decision: "always" })}>
        {t("ask.folder.always")}
      </Button>
      <span class="grow" />
      <Button kind="danger" testid="deny" disabled={disabled} onClick={() => answer({ decision: "deny" })}>
        {t("ask.deny")}
      </Button>
    </>
  );
}
