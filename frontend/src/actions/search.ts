/** Finds actions by typed words, with the places of the match for drawing. */

/** Where a query matches in a text, as [start, end) pairs; null for no match; an empty query matches everywhere. */
export function findMatch(text: string, query: string): readonly (readonly [number, number])[] | null {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const folded = fold(text);
  const found: [number, number][] = [];
  for (const word of words) {
    const at = folded.indexOf(word);
    if (at < 0) return null;
    found.push([at, at + word.length]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}

/** Lower case without accents, one character for one, so that places stay places. */
function fold(text: string): string {
  return Array.from(text, (char) => {
    const bare = char.normalize("NFD").charAt(0).toLowerCase();
    return bare.length === char.length ? bare : char;
  }).join("");
}

/** Cuts a text into plain and matching pieces. */
export function pieces(text: string, places: readonly (readonly [number, number])[]): { text: string; hit: boolean }[] {
  const cut: { text: string; hit: boolean }[] = [];
  let at = 0;
  for (const [start, end] of places) {
    if (start < at) continue;
    if (start > at) cut.push({ text: text.slice(at, start), hit: false });
    cut.push({ text: text.slice(start, end), hit: true });
    at = end;
  }
  if (at < text.length) cut.push({ text: text.slice(at), hit: false });
  return cut;
}
