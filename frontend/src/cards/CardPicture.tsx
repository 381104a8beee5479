/** A card's picture: its own data, an attachment of ours, or from elsewhere: at once if trusted, else a chip to click. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isDataPicture, pictureHost } from "../address";
import { t } from "../i18n";
import { Icon, Spinner } from "../icons/Icon";
import { type Services, useServices } from "../services";
import type { Picture } from "../wire";

const BLOB = "leochat-blob:";

interface CardPictureProps {
  picture: Picture;
  server: string;
}

type State = { at: "loading" } | { at: "shown"; source: string } | { at: "chip"; failed: string | null };

/** Loads nothing from elsewhere by itself unless the backend trusts the server or host. */
export function CardPicture({ picture, server }: CardPictureProps): JSX.Element {
  const services = useServices();
  const own = isDataPicture(picture.url);
  const [state, setState] = useState<State>(own ? { at: "shown", source: picture.url } : { at: "loading" });
  useEffect(() => {
    if (own) return setState({ at: "shown", source: picture.url });
    let gone = false;
    const set = (next: State) => {
      if (!gone) setState(next);
    };
    load(services, picture.url, server).then(
      (source) => set({ at: "shown", source }),
      (error: unknown) => set({ at: "chip", failed: picture.url.startsWith(BLOB) ? String(error) : null }),
    );
    return () => {
      gone = true;
    };
  }, [picture.url, server, services, own]);
  const ask = async () => {
    setState({ at: "loading" });
    try {
      setState({ at: "shown", source: await services.remotePicture(picture.url, { server, clicked: true }) });
    } catch (error) {
      setState({ at: "chip", failed: error instanceof Error ? error.message : String(error) });
    }
  };
  if (state.at === "chip") return <Chip picture={picture} failed={state.failed} onAsk={ask} />;
  return (
    <div class="pic">
      {state.at === "shown" ? (
        <img
          src={state.source}
          alt={picture.alt}
          onError={() => setState({ at: "chip", failed: t("picture.failed") })}
        />
      ) : (
        <Spinner />
      )}
    </div>
  );
}

function load(services: Services, url: string, server: string): Promise<string> {
  if (url.startsWith(BLOB)) return services.attachment(url.slice(BLOB.length));
  return services.remotePicture(url, { server, clicked: false });
}

function Chip({ picture, failed, onAsk }: { picture: Picture; failed: string | null; onAsk: () => void }): JSX.Element {
  const host = pictureHost(picture.url);
  if (!host) {
    return (
      <div class="note">
        <Icon name="image" />
        <span>
          {picture.alt || t("picture.alone")}
          {": "}
          {failed ?? t("picture.failed")}
        </span>
      </div>
    );
  }
  return (
    <button type="button" class="remote" title={picture.url} onClick={onAsk}>
      <Icon name="image" />
      <span class="grow">
        <b>{picture.alt || t("picture.show")}</b>
        <span>{failed ?? t("picture.from", { host })}</span>
      </span>
      <Icon name={failed ? "redo" : "download"} />
    </button>
  );
}
