/** A resource, read and on show: from the servers page, from a link in a result, or a pattern to be filled in first. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Spinner } from "../../icons/Icon";
import { attachContents, attachResource, heldText, shownResource } from "../../material";
import { Button } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { Dialog } from "../../parts/Dialog";
import { toast } from "../../parts/toasts";
import { attachmentBytes } from "../../pictures";
import { ask } from "../../socket";
import type { ReadContent, ResourceInfo } from "../../wire";
import { ArgumentFields, type Given } from "./ArgumentFields";
import { Contents } from "./Contents";

export function ReaderHost(): JSX.Element | null {
  const info = shownResource.value;
  return info && <Reader key={`${info.server} ${info.uri}`} info={info} />;
}

function Reader({ info }: { info: ResourceInfo }): JSX.Element {
  const [given, setGiven] = useState<Given>({});
  const [read, setRead] = useState<readonly ReadContent[] | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    shownResource.value = heldText.value = null;
  };
  const uri = info.uri;
  const load = () => {
    setBusy(true);
    ask({ type: "resource_read", server: info.server, uri, arguments: info.template ? { ...given } : null })
      .then(
        ({ contents }) => setRead(contents),
        (error: unknown) => {
          complain(error);
          if (!info.template) close();
        },
      )
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    if (heldText.value !== null) void readHeld(info, heldText.value).then((held) => setRead([held]), complain);
    else if (!info.template) load();
  }, []);
  const attach = async () => {
    if (read) attachContents(info.server, read);
    else if (!(await attachResource(info, info.template ? { ...given } : null))) return;
    toast({ text: t("material.attached", { name: info.title ?? info.name }), tone: "success" });
    close();
  };
  return (
    <Dialog
      title={info.title ?? info.name}
      lead={info.template ? t("resource.arguments") : t("material.of", { server: info.server })}
      testid="reader"
      onClose={close}
      footer={
        <>
          <Button autofocus={!info.template} onClick={close}>
            {t("part.close")}
          </Button>
          {info.template && (
            <Button disabled={busy} testid="reader-read" onClick={load}>
              {t("material.read")}
            </Button>
          )}
          <Button
            kind="primary"
            disabled={busy || read?.length === 0}
            testid="reader-attach"
            onClick={() => void attach()}
          >
            {t("material.attach")}
          </Button>
        </>
      }
    >
      <p class="uri">
        <code>{uri}</code>
      </p>
      {info.template && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            load();
          }}
        >
          <ArgumentFields
            owner={{ server: info.server, kind: "resource", name: info.uri }}
            args={info.arguments.map((name) => ({ name, label: name, description: "", required: false }))}
            given={given}
            missing={undefined}
            onGiven={(next) => {
              setGiven(next);
              setRead(null);
            }}
          />
          <button type="submit" hidden />
        </form>
      )}
      {busy && <Spinner />}
      {read && <Contents server={info.server} contents={read} />}
    </Dialog>
  );
}

/** The text that came along with a result. */
async function readHeld(info: ResourceInfo, ref: string): Promise<ReadContent> {
  const found = await attachmentBytes(ref);
  const attachment = { ref, media_type: info.media_type ?? "text/plain", name: info.name, size: found.size };
  return { uri: info.uri, attachment, text: await found.text(), cut: false };
}
