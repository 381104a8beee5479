/** Which texts are figures: amounts, sizes, shares. They stand right-aligned in tables and lists. */

const FIGURE = /^[\s\p{Sc}(~≈±+−–-]*\d[\d\s.,'’:]*\s*(?:%|‰|\p{Sc}|[\p{L}µ°²³/]{1,5})?\)?$/u;

/** True for "€48,210", "+6.2 %", "12 kB", "(3)"; false for dates and words. */
export const isFigure = (text: string): boolean => FIGURE.test(text);

/** True if there is at least one text and all that are not empty are figures. */
export function areFigures(texts: readonly string[]): boolean {
  const said = texts.filter((text) => text.trim());
  return said.length > 0 && said.every(isFigure);
}
