/** What was allowed with "Always" or for one conversation, each with the way to take it back. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { conversations } from "../../desk";
import { when } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { ask } from "../../socket";
import type { GrantInfo } from "../../wire";
import { tried } from "./tried";

export function Grants(): JSX.Element | null {
  const [grants, setGrants] = useState<readonly GrantInfo[] | null>(null);
  const read = async () => {
    const told = await tried(ask({ type: "grants_list" }));
    if (told) setGrants(told.grants);
  };
  useEffect(() => void read(), []);
  const takeBack = async (grant: GrantInfo) => {
    await tried(ask({ type: "grant_remove", grant_id: grant.id }));
    await read();
  };
  if (grants === null) return null;
  return (
    <section class="standing" data-testid="grants" aria-labelledby="grants-title">
      <h2 id="grants-title">{t("settings.grants")}</h2>
      {grants.length === 0 && <p class="muted">{t("settings.grants.none")}</p>}
      {grants.length > 0 && (
        <ul>
          {grants.map((grant) => (
            <Grant key={grant.id} grant={grant} onRemove={() => takeBack(grant)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Grant({ grant, onRemove }: { grant: GrantInfo; onRemove: () => void }): JSX.Element {
  const what = grant.tool ?? t("settings.grants.allTools");
  return (
    <li data-testid="grant">
      <Icon name="shield" />
      <span class="grow">
        <span>
          <b>{grant.server}</b> {grant.tool ? <code>{what}</code> : what}
        </span>
        <span class="muted">
          {grant.pattern && <code class="where">{grant.pattern}</code>}
          {grant.pattern && " · "}
          {scopeOf(grant)} · {when(new Date(grant.created_ms))}
        </span>
      </span>
      <Button small testid="grant-remove" onClick={onRemove}>
        {t("settings.grants.takeBack")}
      </Button>
    </li>
  );
}

function scopeOf({ conversation_id: id }: GrantInfo): string {
  if (id === null) return t("settings.grants.everywhere");
  const title = conversations.value?.find((each) => each.id === id)?.title;
  return t("settings.grants.conversation", { title: title || t("list.untitled") });
}
