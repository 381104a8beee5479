/** "Allow this folder?": a call needs a folder outside the allowed ones; the exact folder, and who wants it for what.
 *  Where the call itself is asked about, one question is about both. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import type { Approve, ToolCall } from "../../wire";

export function FolderHead({ call, several }: { call: ToolCall; several: boolean }): JSX.Element {
  return (
    <header>
      <span class="tile" data-tone="accent">
        <Icon name="folder" />
      </span>
      <div class="grow">
        <h2>{t(several ? "ask.folder.titleMany" : "ask.folder.title")}</h2>
        <p>
          <code>{call.tool ?? call.name}</code> {t("ask.of")} <b>{call.server}</b> {t("ask.folder.needs")}
        </p>
      </div>
    </header>
  );
}

/** `also`: the question is about the call too, so it has to be said what the folder is doing here. */
export function FolderPaths({ folders, also }: { folders: readonly string[]; also: boolean }): JSX.Element {
  return (
    <>
      {also && <p class="folder-also">{t(folders.length > 1 ? "ask.folder.alsoMany" : "ask.folder.also")}</p>}
      {folders.map((folder) => (
        <p key={folder} class="folder-path" data-testid="approval-folder">
          <Icon name="folder" small />
          <code>{folder}</code>
        </p>
      ))}
    </>
  );
}

interface FolderAnswersProps {
  alone: boolean;
  disabled: boolean;
  answer: (decision: Pick<Approve, "decision">) => void;
}

export function FolderAnswers({ alone, disabled, answer }: FolderAnswersProps): JSX.Element {
  return (
    <>
      <Button kind="primary" testid="approve" disabled={disabled} onClick={() => answer({ decision: "once" })}>
        {t("ask.once")}
      </Button>
      <Button testid="approve-conversation" disabled={disabled} onClick={() => answer({ decision: "conversation" })}>
        {t("ask.conversation")}
      </Button>
      <Button testid="approve-always" disabled={disabled} onClick={() => answer({ decision: "always" })}>
        {t(alone ? "ask.folder.always" : "ask.folder.alwaysBoth")}
      </Button>
      <span class="grow" />
      <Button kind="danger" testid="deny" disabled={disabled} onClick={() => answer({ decision: "deny" })}>
        {t("ask.deny")}
      </Button>
    </>
  );
}
