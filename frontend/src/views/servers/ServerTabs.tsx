/** What a server offers and says, one thing at a time: its tools, prompts, resources and log. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { prompts, resources } from "../../material";
import { Tabs } from "../../parts/Tabs";
import type { ServerInfo } from "../../wire";
import { ServerLog } from "./ServerLog";
import { ServerPrompts } from "./ServerPrompts";
import { ServerResources } from "./ServerResources";
import { ServerTools } from "./ServerTools";

const ids = ["tools", "prompts", "resources", "log"] as const;
type Id = (typeof ids)[number];

export function ServerTabs({ server }: { server: ServerInfo }): JSX.Element {
  const [shown, setShown] = useState<Id>("tools");
  return (
    <>
      <Tabs
        label={t("servers.tabs")}
        tabs={ids.map((id) => ({ id, label: t(`servers.tab.${id}`), testid: `server-tab-${id}` }))}
        selected={shown}
        onSelect={setShown}
      />
      <div role="tabpanel" aria-label={t(`servers.tab.${shown}`)} data-testid="server-tab">
        <Panel shown={shown} server={server} />
      </div>
    </>
  );
}

function Panel({ shown, server }: { shown: Id; server: ServerInfo }): JSX.Element {
  const lists = shown === "prompts" ? prompts.value : shown === "resources" ? resources.value : null;
  const listed = lists?.find((each) => each.server === server.name);
  const empty = !listed || (!listed.problem && listed.prompts.length + listed.resources.length === 0);
  switch (shown) {
    case "tools":
      return server.tools.length > 0 ? (
        <ServerTools server={server} />
      ) : (
        <p class="muted">{t("servers.tab.unknown")}</p>
      );
    case "prompts":
      return (
        <>
          <ServerPrompts server={server} />
          {empty && <p class="muted">{t(nothing(server))}</p>}
        </>
      );
    case "resources":
      return (
        <>
          <ServerResources server={server} />
          {empty && <p class="muted">{t(nothing(server))}</p>}
        </>
      );
    case "log":
      return <ServerLog server={server} />;
  }
}

const nothing = (server: ServerInfo) => (server.state === "ready" ? "servers.tab.nothing" : "servers.tab.unknown");
