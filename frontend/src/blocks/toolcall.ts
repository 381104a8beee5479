/** What a tool row says of its call: its state, its arguments in few words. */
import type { ToolRun } from "../conversation";
import type { ToolResultBlock } from "../wire";

export type CallState = "pending" | "approval" | "running" | "done" | "error" | "cancelled";

/** Results the backend gives to calls that a stop kept from running or cut off. */
const STOPPED = /^The user stopped the task /;
const MOST_WORDS = 300;

interface Known {
  result: ToolResultBlock | null;
  run: ToolRun | null;
  /** An approval is open for it. */
  asked: boolean;
  /** The task or the message it belongs to still goes on. */
  alive: boolean;
}

export function stateOf({ result, run, asked, alive }: Known): CallState {
  if (result) return !result.is_error ? "done" : STOPPED.test(result.text) ? "cancelled" : "error";
  if (asked) return "approval";
  if (run) return "running";
  return alive ? "pending" : "cancelled";
}

/** The arguments' values, one after the other: "sales-q3.xlsx, Orders". */
export function argumentWords(given: Record<string, unknown>): string {
  const words = Object.values(given).map(wordOf);
  return words.join(", ").replace(/\s+/g, " ").slice(0, MOST_WORDS);
}

/** A text as it is, a thing by its title, the rest as JSON. */
function wordOf(value: unknown): string {
  if (typeof value === "string") return value;
  const title = value && typeof value === "object" && "title" in value ? value.title : null;
  return typeof title === "string" && title ? title : JSON.stringify(value);
}

export const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";
