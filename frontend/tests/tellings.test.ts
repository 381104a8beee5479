import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../src/i18n";
import { told } from "../src/tellings";

describe("what a person reads of a call's result", () => {
  afterEach(() => setLanguage("en"));

  it("is in the language of the page, with others' words as they came", () => {
    setLanguage("es");
    const denied = "The user did not allow this call. Do not try it again unless they ask for it.";
    expect(told(denied)).toBe("No has permitido esta llamada. El modelo no debe repetirla si no lo pides.");
    expect(
      told("write_cells was not run: `rows` is missing; `sheet` must be text (it was 5). Needed: path, rows."),
    ).toBe("write_cells no se ejecutó: `rows` falta; `sheet` debe ser texto (era 5). Needed: path, rows.");
    const closed = "it is a folder of the system";
    expect(
      told(`Access denied: /etc is never opened to tools: ${closed}. Use a path inside one of these: /a.`),
    ).toContain("es una carpeta del sistema");
    expect(told("Their own words.")).toBe("Their own words.");
  });

  it("is left as it is in English", () => {
    expect(told("The user confirmed.")).toBe("The user confirmed.");
  });
});
