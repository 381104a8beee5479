/** What reading a resource gave: a text, a picture, a sound, or an honest word about bytes. */
import type { JSX } from "preact";
import { saveFile } from "../../actions/conversation";
import { AttachedImage, AttachedSound, isSound } from "../../blocks/Attachment";
import { bytes } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Markdown } from "../../markdown/Markdown";
import { Button } from "../../parts/Button";
import { CodeBlock } from "../../parts/CodeBlock";
import { complain } from "../../parts/complain";
import { attachmentBytes } from "../../pictures";
import type { Attachment, ReadContent } from "../../wire";

const PICTURES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function Contents({ server, contents }: { server: string; contents: readonly ReadContent[] }): JSX.Element {
  if (contents.length === 0) return <p class="muted">{t("material.empty")}</p>;
  return (
    <div class="contents" data-testid="resource-contents">
      {contents.map((content) => (
        <Content key={`${content.uri} ${content.attachment.ref}`} server={server} content={content} />
      ))}
    </div>
  );
}

function Content({
  server,
  content: { attachment, text, cut },
}: {
  server: string;
  content: ReadContent;
}): JSX.Element {
  const { media_type: type, ref, name, size } = attachment;
  if (text !== null) {
    return (
      <>
        {/^text\/(?:x-)?markdown/.test(type) ? (
          <div class="read-text">
            <Markdown small source={text} server={server} />
          </div>
        ) : (
          <CodeBlock wrap text={text} language={/json/.test(type) ? "json" : ""} label={`${name} · ${type}`} />
        )}
        {cut && <p class="muted">{t("material.cut")}</p>}
      </>
    );
  }
  if (PICTURES.has(type))
    return <AttachedImage block={{ type: "image", media_type: type, ref, name, tool_call_id: null }} />;
  if (isSound(type))
    return <AttachedSound block={{ type: "file", media_type: type, ref, name, size, tool_call_id: null }} />;
  return (
    <div class="hint-row">
      <Icon name="file" />
      <span class="grow">
        {name} <span class="muted num">{bytes(size)}</span>
        <span class="remark">{t("material.binary")}</span>
      </span>
      <Button small icon="download" onClick={() => save(attachment)}>
        {t("material.save")}
      </Button>
    </div>
  );
}

const save = ({ ref, name }: Attachment): void => {
  attachmentBytes(ref).then((found) => saveFile(name, found), complain);
};
