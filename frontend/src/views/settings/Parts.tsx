/** What the program is made of: a list to search, whose lines open the whole licence. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { ask } from "../../socket";
import type { PartInfo } from "../../wire";
import { tried } from "./tried";

export function Parts({ parts, sbom }: { parts: readonly PartInfo[]; sbom: string | null }): JSX.Element {
  const [wanted, setWanted] = useState("");
  const [open, setOpen] = useState<{ part: PartInfo; text: string } | null>(null);
  const read = async (part: PartInfo) => {
    const told = await tried(ask({ type: "get_licence", name: part.name, kind: part.kind }));
    if (told) setOpen({ part, text: told.text });
  };
  const shown = parts.filter((part) => fits(part, wanted));
  return (
    <section class="made-of" aria-labelledby="made-of">
      <h2 id="made-of">{t("about.parts")}</h2>
      <p class="muted">{t("about.partsLead", { count: parts.length })}</p>
      <input
        class="in"
        type="search"
        aria-label={t("about.find")}
        placeholder={t("about.find")}
        value={wanted}
        data-testid="parts-search"
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      <ul class="parts-list" data-testid="parts">
        {shown.map((part) => (
          <li key={`${part.kind} ${part.name}`}>
            <PartLine part={part} onRead={() => void read(part)} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="muted">{t("about.none")}</p>}
      {sbom && (
        <p class="muted">
          {t("about.sbom")}: <code>{sbom}</code>
        </p>
      )}
      {open && (
        <Dialog
          title={`${open.part.name} ${open.part.version}`}
          lead={[open.part.licence, open.part.home].filter(Boolean).join(" · ")}
          testid="licence"
          onClose={() => setOpen(null)}
          footer={
            <Button kind="primary" autofocus onClick={() => setOpen(null)}>
              {t("about.close")}
            </Button>
          }
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre class="reading" tabIndex={0}>
            {open.text}
          </pre>
        </Dialog>
      )}
    </section>
  );
}

const fits = (part: PartInfo, wanted: string): boolean =>
  `${part.name} ${part.version} ${part.licence}`.toLowerCase().includes(wanted.trim().toLowerCase());

function PartLine({ part, onRead }: { part: PartInfo; onRead: () => void }): JSX.Element {
  const words = (
    <>
      <b class="cut">{part.name}</b>
      <span class="muted">{part.version}</span>
      <span class="cut licence">{part.licence || (part.has_text ? "" : t("about.noText"))}</span>
      <span class="muted kind">{t(`about.kind.${part.kind}`)}</span>
    </>
  );
  if (!part.has_text) return <span class="part-line">{words}</span>;
  return (
    <button type="button" class="part-line" onClick={onRead}>
      {words}
    </button>
  );
}
