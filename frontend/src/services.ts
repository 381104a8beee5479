/** What drawn content may ask of the page; given by context so that tests and the gallery can give their own. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface Services {
  /** Opens an address outside the window; a person clicked it. */
  openUrl: (url: string) => void;
  /** A blob address for an attachment of ours. */
  attachment: (ref: string) => Promise<string>;
  /**
   * A blob address for a picture from elsewhere, fetched by the backend. `clicked`: the person asked for this one; without it
   * the backend fetches only for servers and hosts that are trusted, and this rejects for all others.
   */
  remotePicture: (url: string, from: { server?: string | undefined; clicked: boolean }) => Promise<string>;
}

const none = (): Promise<string> => Promise.reject(new Error("no page"));

export const ServicesContext = createContext<Services>({
  openUrl: () => undefined,
  attachment: none,
  remotePicture: none,
});

export const useServices = (): Services => useContext(ServicesContext);
