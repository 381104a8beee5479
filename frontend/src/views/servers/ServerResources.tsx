/** A server's resources and patterns: searched, read, followed, attached. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bytes } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { attachResource, fits, loadResources, resources, shownResource } from "../../material";
import { Button, IconButton } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import { toast } from "../../parts/toasts";
import { allWorded } from "../../sayings";
import { ask } from "../../socket";
import type { Listed, ResourceInfo, ServerInfo } from "../../wire";
import { tried } from "../settings/tried";

const FIRST = 20;
const SEARCH_FROM = 8;

export function ServerResources({ server }: { server: ServerInfo }): JSX.Element | null {
  useEffect(() => {
    if (resources.peek() === null) void loadResources();
  }, []);
  const listed = resources.value?.find((each) => each.server === server.name);
  if (!listed || server.state !== "ready") return null;
  return <List key={server.name} listed={listed} />;
}

function List({ listed }: { listed: Listed }): JSX.Element {
  const [query, setQuery] = useState("");
  const [most, setMost] = useState(FIRST);
  const all = listed.resources;
  const found = query.trim()
    ? all.filter(({ name, title, uri, description }) => fits(query.trim(), name, title, uri, description))
    : all;
  return (
    <section class="part" data-testid="server-resources">
      <div class="head">
        <h3>{t("material.resources")}</h3>
        <span class="muted num">{all.length || ""}</span>
        <span class="grow" />
        {all.length >= SEARCH_FROM && (
          <input
            class="in small"
            type="search"
            aria-label={t("material.searchOne")}
            placeholder={t("material.searchOne")}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        )}
      </div>
      {listed.problem && (
        <p class="muted">
          {t("material.failed", { server: listed.server, problem: allWorded(listed.problem, listed.said) })}
        </p>
      )}
      {found.length === 0 && query !== "" && <p class="muted">{t("material.noMatch")}</p>}
      <ul class="tools">
        {found.slice(0, most).map((info) => (
          <Resource key={info.uri} info={info} listed={listed} />
        ))}
      </ul>
      {found.length > most && (
        <Button kind="quiet" small onClick={() => setMost(most + FIRST * 5)}>
          {t("material.more", { count: found.length - most })}
        </Button>
      )}
    </section>
  );
}

function Resource({ info, listed }: { info: ResourceInfo; listed: Listed }): JSX.Element {
  const name = info.title ?? info.name;
  const attach = async () => {
    if (await attachResource(info)) toast({ text: t("material.attached", { name }), tone: "success" });
  };
  const read = () => {
    shownResource.value = info;
  };
  return (
    <li class="tool resource" data-testid="resource" data-uri={info.uri}>
      <div class="line">
        <button type="button" class="pick" title={t("material.readOne", { name })} onClick={read}>
          <Icon name={info.template ? "filter" : info.media_type?.startsWith("image/") ? "image" : "file"} />
          <span class="grow">
            <span>{name}</span>
            <code class="uri cut">{info.uri}</code>
          </span>
        </button>
        {info.size !== null && <span class="cost">{bytes(info.size)}</span>}
        {info.template ? (
          <span class="badge">{t("material.template")}</span>
        ) : (
          <>
            {listed.follows && <Follow info={info} name={name} on={listed.followed.includes(info.uri)} />}
            <IconButton
              icon="clip"
              label={t("material.attachTo", { name })}
              testid="resource-attach"
              onClick={() => void attach()}
            />
          </>
        )}
      </div>
    </li>
  );
}

function Follow({ info, name, on }: { info: ResourceInfo; name: string; on: boolean }): JSX.Element {
  const follow = async (wanted: boolean) => {
    await tried(ask({ type: "resource_follow", server: info.server, uri: info.uri, follow: wanted }));
    await loadResources();
  };
  return (
    <span class="follow" title={t("material.followHint")}>
      <span class="muted">{t("material.follow")}</span>
      <Switch mini checked={on} label={t("material.followOne", { name })} testid="resource-follow" onChange={follow} />
    </span>
  );
}
