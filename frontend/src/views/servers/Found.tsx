/** What a pasted configuration would add, one row a server, with what should be known before. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Exact } from "./Command";
import { commandLine } from "./command";
import type { ConfigReading, FoundServer } from "./config-text";

export function Found({ reading }: { reading: ConfigReading }): JSX.Element {
  if (!("servers" in reading)) {
    return (
      <p class="json-fault" role="status">
        <Icon name="info" />
        <span>
          {t(reading.problem === "json" ? "servers.json.broken" : "servers.json.none")}
          {reading.detail && <code> {reading.detail}</code>}
        </span>
      </p>
    );
  }
  return (
    <section class="part">
      <div class="head">
        <h3>{t("servers.json.found", { count: reading.servers.length })}</h3>
      </div>
      <ul class="found">
        {reading.servers.map((server) => (
          <FoundRow key={server.name} server={server} />
        ))}
      </ul>
      <p class="muted">{t("servers.json.off")}</p>
    </section>
  );
}

function FoundRow({ server }: { server: FoundServer }): JSX.Element {
  return (
    <li>
      <Icon name={server.words ? "terminal" : "globe"} />
      <b>{server.name}</b>
      <code>
        <Exact text={server.words ? commandLine(server.words) : (server.url ?? "")} />
      </code>
      <span class="badges">
        {server.unpinned && (
          <span class="badge" data-tone="warning" title={t("servers.json.unpinnedWhy")}>
            {t("servers.json.unpinned")}
          </span>
        )}
        {server.needs.map((name) => (
          <span key={name} class="badge" data-tone="info">
            {t("servers.json.needs", { name })}
          </span>
        ))}
      </span>
    </li>
  );
}
