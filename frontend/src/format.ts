/** Numbers, sizes, times and costs as words of the person's locale. Unknown is never written as 0: callers leave it out. */
import { locale } from "./i18n";

const NBSP = "\u00a0";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const cache = new Map<string, Intl.NumberFormat>();
const moments = new Map<string, Intl.DateTimeFormat>();

/** Formats are kept: to make one costs more than to use it a hundred times. */
function dated(at: Date, options: Intl.DateTimeFormatOptions): string {
  const key = locale.value + JSON.stringify(options);
  const format = moments.get(key) ?? new Intl.DateTimeFormat(locale.value, options);
  moments.set(key, format);
  return format.format(at);
}

function digits(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = locale.value + JSON.stringify(options);
  const format = cache.get(key) ?? new Intl.NumberFormat(locale.value, options);
  cache.set(key, format);
  return format.format(value);
}

/** 12480 as "12,480". */
export const number = (value: number): string => digits(value);

/** A share of 0..1 as "18%". */
export const percent = (share: number): string => digits(share, { style: "percent", maximumFractionDigits: 0 });

/** Bytes as "512 B", "1.7 kB", "184 kB", "2.3 MB" (powers of 1000). */
export function bytes(count: number): string {
  if (count < 1000) return `${digits(count)}${NBSP}B`;
  const power = Math.min(3, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** power;
  return `${digits(value, { maximumFractionDigits: value < 10 ? 1 : 0 })}${NBSP}${["B", "kB", "MB", "GB"][power]}`;
}

/** Milliseconds as "3 ms", "0.8 s", "14 s", "2:05". */
export function duration(ms: number): string {
  if (ms < 100) return `${digits(Math.round(ms))}${NBSP}ms`;
  if (ms < 10_000) return `${digits(ms / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}${NBSP}s`;
  if (ms < MINUTE_MS) return seconds(ms);
  return clock(ms);
}

/** Milliseconds as whole seconds, "6 s"; from a minute on as "1:05". */
export function seconds(ms: number): string {
  return ms < MINUTE_MS ? `${digits(Math.floor(ms / 1000))}${NBSP}s` : clock(ms);
}

/** Milliseconds as minutes and seconds, "0:42". */
export function clock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A count of tokens for a limit: 200000 as "200K" in the locale's short form. */
export const compact = (value: number): string => digits(value, { notation: "compact", maximumFractionDigits: 1 });

/** US dollars as "$0.056": three places under a dollar, two from there on. */
export const cost = (dollars: number): string =>
  digits(dollars, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: dollars < 1 && dollars > 0 ? 3 : 2,
    maximumFractionDigits: dollars < 1 && dollars > 0 ? 3 : 2,
  });

/** The time of day, "14:02". */
export const time = (at: Date): string => dated(at, { hour: "numeric", minute: "2-digit" });

/** When something was, as short as a list allows: today "14:02", this week "Mon", else "21 Nov", else with the year. */
export function when(at: Date, now: Date = new Date()): string {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (at.getTime() >= midnight) return time(at);
  const options: Intl.DateTimeFormatOptions =
    at.getTime() >= midnight - 6 * DAY_MS
      ? { weekday: "short" }
      : at.getFullYear() === now.getFullYear()
        ? { day: "numeric", month: "short" }
        : { day: "numeric", month: "short", year: "numeric" };
  return dated(at, options);
}

/** Date and time in full, for titles and exports. */
export const moment = (at: Date): string => dated(at, { dateStyle: "medium", timeStyle: "short" });
