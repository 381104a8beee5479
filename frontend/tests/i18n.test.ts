import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytes, cost, duration, when } from "../src/format";
import { pickLanguage, setLanguage, type Text, t } from "../src/i18n";
import { en } from "../src/i18n/en";
import { es } from "../src/i18n/es";
import { iconNames, pictogramNames } from "../src/icons/names";

const forms = (text: Text): string[] => (typeof text === "string" ? [text] : [text.one, text.other]);
const params = (text: Text): string[] =>
  [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

describe("the table of words", () => {
  it("has the same keys, parameters and plurals in every language", () => {
    expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en as Record<string, Text>)) {
      const other = es[key as keyof typeof en];
      expect([key, params(other).filter((name) => name !== "{count}")]).toEqual([
        key,
        params(text).filter((name) => name !== "{count}"),
      ]);
      expect([key, typeof other]).toEqual([key, typeof text]);
    }
  });

  it("follows the language and fills parameters", () => {
    expect(t("picture.from", { host: "x.org" })).toBe("from x.org");
    setLanguage("es");
    expect(t("picture.from", { host: "x.org" })).toBe("de x.org");
    expect(document.documentElement.lang).toBe("es");
  });

  it("takes the first language it knows", () => {
    expect(pickLanguage(["fr-FR", "es-MX", "en"])).toBe("es");
    expect(pickLanguage(["ja"])).toBe("en");
  });
});

describe("formats", () => {
  it("write sizes, times and costs for people", () => {
    const plain = (texts: string[]) => texts.map((text) => text.replaceAll("\u00a0", " "));
    expect(plain([bytes(512), bytes(1700), bytes(184_220), bytes(2_300_000)])).toEqual([
      "512 B",
      "1.7 kB",
      "184 kB",
      "2.3 MB",
    ]);
    expect(plain([duration(3), duration(800), duration(14_000), duration(125_000)])).toEqual([
      "3 ms",
      "0.8 s",
      "14 s",
      "2:05",
    ]);
    expect([cost(0.0561), cost(12.5), cost(0)]).toEqual(["$0.056", "$12.50", "$0.00"]);
  });

  it("write when something was as short as a list allows", () => {
    const now = new Date(2026, 10, 30, 15, 0);
    expect(when(new Date(2026, 10, 28), now)).toBe("Sat");
    expect(when(new Date(2026, 10, 2), now)).toMatch(/2/);
    expect(when(new Date(2025, 4, 2), now)).toContain("2025");
  });
});

describe("the sprite", () => {
  it("holds exactly the named icons and no inline style", () => {
    const sprite = readFileSync("src/icons/sprite.svg", "utf8");
    const ids = [...sprite.matchAll(/symbol id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id) => id?.startsWith("i-"))).toEqual(iconNames.map((name) => `i-${name}`));
    expect(ids.filter((id) => id?.startsWith("p-"))).toEqual(pictogramNames.map((name) => `p-${name}`));
    expect(sprite).not.toContain("style=");
  });
});
