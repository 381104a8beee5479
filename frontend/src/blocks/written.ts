/** The values of a call as a person reads them: JSON, spread over lines only where it is too long for one. */

const WIDTH = 80;
/** A longer text is spread by the engine itself: what is nested without end would take ours too long. */
const MOST = 4000;

/** `column`: where on its line it begins. */
export function written(value: unknown, column = 0): string {
  if ((JSON.stringify(value) ?? "").length > MOST) return JSON.stringify(value, null, 2);
  return spread(value, column, "");
}

function spread(value: unknown, column: number, indent: string): string {
  const line = inOneLine(value);
  if (column + line.length <= WIDTH || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => spread(each, inner.length, inner))
    : Object.entries(value).map(([key, each]) => {
        const name = `${JSON.stringify(key)}: `;
        return name + spread(each, inner.length + name.length, inner);
      });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const pairs = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${inOneLine(each)}`);
  return `{${pairs.join(", ")}}`;
}
