/** Blob addresses for attachments and fetched pictures; each is fetched once for the life of the page. */
import { complain } from "./parts/complain";
import type { Services } from "./services";
import { ask } from "./socket";
import { fetchOwn } from "./token";

const MOST_KEPT = 200;
const blobs = new Map<string, Promise<string>>();

function once(key: string, make: () => Promise<string>): Promise<string> {
  const known = blobs.get(key);
  if (known) return known;
  const made = make();
  blobs.set(key, made);
  made.catch(() => blobs.delete(key)); // a later try may go better
  for (const [old, address] of blobs) {
    if (blobs.size <= MOST_KEPT) break;
    blobs.delete(old);
    void address.then(URL.revokeObjectURL).catch(() => undefined); // nothing was made
  }
  return made;
}

export const attachment = (ref: string): Promise<string> =>
  once(ref, async () => {
    const response = await fetchOwn(`/attachments/${encodeURIComponent(ref)}`);
    return URL.createObjectURL(await response.blob());
  });

/** The bytes of an attachment, for saving. */
export const attachmentBytes = async (ref: string): Promise<Blob> =>
  (await fetchOwn(`/attachments/${encodeURIComponent(ref)}`)).blob();

/** What drawn content may ask of this page. */
export const services: Services = {
  openUrl: (url) => {
    ask({ type: "open_url", url }).catch(complain);
  },
  attachment,
  remotePicture: (url, { server, clicked }) =>
    once(`${url} ${clicked}`, async () => {
      const { ref } = await ask({ type: "load_picture", url, server: server ?? null, clicked });
      return attachment(ref);
    }),
};
