/** Copies a text and says so with a check for a moment. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { IconButton } from "./Button";
import { copyText } from "./clipboard";

const SHOWN_MS = 1500;

/** `text` is asked for when pressed, so that a long text is not built before. */
export function CopyButton({ text, label }: { text: () => string; label?: string }): JSX.Element {
  const [done, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const copy = async () => {
    if (!(await copyText(text()))) return;
    setDone(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), SHOWN_MS);
  };
  return (
    <IconButton
      icon={done ? "check" : "copy"}
      label={done ? t("part.copied") : (label ?? t("part.copy"))}
      onClick={copy}
    />
  );
}
