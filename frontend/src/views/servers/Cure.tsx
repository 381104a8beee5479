/** Trouble in a box: the cause, what helps, the raw detail, and the buttons that go on from there. */
import type { ComponentChildren, JSX } from "preact";
import { t } from "../../i18n";
import { causeAndCure } from "./report";

interface CureProps {
  message: string;
  detail?: string | null;
  /** Shown open; else the detail is one click away. */
  open?: boolean;
  children?: ComponentChildren;
}

/** What can be read at a glance is not hidden behind a click. */
const isShort = (detail: string): boolean => detail.length <= 240 && detail.split("\n").length <= 4;

export function Cure({ message, detail, open, children }: CureProps): JSX.Element {
  const { cause, cure } = causeAndCure(message);
  return (
    <div class="cure">
      <b>{cause}</b>
      {cure && <p>{cure}</p>}
      {detail && (
        <details class="raw" open={open || isShort(detail)}>
          <summary>{t("servers.detail")}</summary>
          <pre>{detail}</pre>
        </details>
      )}
      {children && <div class="acts">{children}</div>}
    </div>
  );
}
