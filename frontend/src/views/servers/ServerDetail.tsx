/** Everything about the selected server: facts, what it may do, tools, log. */
import type { ComponentChildren, JSX } from "preact";
import { t } from "../../i18n";
import { Button, IconButton } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import type { ServerInfo } from "../../wire";
import { Address, Command, Exact } from "./Command";
import { Names } from "./Consent";
import { Cure } from "./Cure";
import { grant, remove, restart, signIn } from "./deeds";
import { ServerLog } from "./ServerLog";
import { ServerTools } from "./ServerTools";
import { dotOf, holdsTools, kindKeys, needsConsent, statusLine } from "./words";

interface DetailProps {
  server: ServerInfo;
  onBack: () => void;
  onEdit: () => void;
  onConsent: () => void;
  onRemoved: () => void;
}

export function ServerDetail(props: DetailProps): JSX.Element {
  const { server } = props;
  return (
    <>
      <Head {...props} />
      {needsConsent(server) && <Waiting server={server} onConsent={props.onConsent} />}
      {server.state === "error" && (
        <Cure message={server.message ?? t("servers.state.error")} detail={server.detail} open />
      )}
      <Facts server={server} />
      {server.kind === "third_party" && <Grants server={server} />}
      <ServerTools server={server} />
      <ServerLog key={server.name} server={server} />
    </>
  );
}

function Head({ server, onBack, onEdit, onRemoved }: DetailProps): JSX.Element {
  const own = server.kind === "third_party";
  return (
    <div class="detail-head">
      <span class="narrow-only">
        <IconButton icon="chev-l" label={t("settings.toList")} onClick={onBack} />
      </span>
      <h2 class="cut" title={server.name}>
        {server.name}
      </h2>
      <span class="tag">{t(kindKeys[server.kind])}</span>
      <span class="grow" />
      {server.sign_in && (
        <Button small kind="primary" testid="server-sign-in" onClick={() => signIn(server.name)}>
          {t("servers.signIn")}
        </Button>
      )}
      {server.enabled && !needsConsent(server) && (
        <Button small icon="redo" onClick={() => restart(server.name)}>
          {t("servers.restart")}
        </Button>
      )}
      {own && (
        <>
          <Button small icon="pencil" testid="server-edit" onClick={onEdit}>
            {t("servers.edit")}
          </Button>
          <Button
            small
            kind="danger"
            testid="server-remove"
            onClick={async () => {
              if (await remove(server)) onRemoved();
            }}
          >
            {t("servers.remove")}
          </Button>
        </>
      )}
    </div>
  );
}

function Waiting({ server, onConsent }: { server: ServerInfo; onConsent: () => void }): JSX.Element {
  return (
    <div class="waiting-box">
      <p>{t(waitingKey(server))}</p>
      <Button small kind="primary" testid="server-review" onClick={onConsent}>
        {t("servers.review")}
      </Button>
    </div>
  );
}

const waitingKey = (server: ServerInfo) =>
  holdsTools(server) ? "servers.waitingTools" : server.changes ? "servers.waitingChanged" : "servers.waitingNew";

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ server }: { server: ServerInfo }): JSX.Element {
  return (
    <>
      <dl class="facts">
        <Fact name={t("servers.status")}>
          <i class="dot" data-status={dotOf(server)} /> {statusLine(server)}
          {server.state !== "error" && server.message && <span class="muted"> · {server.message}</span>}
        </Fact>
        {server.title && server.title !== server.name && <Fact name={t("servers.title")}>{server.title}</Fact>}
        {server.description && <Fact name={t("servers.about")}>{server.description}</Fact>}
        {server.tokens > 0 && <Fact name={t("servers.cost")}>{t("servers.tokens", { count: server.tokens })}</Fact>}
        {server.cwd && (
          <Fact name={t("servers.folder")}>
            <code>
              <Exact text={server.cwd} />
            </code>
          </Fact>
        )}
        {server.variables.length > 0 && (
          <Fact name={t("servers.variables")}>
            <Names names={server.variables} />
          </Fact>
        )}
        {server.headers.length > 0 && (
          <Fact name={t("servers.headers")}>
            <Names names={server.headers} />
          </Fact>
        )}
        {server.protocol && (
          <Fact name={t("servers.protocol")}>
            MCP <span class="num">{server.protocol}</span>
          </Fact>
        )}
      </dl>
      {server.kind === "third_party" &&
        (server.url === null ? <Command words={server.command} /> : <Address url={server.url} />)}
    </>
  );
}

function Grants({ server }: { server: ServerInfo }): JSX.Element {
  return (
    <section class="part">
      <div class="head">
        <h3>{t("servers.grants")}</h3>
      </div>
      <div class="grants">
        <Grant
          title={t("servers.uiCommands")}
          hint={t("servers.uiHint")}
          on={server.ui_commands}
          onChange={(on) => grant(server.name, { ui_commands: on })}
        />
        <Grant
          title={t("servers.trust")}
          hint={t("servers.trustHint")}
          on={server.trusted}
          onChange={(on) => grant(server.name, { trusted: on })}
        />
      </div>
    </section>
  );
}

interface GrantProps {
  title: string;
  hint: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Grant({ title, hint, on, onChange }: GrantProps): JSX.Element {
  return (
    <div class="grant">
      <div class="grow">
        <div>{title}</div>
        <div class="muted">{hint}</div>
      </div>
      <Switch checked={on} label={title} onChange={onChange} />
    </div>
  );
}
