/** Everything about the selected server: facts, what it may do, tools, log. */
import type { ComponentChildren, JSX } from "preact";
import { bytes } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import { Menu, type MenuEntry } from "../../parts/Menu";
import { allWorded } from "../../sayings";
import type { ServerInfo } from "../../wire";
import { Address, Command, Exact } from "./Command";
import { Names } from "./Consent";
import { Cure } from "./Cure";
import { copyOf, exportToClipboard, grant, remove, restart, signIn, signOut } from "./deeds";
import { Remedies } from "./Remedies";
import { ServerTabs } from "./ServerTabs";
import { failedWhen, transportWords, uptime, useMemory, useWords } from "./use";
import { dotOf, eraWords, holdsTools, kindKeys, needsConsent, statusLine, troubleOf } from "./words";

interface DetailProps {
  server: ServerInfo;
  onBack: () => void;
  onEdit: () => void;
  onConsent: () => void;
  onCopied: (name: string) => void;
  onRemoved: () => void;
}

export function ServerDetail(props: DetailProps): JSX.Element {
  const { server } = props;
  return (
    <>
      <Head {...props} />
      {needsConsent(server) && <Waiting server={server} onConsent={props.onConsent} />}
      {server.state === "error" && (
        <Cure message={troubleOf(server)} detail={server.detail} open>
          {server.remedies.length > 0 && <Remedies name={server.name} remedies={server.remedies} />}
        </Cure>
      )}
      <Facts server={server} />
      {(server.kind === "third_party" || server.sampling) && <Grants server={server} />}
      <ServerTabs key={server.name} server={server} />
    </>
  );
}

function Head({ server, onBack, onEdit, onCopied, onRemoved }: DetailProps): JSX.Element {
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
      {server.signed_in && !server.sign_in && (
        <Button small testid="server-sign-out" onClick={() => signOut(server.name)}>
          {t("servers.signOut")}
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
          <Menu button="ib" label={t("servers.more")} testid="server-more" entries={() => more(server, onCopied)}>
            <Icon name="dots" />
          </Menu>
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

const more = (server: ServerInfo, onCopied: (name: string) => void): MenuEntry[] => [
  {
    id: "copy",
    icon: "copy",
    label: t("servers.duplicate"),
    testid: "server-copy",
    run: async () => {
      const made = await copyOf(server.name);
      if (made) onCopied(made);
    },
  },
  {
    id: "export",
    icon: "external",
    label: t("servers.export"),
    note: t("servers.exportNote"),
    testid: "server-export",
    run: () => exportToClipboard(server.name),
  },
];

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
  holdsTools(server)
    ? "servers.waitingTools"
    : server.declined
      ? "servers.waitingDeclined"
      : server.changes
        ? "servers.waitingChanged"
        : "servers.waitingNew";

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ server }: { server: ServerInfo }): JSX.Element {
  const memory = useMemory()[server.name];
  const running = server.state === "ready" && server.started_ms !== null;
  return (
    <>
      <dl class="facts">
        <Fact name={t("servers.status")}>
          <i class="dot" data-status={dotOf(server)} /> {statusLine(server)}
          {server.state !== "error" && server.message && <span class="muted"> · {troubleOf(server)}</span>}
        </Fact>
        {server.title && server.title !== server.name && <Fact name={t("servers.title")}>{server.title}</Fact>}
        {server.description && <Fact name={t("servers.about")}>{server.description}</Fact>}
        <Fact name={t("servers.transport")}>{transportWords(server)}</Fact>
        {running && server.kind === "third_party" && (
          <Fact name={t("servers.uptime")}>
            <span class="num">{uptime(server.started_ms ?? 0)}</span>
          </Fact>
        )}
        {memory !== undefined && memory > 0 && (
          <Fact name={t("servers.memory")}>
            <span class="num" data-testid="server-memory">
              {bytes(memory)}
            </span>
          </Fact>
        )}
        {server.tokens > 0 && (
          <Fact name={t("servers.cost")}>
            {t("servers.tokens", { count: server.tokens })}
            {server.deferred && <span class="muted"> · {t("servers.deferred")}</span>}
          </Fact>
        )}
        <Fact name={t("servers.used")}>
          <span data-testid="server-used">{useWords(server)}</span>
        </Fact>
        {server.last_error && server.state !== "error" && (
          <Fact name={t("servers.lastError")}>
            <span class="muted num">{failedWhen(server)}</span> {allWorded(server.last_error, server.last_said)}
          </Fact>
        )}
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
            {server.era && <span class="muted"> · {eraWords(server.era)}</span>}
            {server.version && <span class="muted"> · {t("servers.version", { version: server.version })}</span>}
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
        {server.kind === "third_party" && <Foreign server={server} />}
        <Grant
          title={t("servers.sampling")}
          hint={t("servers.samplingHint")}
          on={server.sampling}
          testid="grant-sampling"
          onChange={(on) => grant(server.name, { sampling: on })}
        />
      </div>
    </section>
  );
}

/** What only servers of others have to be allowed. */
function Foreign({ server }: { server: ServerInfo }): JSX.Element {
  return (
    <>
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
      <Grant
        title={t("servers.roots")}
        hint={t("servers.rootsHint")}
        on={server.roots}
        testid="grant-roots"
        onChange={(on) => grant(server.name, { roots: on })}
      />
    </>
  );
}

interface GrantProps {
  title: string;
  hint: string;
  on: boolean;
  testid?: string;
  onChange: (on: boolean) => void;
}

function Grant({ title, hint, on, testid, onChange }: GrantProps): JSX.Element {
  return (
    <div class="grant">
      <div class="grow">
        <div>{title}</div>
        <div class="muted">{hint}</div>
      </div>
      <Switch checked={on} label={title} testid={testid} onChange={onChange} />
    </div>
  );
}
