/** Draws the notices in the header's strip, where they cover no content. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/names";
import { Button, IconButton } from "./Button";
import { dismiss, type Toast, type Tone, toasts } from "./toasts";

const AFTER_HOLD_MS = 3000;
const signs: Record<Tone, IconName> = { info: "info", success: "ok", warning: "alert", error: "error" };

/** All notices on show, newest below. */
export function Toasts(): JSX.Element {
  return (
    <section class="toasts" aria-label={t("part.notifications")} aria-live="polite">
      {toasts.value.map((shown) => (
        <OneToast key={shown.id} toast={shown} />
      ))}
    </section>
  );
}

function OneToast({ toast }: { toast: Toast }): JSX.Element {
  const [held, setHeld] = useState(false);
  const wasHeld = useRef(false);
  useEffect(() => {
    wasHeld.current ||= held;
    if (held || toast.duration === null) return;
    const left = toast.sinceMs + toast.duration - Date.now();
    const timer = setTimeout(() => dismiss(toast.id), wasHeld.current ? Math.max(AFTER_HOLD_MS, left) : left);
    return () => clearTimeout(timer);
  }, [held, toast]);
  const run = () => {
    dismiss(toast.id);
    toast.action?.run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: being over it or in it only makes it wait
    <div
      class="toast"
      data-testid="toast"
      data-tone={toast.tone}
      role={toast.tone === "error" ? "alert" : "status"}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <Icon name={toast.icon ?? signs[toast.tone]} />
      <span class="grow">{toast.text}</span>
      {toast.action && (
        <Button kind="link" small onClick={run}>
          {toast.action.label}
        </Button>
      )}
      {(toast.duration === null || toast.action) && (
        <IconButton icon="x" label={t("part.close")} onClick={() => dismiss(toast.id)} />
      )}
    </div>
  );
}
