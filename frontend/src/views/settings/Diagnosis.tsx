/** What to send to whoever helps: shown before it is copied, so that nobody sends what they did not read. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { copyText } from "../../parts/clipboard";
import { toast } from "../../parts/toasts";
import { ask } from "../../socket";
import { tried } from "./tried";

export function Diagnosis(): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const read = async () => setText((await tried(ask({ type: "get_diagnosis" })))?.text ?? null);
  const copy = async () => {
    const copied = text !== null && (await copyText(text));
    toast(copied ? { tone: "success", text: t("about.copied") } : { tone: "warning", text: t("about.notCopied") });
  };
  return (
    <section aria-labelledby="diagnosis">
      <h2 id="diagnosis">{t("about.help")}</h2>
      <p class="muted">{t("about.helpLead")}</p>
      {text === null ? (
        <Button icon="review" testid="diagnosis-show" onClick={() => void read()}>
          {t("about.diagnosis")}
        </Button>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre class="reading" tabIndex={0} data-testid="diagnosis-text">
            {text}
          </pre>
          <Button icon="copy" testid="diagnosis-copy" onClick={() => void copy()}>
            {t("about.copyAll")}
          </Button>
        </>
      )}
    </section>
  );
}
