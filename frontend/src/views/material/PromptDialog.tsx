/** The arguments of a server's prompt, before its messages go into the composer. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { focusAsked } from "../../drafts";
import { t } from "../../i18n";
import { addTemplate, askedPrompt } from "../../material";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { Dialog } from "../../parts/Dialog";
import { sendDraft } from "../../sending";
import { ask } from "../../socket";
import type { PromptInfo } from "../../wire";
import { ArgumentFields, type Given } from "./ArgumentFields";

export function PromptHost(): JSX.Element | null {
  const info = askedPrompt.value;
  return info && <PromptDialog key={`${info.server} ${info.name}`} info={info} />;
}

function PromptDialog({ info }: { info: PromptInfo }): JSX.Element {
  const [given, setGiven] = useState<Given>({});
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const close = () => {
    askedPrompt.value = null;
  };
  const fill = async (): Promise<boolean> => {
    setTried(true);
    if (info.arguments.some(({ name, required }) => required && !given[name]?.trim())) return false;
    setBusy(true);
    try {
      addTemplate(await ask({ type: "prompt_fill", server: info.server, name: info.name, arguments: { ...given } }));
      close();
      focusAsked.value += 1;
      return true;
    } catch (error) {
      setBusy(false);
      complain(error);
      return false;
    }
  };
  return (
    <Dialog
      title={t("prompt.title", { name: info.title ?? info.name })}
      lead={info.description || t("prompt.lead", { server: info.server })}
      testid="prompt-dialog"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t("part.cancel")}</Button>
          <Button disabled={busy} testid="prompt-send" onClick={async () => (await fill()) && void sendDraft()}>
            {t("prompt.send")}
          </Button>
          <Button kind="primary" disabled={busy} testid="prompt-fill" onClick={() => void fill()}>
            {t("prompt.fill")}
          </Button>
        </>
      }
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void fill();
        }}
      >
        <ArgumentFields
          owner={{ server: info.server, kind: "prompt", name: info.name }}
          args={info.arguments.map(({ name, title, description, required }) => ({
            name,
            label: title ?? name,
            description,
            required,
          }))}
          given={given}
          missing={tried ? t("part.fillIn") : undefined}
          onGiven={setGiven}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
