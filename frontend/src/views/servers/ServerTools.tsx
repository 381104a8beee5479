/** A server's tools: what each does, whether it asks before it runs, what it costs, and its switch. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Switch } from "../../parts/Field";
import type { ServerInfo, ToolInfo } from "../../wire";
import { switchTool } from "./deeds";
import { TryTool } from "./TryTool";
import { toolCost } from "./words";

export function ServerTools({ server }: { server: ServerInfo }): JSX.Element | null {
  const on = server.tools.filter((tool) => tool.enabled).length;
  if (server.tools.length === 0) return null;
  return (
    <section class="part">
      <div class="head with-cost">
        <h3>{t("servers.toolsTitle")}</h3>
        <span class="muted">{t("servers.toolsOn", { on, count: server.tools.length })}</span>
        <span class="grow" />
        <span class="muted">{t("servers.tokensTitle")}</span>
      </div>
      <ul class="tools">
        {server.tools.map((tool) => (
          <Tool key={tool.name} server={server} tool={tool} />
        ))}
      </ul>
    </section>
  );
}

function Tool({ server, tool }: { server: ServerInfo; tool: ToolInfo }): JSX.Element {
  const [open, setOpen] = useState(false);
  const about = tool.description || tool.title || "";
  const firstLine = about.split("\n").find((line) => line.trim() !== "") ?? "";
  return (
    <li class={`tool${tool.enabled ? "" : " off"}`}>
      <div class="line">
        <button type="button" class="pick" aria-expanded={open} title={about} onClick={() => setOpen(!open)}>
          <code>{tool.name}</code>
          <span class="what cut">{firstLine}</span>
        </button>
        {tool.asks && (
          <span class="badge" title={t("servers.asksWhy")}>
            {t("servers.asks")}
          </span>
        )}
        <span class="cost">{toolCost(tool.enabled, tool.tokens)}</span>
        <Switch
          mini
          checked={tool.enabled}
          label={t("servers.use", { name: tool.name })}
          onChange={(checked) => switchTool(server.name, tool.name, checked)}
        />
      </div>
      {open && (
        <div class="whole">
          {about && <p>{about}</p>}
          {server.state === "ready" && tool.enabled ? (
            <TryTool server={server.name} tool={tool.name} />
          ) : (
            <p>{t("servers.try.off")}</p>
          )}
        </div>
      )}
    </li>
  );
}
