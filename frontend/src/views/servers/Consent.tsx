/** The question before a third-party server starts: everything that would start, whole; or what changed since it was allowed. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import type { ServerInfo, ServerLaunch } from "../../wire";
import { Address, Command, Exact } from "./Command";
import { accept, decline, remove } from "./deeds";
import { diffLines } from "./report";
import { holdsTools } from "./words";

interface ConsentProps {
  server: ServerInfo;
  /** Called when it is answered, with whether it was accepted. */
  onDone: (accepted: boolean) => void;
}

export function Consent({ server, onDone: done }: ConsentProps): JSX.Element {
  const onDone = (accepted: boolean) => {
    // Held-back tools are no refusal of the server.
    if (!accepted && !holdsTools(server) && server.hash !== null) decline(server);
    done(accepted);
  };
  return server.changes ? <Changed server={server} onDone={onDone} /> : <First server={server} onDone={onDone} />;
}

type Shown = Pick<ServerInfo, "name" | "url" | "command" | "cwd" | "variables" | "headers" | "ui_commands">;

interface QuestionProps {
  launch: Shown;
  onNo: () => void;
  onYes: () => void;
}

const First = ({ server, onDone }: ConsentProps): JSX.Element => (
  <Question launch={server} onNo={() => onDone(false)} onYes={async () => onDone(await accept(server))} />
);

/** The same question before a local program is tried out that is not saved yet. */
export const TrialConsent = ({
  launch,
  ...on
}: {
  launch: ServerLaunch;
  onNo: () => void;
  onYes: () => void;
}): JSX.Element => <Question launch={{ ...launch, url: null, headers: [], ui_commands: false }} {...on} />;

function Question({ launch, onNo, onYes }: QuestionProps): JSX.Element {
  const remote = launch.url !== null;
  return (
    <Dialog
      testid="server-consent"
      title={t(remote ? "servers.consent.titleRemote" : "servers.consent.title", { name: launch.name })}
      lead={t(remote ? "servers.consent.leadRemote" : "servers.consent.lead")}
      onClose={onNo}
      footer={
        <>
          <span class="muted grow">{t("servers.consent.change")}</span>
          <Button autofocus testid="server-decline" onClick={onNo}>
            {t(remote ? "servers.consent.noRemote" : "servers.consent.no")}
          </Button>
          <Button kind="primary" testid="server-accept" onClick={onYes}>
            {t(remote ? "servers.consent.yesRemote" : "servers.consent.yes")}
          </Button>
        </>
      }
    >
      <Launch server={launch} />
    </Dialog>
  );
}

/** Command or address, folder, names of variables and headers, UI commands. */
function Launch({ server }: { server: Shown }): JSX.Element {
  return (
    <>
      {server.url === null ? <Command words={server.command} /> : <Address url={server.url} />}
      <dl class="facts">
        {server.cwd !== null && (
          <>
            <dt>{t("servers.folder")}</dt>
            <dd>
              <code>
                <Exact text={server.cwd} />
              </code>
            </dd>
          </>
        )}
        {server.url === null && (
          <>
            <dt>{t("servers.variables")}</dt>
            <dd>
              {server.variables.length > 0 && <Names names={server.variables} />}{" "}
              <span class="muted">
                {t(server.variables.length > 0 ? "servers.consent.variables" : "servers.consent.noVariables")}
              </span>
            </dd>
          </>
        )}
        {server.headers.length > 0 && (
          <>
            <dt>{t("servers.headers")}</dt>
            <dd>
              <Names names={server.headers} />
            </dd>
          </>
        )}
        <dt>{t("servers.uiCommands")}</dt>
        <dd>{t(server.ui_commands ? "servers.consent.uiOn" : "servers.consent.uiOff")}</dd>
      </dl>
    </>
  );
}

/** Names in mono, separated by commas; "none" where there are none. */
export function Names({ names }: { names: readonly string[] }): JSX.Element {
  if (names.length === 0) return <>{t("servers.none")}</>;
  return (
    <>
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && ", "}
          <code>
            <Exact text={name} />
          </code>
        </span>
      ))}
    </>
  );
}

function Changed({ server, onDone }: ConsentProps): JSX.Element {
  const tools = holdsTools(server);
  const onRemove = async () => {
    onDone(false);
    await remove(server);
  };
  return (
    <Dialog
      testid="server-consent"
      title={t("servers.changed.title", { name: server.name })}
      lead={t(tools ? "servers.changed.leadTools" : "servers.changed.lead")}
      onClose={() => onDone(false)}
      footer={
        <>
          <Button kind="quiet" onClick={onRemove}>
            {t("servers.changed.remove")}
          </Button>
          <span class="grow" />
          <Button autofocus testid="server-decline" onClick={() => onDone(false)}>
            {t(tools ? "servers.changed.noTools" : "servers.changed.no")}
          </Button>
          <Button kind="primary" testid="server-accept" onClick={async () => onDone(await accept(server))}>
            {t(tools ? "servers.changed.yesTools" : "servers.changed.yes")}
          </Button>
        </>
      }
    >
      <section class="changes diff" aria-label={t("servers.changed.difference")}>
        {diffLines(server.changes ?? "").map(({ sign, text }, at) => (
          <div key={at} class={`ln${sign === "+" ? " add" : sign === "-" ? " del" : ""}`}>
            <span />
            <span>{sign === "-" ? "−" : sign}</span>
            <span>
              <Exact text={text} />
            </span>
          </div>
        ))}
      </section>
      <details class="raw">
        <summary>{t("servers.changed.whole")}</summary>
        <Launch server={server} />
      </details>
    </Dialog>
  );
}
