/** Which models can be picked: the providers, and each one's list once somebody looked at it. */
import { signal } from "@preact/signals";
import { ask } from "../../socket";
import type { ModelChoice, ProviderInfo, Saying } from "../../wire";
import { wordsOf } from "../settings/tried";

export const DEMO = "demo";

/** A provider's list: on its way, or what was told; an error may come with models that are known anyway. */
export type Listing = "loading" | { models: readonly ModelChoice[]; error: Trouble | null };
/** In English, and for the person's language where it has a key. */
export interface Trouble {
  message: string;
  said?: Saying | null;
}

/** All vendors; null until told. */
export const providers = signal<readonly ProviderInfo[] | null>(null);
/** Lists by provider name. */
export const listings = signal<ReadonlyMap<string, Listing>>(new Map());
/** Models of the model servers found on this computer; null until looked for. */
export const localListing = signal<Listing | null>(null);

/** Rejects with the backend's words. */
export async function readProviders(): Promise<void> {
  providers.value = (await ask({ type: "providers_list" })).providers;
}

export const isDemo = (provider: ProviderInfo): boolean => provider.protocol === DEMO;

/** True where a request would go somewhere and not end at "no key" or "no address". */
export const isUsable = (provider: ProviderInfo): boolean =>
  isDemo(provider) || (provider.base_url !== "" && (!provider.needs_key || provider.key_from !== "none"));

/** Asks for a provider's models unless they are known; `again` asks anyway. */
export async function readModels(provider: string, again = false): Promise<void> {
  if (!again && listings.value.has(provider)) return;
  put(provider, "loading");
  try {
    const { models, error, said } = await ask({ type: "models_list", provider });
    put(provider, { models, error: error === null ? null : { message: error, said } });
  } catch (error) {
    put(provider, { models: [], error: { message: wordsOf(error) } });
  }
}

/** Looks for model servers on this computer. */
export async function readLocal(): Promise<void> {
  if (localListing.value === null) localListing.value = "loading";
  try {
    localListing.value = { models: (await ask({ type: "local_models" })).models, error: null };
  } catch (error) {
    localListing.value = { models: [], error: { message: wordsOf(error) } };
  }
}

/** Forgets what a provider listed, after its key or address changed. */
export function forgetModels(provider: string): void {
  const rest = new Map(listings.value);
  rest.delete(provider);
  listings.value = rest;
}

function put(provider: string, listing: Listing): void {
  listings.value = new Map(listings.value).set(provider, listing);
}

/** The provider's title, or its name where it is not known. */
export const titleOf = (name: string): string => providers.value?.find((each) => each.name === name)?.title ?? name;
