/** The key of this window: taken from the address once, then kept out of it. */

const KEPT_AS = "leochat-token";
let key: string | null = null;

/** Takes the token from the fragment (and removes it there) or, after a reload, from this tab's storage; null for none. */
export function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    history.replaceState(null, "", location.pathname + location.search);
    sessionStorage.setItem(KEPT_AS, given);
  }
  key = given ?? sessionStorage.getItem(KEPT_AS);
  return key;
}

/** Fetches from our own backend with the token. Throws for anything but success, with its words or else the status. */
export async function fetchOwn(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${key ?? ""}`);
  const response = await fetch(path, { ...init, headers, cache: "no-store" });
  if (!response.ok) throw new Error((await wordsIn(response)) ?? `${response.status} ${response.statusText}`);
  return response;
}

async function wordsIn(response: Response): Promise<string | null> {
  try {
    const told = (await response.json()) as { error?: { message?: unknown } };
    return typeof told.error?.message === "string" && told.error.message ? told.error.message : null;
  } catch {
    return null; // not our own answer
  }
}
