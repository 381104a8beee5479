/** Takes the backend's sentences about trouble apart: what happened, and what helps. */

/** The first sentence and the rest; a full stop inside a name or path ends nothing. */
export function causeAndCure(message: string): { cause: string; cure: string } {
  const end = /[.!?…]["”»)]?\s+(?=["“«(¿¡]?\p{Lu})/u.exec(message);
  if (!end) return { cause: message.trim(), cure: "" };
  const at = end.index + end[0].length;
  return { cause: message.slice(0, at).trim(), cure: message.slice(at).trim() };
}

/** What "Copy report" copies: everything known about the trouble, in plain text. */
export const reportText = (title: string, message: string, detail: string | null, command: string): string =>
  [title, command, message, detail ?? ""].filter((line) => line !== "").join("\n");

/** The lines of a unified or signed difference, without its file and hunk heads. */
export function diffLines(changes: string): { sign: "+" | "-" | " "; text: string }[] {
  return changes
    .split("\n")
    .filter((line) => line !== "" && !/^(?:---|\+\+\+|@@)(?:\s|$)/.test(line))
    .map((line) => {
      const sign = line.startsWith("+") ? "+" : line.startsWith("-") ? "-" : " ";
      return { sign, text: /^[+\- ]/.test(line) ? line.slice(1).replace(/^ /, "") : line };
    });
}

export interface LogLine {
  /** Time of day of this computer, or empty. */
  time: string;
  text: string;
  level: "error" | "warning" | "plain";
}

const STAMP = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?\s+(?:(\w+): )?/;

/** A line of a server's log. Its stamps are UTC; `now` gives the day's offset. */
export function logLine(line: string, now: Date): LogLine {
  const found = STAMP.exec(line);
  const text = found ? line.slice(found[0].length) : line;
  const source = found?.[4];
  return {
    time: found ? localTime(now, Number(found[1]), Number(found[2]), Number(found[3])) : "",
    text: source && source !== "host" ? `${source}: ${text}` : text,
    level: /\b(?:error|fatal|critical|alert|emergency|exception|traceback|panic)\b/i.test(text)
      ? "error"
      : /\b(?:warn(?:ing)?|refused|denied)\b/i.test(text)
        ? "warning"
        : "plain",
  };
}

function localTime(now: Date, hours: number, minutes: number, seconds: number): string {
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hours, minutes, seconds));
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
