/** Makes visible what a command may hide: control, format and direction characters, odd and outer spaces. */

export interface Piece {
  text: string;
  /** The character is not to be seen by itself; `text` names it. */
  hidden: boolean;
}

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Cuts a text into what can be read as it is and the names of what cannot: "U+202E". Outer spaces count as hidden. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  const inner = text.trimStart().length === 0 ? text.length : text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  let at = 0;
  for (const char of text) {
    const outer = char === " " && (at < inner || at >= end);
    if (outer || HIDDEN.test(char)) found.push({ text: nameOf(char), hidden: true });
    else append(found, char);
    at += char.length;
  }
  return found;
}

/** True if something in the text could mislead the eye. */
export const hidesSomething = (text: string): boolean => pieces(text).some(({ hidden }) => hidden);

const nameOf = (char: string): string =>
  char === " " ? "␣" : `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function append(found: Piece[], char: string): void {
  const last = found.at(-1);
  if (last && !last.hidden) last.text += char;
  else found.push({ text: char, hidden: false });
}
