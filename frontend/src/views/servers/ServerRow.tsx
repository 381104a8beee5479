/** One server of the list: its state as shape, word and colour, its switch, and its trouble with the way out. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import type { ServerInfo } from "../../wire";
import { Cure } from "./Cure";
import { copyReport, enable, restart } from "./deeds";
import { Remedies } from "./Remedies";
import { dotOf, kindKeys, markOf, rowWords, stateWord, troubleOf } from "./words";

interface RowProps {
  server: ServerInfo;
  selected: boolean;
  onSelect: () => void;
  onEdit: () => void;
  onConsent: () => void;
}

export function ServerRow({ server, selected, onSelect, onEdit, onConsent }: RowProps): JSX.Element {
  const dot = dotOf(server);
  const onSwitch = async (on: boolean) => {
    const switched = await enable(server.name, on);
    if (switched && on && server.kind === "third_party") onConsent();
  };
  return (
    <div
      class={`server${selected ? " on" : ""}`}
      data-testid="server-row"
      data-server={server.name}
      data-status={markOf(server)}
      data-dot={dot}
      data-declined={server.declined || undefined}
    >
      <i class="dot" data-status={dot} />
      <div class="name">
        <button type="button" class="pick cut" aria-current={selected ? "true" : undefined} onClick={onSelect}>
          {server.name}
        </button>
        <span class="tag">{t(kindKeys[server.kind])}</span>
      </div>
      <Switch checked={server.enabled} label={t("servers.use", { name: server.name })} onChange={onSwitch} />
      <div class="state">
        <span class="word">{stateWord(server)}</span>
        {rowWords(server).map((words) => (
          <span key={words}> · {words}</span>
        ))}
      </div>
      {server.state === "error" && (
        <Cure message={troubleOf(server)} detail={server.detail}>
          <Remedies name={server.name} remedies={server.remedies.slice(0, 2)} />
          {server.kind === "third_party" && (
            <Button small onClick={onEdit}>
              {server.url ? t("servers.editAddress") : t("servers.editCommand")}
            </Button>
          )}
          <Button small onClick={() => restart(server.name)}>
            {t("settings.again")}
          </Button>
          <Button small kind="quiet" onClick={() => copyReport(server)}>
            {t("servers.copyReport")}
          </Button>
        </Cure>
      )}
    </div>
  );
}
