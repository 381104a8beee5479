/** The model picker offers what can answer, and always what was typed. */
import { describe, expect, it } from "vitest";
import type { Listing } from "../../../src/views/models/catalog";
import { bare, groupsOf, pickedOf } from "../../../src/views/models/choices";
import type { ProviderInfo } from "../../../src/wire";

const provider = (name: string, more: Partial<ProviderInfo> = {}): ProviderInfo => ({
  name,
  title: name.toUpperCase(),
  protocol: "openai-chat",
  base_url: "https://x",
  default_base_url: "https://x",
  local: false,
  needs_key: true,
  key_from: "none",
  key_variable: null,
  key_url: null,
  model: null,
  favourites: [],
  ...more,
});

const shelf = {
  providers: [
    provider("cloud", { key_from: "stored", model: "saved" }),
    provider("nokey"),
    provider("here", { local: true, needs_key: false }),
    provider("absent", { local: true, needs_key: false }),
    provider("custom", { needs_key: false, base_url: "" }),
    provider("demo", { protocol: "demo", local: true, needs_key: false, base_url: "" }),
  ],
  listings: new Map<string, Listing>([
    ["cloud", { models: [bare("cloud", "big"), bare("cloud", "small")], error: null }],
    ["demo", { models: [bare("demo", "demo")], error: null }],
  ]),
  local: { models: [bare("here", "qwen")], error: null },
};

const rows = (query: string, chosen: string | null = null) =>
  groupsOf(shelf, query, chosen).map(
    (group) =>
      `${group.provider}: ${group.rows.map((row) => (row.kind === "typed" ? `+${row.id}` : row.model.id)).join(" ")}`,
  );

describe("the list", () => {
  it("has who can answer: found here, with a key, the demo last; the saved model too", () => {
    expect(rows("")).toEqual(["here: qwen", "cloud: saved big small", "demo: demo"]);
  });
  it("begins with the provider in use, even without a key", () => expect(rows("", "nokey")[0]).toBe("nokey: "));
  it("offers a typed name with every provider but the demo", () => {
    expect(rows("gpt-9")).toEqual(["here: +gpt-9", "cloud: +gpt-9"]);
  });
  it("finds by any part, and does not offer twice what is listed", () =>
    expect(rows("big")).toEqual(["here: +big", "cloud: big"]));
  it("has favourites once and first, also those that no endpoint names", () => {
    const [cloud, ...others] = shelf.providers;
    const starred = { ...shelf, providers: [{ ...cloud, favourites: ["small", "old"] } as ProviderInfo, ...others] };
    const groups = groupsOf(starred, "", null).map(
      ({ provider, rows }) => `${provider}: ${rows.map((row) => pickedOf(row).model).join(" ")}`,
    );
    expect(groups).toEqual(["favourites: old small", "here: qwen", "cloud: saved big", "demo: demo"]);
  });
  it("keeps the error beside what is known", () => {
    const broken = {
      ...shelf,
      listings: new Map<string, Listing>([["cloud", { models: [], error: { message: "no network" } }]]),
    };
    expect(groupsOf(broken, "", null).find((group) => group.provider === "cloud")).toMatchObject({
      error: { message: "no network" },
      rows: [{ kind: "model" }],
    });
  });
});

it("picks provider and model", () => {
  expect(pickedOf({ kind: "typed", provider: "cloud", id: "x" })).toEqual({ provider: "cloud", model: "x" });
  expect(pickedOf({ kind: "model", model: bare("here", "qwen"), favourite: false })).toEqual({
    provider: "here",
    model: "qwen",
  });
});
