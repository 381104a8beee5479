/** Character references (`&amp;`, `&#35;`) as the characters they stand for; the browser knows them all. */

const REFERENCE = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/g;
const known = new Map<string, string>();
const area = document.createElement("textarea");

function decodeOne(reference: string): string {
  let char = known.get(reference);
  if (char === undefined) {
    area.innerHTML = reference; // a text-only element, and only ever one matched reference
    char = area.value;
    known.set(reference, char);
  }
  return char;
}

/** The text with its references decoded. */
export const decode = (text: string): string => (text.includes("&") ? text.replace(REFERENCE, decodeOne) : text);
