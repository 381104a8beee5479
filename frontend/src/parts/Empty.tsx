/** What a place shows while it has nothing: three bars while loading, else one sentence and one button. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";

const PATIENCE_MS = 200;

/** Three bars, only after 200 ms, so that what is quick does not flicker. */
export function Skeleton(): JSX.Element | null {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div class="skeleton" role="status" aria-label={t("part.loading")}>
      <i />
      <i />
      <i />
    </div>
  );
}

interface EmptyProps {
  sign: ComponentChildren;
  title: string;
  hint?: ComponentChildren;
  children?: ComponentChildren;
}

/** An icon or the mark, a sentence, a muted sentence, at most one button. */
export function Empty({ sign, title, hint, children }: EmptyProps): JSX.Element {
  return (
    <div class="void">
      {sign}
      <b>{title}</b>
      {hint && <span class="muted">{hint}</span>}
      {children}
    </div>
  );
}
