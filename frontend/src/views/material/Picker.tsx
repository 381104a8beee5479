/** Everything that servers offer for a message, searched as one types: resources to attach, prompts to use. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { IconName } from "../../icons/names";
import { fits, loadResources, pickerOpen, pickResource, prompts, resources, usePrompt } from "../../material";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Skeleton } from "../../parts/Empty";
import type { PromptInfo, ResourceInfo } from "../../wire";

const MOST = 100;

interface Row {
  key: string;
  icon: IconName;
  title: string;
  server: string;
  about: string;
  pick: () => void;
}

export function PickerHost(): JSX.Element | null {
  return pickerOpen.value ? <Picker /> : null;
}

function Picker(): JSX.Element {
  const [query, setQuery] = useState("");
  useEffect(() => void loadResources(), []);
  const rows = rowsOf(query.trim());
  const nothing = resources.value !== null && query === "" && rows.length === 0;
  return (
    <Dialog
      title={t("material.addTitle")}
      testid="material-picker"
      onClose={close}
      footer={<Button onClick={close}>{t("part.close")}</Button>}
    >
      <input
        class="in"
        type="search"
        autofocus
        data-testid="material-search"
        aria-label={t("material.search")}
        placeholder={t("material.search")}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !rows[0]) return;
          event.preventDefault();
          choose(rows[0]);
        }}
      />
      {resources.value === null ? (
        <Skeleton />
      ) : (
        <ul class="material-list">
          {rows.slice(0, MOST).map((row) => (
            <li key={row.key}>
              <button type="button" class="material-pick" data-testid="material-row" onClick={() => choose(row)}>
                <Icon name={row.icon} />
                <span class="grow">
                  <span class="name">{row.title}</span>{" "}
                  <span class="muted">{t("material.of", { server: row.server })}</span>
                  {row.about && <span class="remark cut">{row.about}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {(nothing || (rows.length === 0 && query !== "")) && (
        <p class="muted">{nothing ? t("material.none") : t("material.noMatch")}</p>
      )}
    </Dialog>
  );
}

function close(): void {
  pickerOpen.value = false;
}

function choose(row: Row): void {
  close();
  row.pick();
}

function rowsOf(query: string): Row[] {
  const found = (resources.value ?? []).flatMap((listed) => listed.resources.map(resourceRow));
  const offered = prompts.value.flatMap((listed) => listed.prompts.map(promptRow));
  return [...found, ...offered].filter(({ title, server, about }) => query === "" || fits(query, title, server, about));
}

function resourceRow(info: ResourceInfo): Row {
  return {
    key: `resource ${info.server} ${info.uri}`,
    icon: info.template ? "filter" : info.media_type?.startsWith("image/") ? "image" : "file",
    title: info.title ?? info.name,
    server: info.server,
    about: info.description || info.uri,
    pick: () => pickResource(info),
  };
}

function promptRow(info: PromptInfo): Row {
  return {
    key: `prompt ${info.server} ${info.name}`,
    icon: "script",
    title: info.title ?? info.name,
    server: info.server,
    about: info.description,
    pick: () => usePrompt(info),
  };
}
