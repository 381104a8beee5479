/** Resources that a result names or holds: read here, or opened where they are pages of the web. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import { readLink } from "../material";
import { useServices } from "../services";
import type { LinkedResource } from "../wire";

export function Links({ server, links }: { server: string; links: readonly LinkedResource[] }): JSX.Element {
  return (
    <ul class="linked" aria-label={t("result.linked")}>
      {links.map((link, at) => (
        <li key={at}>
          <LinkChip server={server} link={link} />
        </li>
      ))}
    </ul>
  );
}

function LinkChip({ server, link }: { server: string; link: LinkedResource }): JSX.Element {
  const { openUrl } = useServices();
  const web = link.ref === null && /^https?:/i.test(link.uri);
  return (
    <button
      type="button"
      class="file-chip"
      data-testid="linked"
      data-uri={link.uri}
      title={link.description ? `${link.description}\n${link.uri}` : link.uri}
      onClick={() => (web ? openUrl(link.uri) : readLink(server, link))}
    >
      <Icon name={web ? "external" : "file"} />
      <span class="cut">{link.name}</span>
    </button>
  );
}
