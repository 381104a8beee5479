/** Seconds that pass, for whoever shows them; the clock stands still while nobody looks. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const now = signal(Date.now());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function watch(): () => void {
  watchers += 1;
  if (watchers === 1) {
    now.value = Date.now();
    timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
  }
  return () => {
    watchers -= 1;
    if (watchers === 0) clearInterval(timer);
  };
}

/** The present time in milliseconds, anew every second while `running`. */
export function useNow(running: boolean): number {
  useEffect(() => (running ? watch() : undefined), [running]);
  if (!running) return 0;
  now.value; // subscribes
  return Date.now();
}
