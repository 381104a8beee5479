/** Reads a command as a person types it: which program, and exactly which arguments it gets. */

const SPACE = /\s/;
const QUOTES = "\"'";
/** A whole path to a Windows program may hold spaces without being quoted. */
const PROGRAM_PATH = /^(?:[a-z]:[\\/]|\\\\|~?[\\/]|\.{1,2}[\\/])[^"']*\.(?:exe|cmd|bat|com)$/i;

export interface Split {
  words: string[];
  /** A quote was opened and never closed; its text is taken to the end. */
  unclosed: boolean;
}

/**
 * Splits a line into words as shells do for plain words and quotes, and does nothing else: no variables, no globs.
 * A backslash only escapes a quote or a space, so that Windows paths stay as they are.
 */
export function splitCommand(text: string): Split {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === "\\" && next && (quote ? next === quote : QUOTES.includes(next) || next === " ")) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote) {
      if (char === quote) quote = "";
      else word += char;
    } else if (QUOTES.includes(char)) {
      quote = char;
      word ??= "";
    } else if (SPACE.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (word !== null) words.push(word);
  return { words, unclosed: quote !== "" };
}

/**
 * Several lines are one argument each, as they stand; one line is split like a command.
 * A line that is a JSON string stands for what it says, so that every argument can be written.
 */
export function readArguments(text: string): Split {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 && !text.trim().includes("\n")) {
    const only = (lines[0] ?? "").trim();
    const quoted = jsonString(only);
    return quoted === null ? splitCommand(only) : { words: [quoted], unclosed: false };
  }
  return { words: lines.map((line) => jsonString(line.trim()) ?? line.trim()), unclosed: false };
}

/** The text for the arguments' field that reads back as exactly these arguments. */
export function writeArguments(words: readonly string[]): string {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return needsQuotes(only) ? JSON.stringify(only) : only;
  return words.map((word) => (plainLine(word) ? word : JSON.stringify(word))).join("\n");
}

/** The program, and arguments typed along with it: "npx -y thing" is the program "npx" and two arguments. */
export function readCommand(text: string): Split {
  const whole = text.trim();
  if (PROGRAM_PATH.test(whole)) return { words: [whole], unclosed: false };
  return splitCommand(whole);
}

/** The text for the command's field that reads back as exactly this program. */
export const writeCommand = (program: string): string =>
  readCommand(program).words.length === 1 && readCommand(program).words[0] === program
    ? program
    : `"${program.replaceAll('"', '\\"')}"`;

/** A command on one line for people: words that need it are quoted. */
export const commandLine = (words: readonly string[]): string =>
  words.map((word) => (needsQuotes(word) ? JSON.stringify(word) : word)).join(" ");

const needsQuotes = (word: string): boolean => word === "" || /[\s"'\\$&|;<>()`*?]/.test(word);

const plainLine = (word: string): boolean =>
  word !== "" && word.trim() === word && !/[\r\n]/.test(word) && jsonString(word) === null;

function jsonString(line: string): string | null {
  if (line.length < 2 || !line.startsWith('"') || !line.endsWith('"')) return null;
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === "string" ? read : null;
  } catch {
    return null;
  }
}
