/** Pictures and files of a message, fetched with the window's key. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { saveFile } from "../actions/conversation";
import { bytes } from "../format";
import { t } from "../i18n";
import { Icon, Spinner } from "../icons/Icon";
import { complain } from "../parts/complain";
import { attachmentBytes } from "../pictures";
import { useServices } from "../services";
import type { FileBlock, ImageBlock } from "../wire";

/** A picture that cannot be drawn is there as a file. */
export function AttachedImage({ block }: { block: ImageBlock }): JSX.Element {
  const { attachment } = useServices();
  const [source, setSource] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let gone = false;
    attachment(block.ref).then(
      (address) => !gone && setSource(address),
      () => !gone && setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [block.ref, attachment]);
  if (failed) {
    return (
      <div class="note">
        <Icon name="image" />
        <span>{t("picture.failed")}</span>
      </div>
    );
  }
  if (broken) return <SavedFile block={{ ...block, name: block.name ?? t("picture.alone") }} />;
  if (!source) return <Spinner />;
  return <img class="attached" src={source} alt={block.name ?? t("picture.alone")} onError={() => setBroken(true)} />;
}

export const isSound = (mediaType: string): boolean => mediaType.startsWith("audio/");

/** A sound with the browser's own player; where it cannot be played, the file is there to be saved. */
export function AttachedSound({ block }: { block: FileBlock }): JSX.Element {
  const { attachment } = useServices();
  const [source, setSource] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    attachment(block.ref).then(
      (address) => !gone && setSource(address),
      () => !gone && setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [block.ref, attachment]);
  return (
    <div class="sound">
      {source && !failed && (
        // biome-ignore lint/a11y/useMediaCaption: a server's sound comes without words
        <audio
          controls
          preload="metadata"
          src={source}
          data-testid="sound"
          aria-label={t("file.play", { name: block.name ?? t("file.unnamed") })}
          onError={() => setFailed(true)}
        />
      )}
      <SavedFile block={block} />
    </div>
  );
}

export function AttachedFile({ block }: { block: FileBlock }): JSX.Element {
  return isSound(block.media_type) ? <AttachedSound block={block} /> : <SavedFile block={block} />;
}

function SavedFile({ block }: { block: Pick<FileBlock, "name" | "ref"> & { size?: number | null } }): JSX.Element {
  const name = block.name ?? t("file.unnamed");
  const save = () => attachmentBytes(block.ref).then((found) => saveFile(name, found), complain);
  return (
    <button type="button" class="file-chip" title={t("file.save", { name })} onClick={save}>
      <Icon name="file" />
      <span class="cut">{name}</span>
      {typeof block.size === "number" && <span class="muted num">{bytes(block.size)}</span>}
    </button>
  );
}
