/** Short notices: `toast({...})` from anywhere; they leave by themselves, errors stay until closed. */
import { signal } from "@preact/signals";
import type { IconName } from "../icons/names";

export type Tone = "info" | "success" | "warning" | "error";

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface ToastSpec {
  text: string;
  tone?: Tone;
  icon?: IconName;
  action?: ToastAction | undefined;
  /** Milliseconds on show; null stays until closed. Left out: 3 s, 8 s with an action, errors stay. */
  duration?: number | null | undefined;
  /** What it is about: it takes the place of one about the same. Left out: of one that says the same and offers nothing. */
  kind?: string;
}

export interface Toast extends ToastSpec {
  id: number;
  tone: Tone;
  duration: number | null;
  /** When it first was on show: another page that draws it goes on counting from there. */
  sinceMs: number;
}

const PLAIN_MS = 3000;
const ACTION_MS = 8000;
const MOST_SHOWN = 4;

/** What is on show, oldest first. */
export const toasts = signal<readonly Toast[]>([]);
let last = 0;

function lifetime(spec: ToastSpec): number | null {
  if (spec.duration !== undefined) return spec.duration;
  if (spec.tone === "error") return null;
  return spec.action ? ACTION_MS : PLAIN_MS;
}

const tells = (shown: Toast, next: Toast): boolean =>
  shown.kind === next.kind &&
  (next.kind !== undefined || (shown.text === next.text && shown.tone === next.tone && !shown.action && !next.action));

/** Shows a notice and returns its id; one about the same gives way, and the oldest when there are more than four. */
export function toast(spec: ToastSpec): number {
  last += 1;
  const shown: Toast = { ...spec, id: last, tone: spec.tone ?? "info", duration: lifetime(spec), sinceMs: Date.now() };
  toasts.value = [...toasts.value.filter((each) => !tells(each, shown)), shown].slice(-MOST_SHOWN);
  return last;
}

/** Takes a notice away. */
export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}
