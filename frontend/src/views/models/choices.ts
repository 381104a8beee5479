/** The rows of the model picker: models by provider that match what was typed, and what was typed itself. */

import { findMatch } from "../../actions/search";
import type { ModelChoice, ProviderInfo } from "../../wire";
import { isDemo, isUsable, type Listing, type Trouble } from "./catalog";

export interface Group {
  /** Provider name. */
  provider: string;
  title: string;
  rows: Row[];
  loading: boolean;
  error: Trouble | null;
}

export type Row =
  | { kind: "model"; model: ModelChoice; favourite: boolean }
  | { kind: "typed"; provider: string; id: string };

export interface Picked {
  provider: string;
  model: string;
}

interface Shelf {
  providers: readonly ProviderInfo[];
  listings: ReadonlyMap<string, Listing>;
  local: Listing | null;
}

const LONGEST_LIST = 200;

/** Providers that can answer, in the table's order: the chosen one first, the demo last. */
export function openProviders(shelf: Shelf, chosen: string | null): ProviderInfo[] {
  const found = new Set(localModels(shelf.local).map(({ provider }) => provider));
  const rank = (provider: ProviderInfo): number =>
    provider.name === chosen ? 0 : isDemo(provider) ? 3 : provider.local ? 1 : 2;
  return shelf.providers
    .filter(
      (each) =>
        each.name === chosen || (onThisComputer(each) ? found.has(each.name) || Boolean(each.model) : isUsable(each)),
    )
    .sort((a, b) => rank(a) - rank(b));
}

/** The name of the group of favourites, which is no provider's. */
export const FAVOURITES = "favourites";

/** Groups with the rows that match, favourites first; a typed name that no row has exactly is offered for each provider. */
export function groupsOf(shelf: Shelf, query: string, chosen: string | null): Group[] {
  const typed = query.trim();
  const groups = openProviders(shelf, chosen)
    .map((provider): Group => {
      const listing = onThisComputer(provider) ? localOf(shelf, provider.name) : shelf.listings.get(provider.name);
      const models = listing === undefined || listing === "loading" ? [] : withSaved(listing.models, provider);
      const found = models.filter(
        (model) => findMatch(`${model.name ?? ""} ${model.id} ${provider.title}`, typed) !== null,
      );
      const rows: Row[] = found
        .slice(0, LONGEST_LIST)
        .map((model) => ({ kind: "model", model, favourite: provider.favourites.includes(model.id) }));
      if (typed && !isDemo(provider) && !models.some(({ id }) => id === typed))
        rows.push({ kind: "typed", provider: provider.name, id: typed });
      return {
        provider: provider.name,
        title: provider.title,
        rows,
        loading: listing === "loading",
        error: listing === undefined || listing === "loading" ? null : listing.error,
      };
    })
    .filter((group) => typed === "" || group.rows.length > 0);
  return withFavourites(groups);
}

/** Favourites stand once, in a group of their own before all others. */
function withFavourites(groups: readonly Group[]): Group[] {
  const isFavourite = (row: Row): boolean => row.kind === "model" && row.favourite;
  const rows = groups.flatMap((group) => group.rows.filter(isFavourite));
  if (rows.length === 0) return [...groups];
  const rest = groups.map((group) => ({ ...group, rows: group.rows.filter((row) => !isFavourite(row)) }));
  const first: Group = { provider: FAVOURITES, title: "", rows, loading: false, error: null };
  return [first, ...rest.filter((group) => group.rows.length > 0 || group.loading || group.error !== null)];
}

/** Model servers here are looked for; the demo is simply there. */
const onThisComputer = (provider: ProviderInfo): boolean => provider.local && !isDemo(provider);

const localModels = (local: Listing | null): readonly ModelChoice[] =>
  local === null || local === "loading" ? [] : local.models;

function localOf(shelf: Shelf, provider: string): Listing {
  if (shelf.local === null || shelf.local === "loading") return "loading";
  const own = shelf.local.models.filter((model) => model.provider === provider);
  return { models: own, error: own.length > 0 ? null : (shelf.local.error ?? errorOf(shelf.listings.get(provider))) };
}

const errorOf = (listing: Listing | undefined): Trouble | null =>
  listing === undefined || listing === "loading" ? null : listing.error;

/** The provider's saved model and its favourites are in the list even where the endpoint does not name them. */
function withSaved(models: readonly ModelChoice[], provider: ProviderInfo): readonly ModelChoice[] {
  const wanted = new Set([...(provider.model ? [provider.model] : []), ...provider.favourites]);
  const missing = [...wanted].filter((id) => !models.some((model) => model.id === id));
  return [...missing.map((id) => bare(provider.name, id)), ...models];
}

/** A model of which nothing but the name is known. */
export const bare = (provider: string, id: string): ModelChoice => ({
  provider,
  id,
  name: null,
  context: null,
  vision: null,
  tools: null,
  thinking: null,
  input_price: null,
  output_price: null,
});

/** What picking a row means. */
export const pickedOf = (row: Row): Picked =>
  row.kind === "model"
    ? { provider: row.model.provider, model: row.model.id }
    : { provider: row.provider, model: row.id };
