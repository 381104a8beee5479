/** The rows of the model picker: models by provider that match what was typed, and what was typed itself. */

import { findMatch } from "../../actions/search";
import type { ModelChoice, ProviderInfo } from "../../wire";
import { isDemo, isUsable, type Listing } from "./catalog";

export interface Group {
  /** Provider name. */
  provider: string;
  title: string;
  rows: Row[];
  loading: boolean;
  error: string | null;
}

export type Row = { kind: "model"; model: ModelChoice } | { kind: "typed"; provider: string; id: string };

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

/** Groups with the rows that match; a typed name that no row has exactly is offered for each provider. */
export function groupsOf(shelf: Shelf, query: string, chosen: string | null): Group[] {
  const typed = query.trim();
  return openProviders(shelf, chosen)
    .map((provider): Group => {
      const listing = onThisComputer(provider) ? localOf(shelf, provider.name) : shelf.listings.get(provider.name);
      const models = listing === undefined || listing === "loading" ? [] : withSaved(listing.models, provider);
      const found = models.filter(
        (model) => findMatch(`${model.name ?? ""} ${model.id} ${provider.title}`, typed) !== null,
      );
      const rows: Row[] = found.slice(0, LONGEST_LIST).map((model) => ({ kind: "model", model }));
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

const errorOf = (listing: Listing | undefined): string | null =>
  listing === undefined || listing === "loading" ? null : listing.error;

/** The provider's saved model is in the list even where the endpoint does not name it. */
function withSaved(models: readonly ModelChoice[], provider: ProviderInfo): readonly ModelChoice[] {
  if (!provider.model || models.some(({ id }) => id === provider.model)) return models;
  return [bare(provider.name, provider.model), ...models];
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
