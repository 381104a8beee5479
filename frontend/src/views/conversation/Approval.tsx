/** LeoChat's own question before a tool runs: who wants what, the exact call, and four answers. Enter in the composer allows nothing. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { written } from "../../blocks/written";
import type { Conversation } from "../../conversation";
import { servers } from "../../desk";
import { focusAsked } from "../../drafts";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { CodeBlock } from "../../parts/CodeBlock";
import { complain } from "../../parts/complain";
import { Menu, type MenuItem } from "../../parts/Menu";
import { ask } from "../../socket";
import type { Approve, PendingApproval, ServerInfo } from "../../wire";
import { changesOf, Diff } from "./Diff";
import { FolderAnswers, FolderHead, FolderPaths } from "./FolderQuestion";

interface ApprovalProps {
  conversation: Conversation;
  asked: PendingApproval;
}

/** A longer call than this starts folded where the change is already shown as a diff. */
const LONG_CALL = 1200;

type Decision = Pick<Approve, "decision" | "scope">;

export function ApprovalView({ conversation, asked }: ApprovalProps): JSX.Element {
  const [sent, setSent] = useState(false);
  const { call } = asked;
  const folderAlone = asked.folder !== null && asked.reason === "folder";
  const changes = asked.ui_command || folderAlone ? null : changesOf(call);
  const opened = !folderAlone && (!changes || JSON.stringify(call.arguments).length < LONG_CALL);
  const answer = (decision: Decision) => {
    setSent(true);
    focusAsked.value += 1; // the buttons go with the answer; Enter in the composer allows nothing
    ask({ type: "approve", conversation_id: conversation.id, call_id: call.id, ...decision }).catch(
      (error: unknown) => {
        setSent(false);
        complain(error);
      },
    );
  };
  return (
    <section class="ask" data-testid="approval" data-call-id={call.id} aria-label={t("ask.label")}>
      {folderAlone ? <FolderHead call={call} several={asked.more_folders.length > 0} /> : <CallHead asked={asked} />}
      <div class="call">
        {asked.folder && <FolderPaths folders={[asked.folder, ...asked.more_folders]} also={!folderAlone} />}
        {changes && <Diff changes={changes} />}
        <ExactCall asked={asked} open={opened} />
      </div>
      <footer>
        {asked.folder ? (
          <FolderAnswers alone={folderAlone} disabled={sent} answer={answer} />
        ) : (
          <Answers asked={asked} disabled={sent} answer={answer} />
        )}
      </footer>
    </section>
  );
}

function CallHead({ asked }: { asked: PendingApproval }): JSX.Element {
  const { call } = asked;
  const server = call.server ?? "";
  return (
    <header>
      <span class="tile" data-tone="accent">
        <Icon name="hand" />
      </span>
      <div class="grow">
        <h2>{title(asked)}</h2>
        <p>
          {asked.ui_command ? t("ask.wantsCommand") : t("ask.wants")} <code>{call.tool ?? call.name}</code>{" "}
          {t("ask.of")} <b>{server}</b>
          {", "}
          {kindWords(server)}
        </p>
      </div>
    </header>
  );
}

function title({ call, ui_command: command }: PendingApproval): string {
  if (command) return t("ask.titleCommand", { server: call.server ?? "" });
  if (changesOf(call)) return t("ask.titleFile");
  return t("ask.title", { tool: call.tool ?? call.name });
}

function kindWords(name: string): string {
  const server: ServerInfo | undefined = servers.value?.find((each) => each.name === name);
  if (server?.kind === "bundled") return t("ask.bundled");
  if (server?.kind === "demo") return t("ask.demo");
  return t("ask.thirdParty");
}

function ExactCall({ asked, open }: { asked: PendingApproval; open: boolean }): JSX.Element {
  const [shown, setShown] = useState(open);
  const { call, ui_command: command } = asked;
  const name = command?.command ?? call.name;
  const text = `${name} ${written(command?.payload ?? call.arguments, name.length + 1)}`;
  return (
    <details class="exact" open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary class="chip">
        <Icon name="chev-r" small class="chev" />
        {t("ask.exact")}
      </summary>
      <CodeBlock wrap language="json" label={command ? t("ask.command") : t("ask.call")} text={text} />
    </details>
  );
}

interface AnswersProps {
  asked: PendingApproval;
  disabled: boolean;
  answer: (decision: Decision) => void;
}

function Answers({ asked, disabled, answer }: AnswersProps): JSX.Element {
  const { call } = asked;
  const tool = call.tool ?? call.name;
  const server = call.server ?? "";
  const always = (scope: NonNullable<Decision["scope"]>) => () => answer({ decision: "always", scope });
  const scopes: MenuItem[] = [
    { id: "tool", label: t("ask.alwaysTool", { tool }), icon: "wrench", run: always("tool") },
    { id: "path", label: t("ask.alwaysPath"), icon: "folder", run: always("path") },
    { id: "server", label: t("ask.alwaysServer", { server }), icon: "plug", run: always("server") },
  ];
  const first = asked.ui_command ? "server" : "tool";
  return (
    <>
      <Button kind="primary" testid="approve" disabled={disabled} onClick={() => answer({ decision: "once" })}>
        {t("ask.once")}
      </Button>
      <Button testid="approve-conversation" disabled={disabled} onClick={() => answer({ decision: "conversation" })}>
        {t("ask.conversation")}
      </Button>
      <span class="split">
        <Button testid="approve-always" disabled={disabled} onClick={always(first)}>
          {asked.ui_command ? t("ask.alwaysServer", { server }) : t("ask.alwaysTool", { tool })}
        </Button>
        {!asked.ui_command && (
          <Menu
            button="btn"
            label={t("ask.alwaysMore")}
            disabled={disabled}
            testid="approve-scope"
            entries={() => scopes}
          >
            <Icon name="chev-d" small />
          </Menu>
        )}
      </span>
      <span class="grow" />
      <Button kind="danger" testid="deny" disabled={disabled} onClick={() => answer({ decision: "deny" })}>
        {t("ask.deny")}
      </Button>
    </>
  );
}
