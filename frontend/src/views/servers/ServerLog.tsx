/** The last lines of a server's log: what it wrote to stderr and what was seen of its life. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { IconButton } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import type { ServerInfo } from "../../wire";
import { logOf } from "./deeds";
import { logLine } from "./report";

const SHORT = 12;

/** Read anew whenever the server's state changes, and by hand. */
export function ServerLog({ server }: { server: ServerInfo }): JSX.Element {
  const [lines, setLines] = useState<readonly string[] | null>(null);
  const [asked, setAsked] = useState(0);
  const [whole, setWhole] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // a new state or a press means new lines
  useEffect(() => {
    let late = false;
    logOf(server.name).then((read) => {
      if (!late) setLines(read);
    });
    return () => {
      late = true;
    };
  }, [server.name, server.state, server.started_ms, asked]);
  // the newest lines are below
  useEffect(() => box.current?.scrollTo?.(0, box.current.scrollHeight), [lines, whole]);
  const shown = whole ? lines : lines?.slice(-SHORT);
  const now = new Date();
  return (
    <section class="part">
      <div class="head">
        <h3>{t("servers.log")}</h3>
        <span class="grow" />
        {lines && lines.length > SHORT && (
          <button type="button" class="btn quiet small" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? t("servers.logShort") : t("servers.logWhole")}
          </button>
        )}
        <CopyButton text={() => (lines ?? []).join("\n")} label={t("servers.logCopy")} />
        <IconButton icon="redo" label={t("servers.logAgain")} onClick={() => setAsked(asked + 1)} />
      </div>
      {lines?.length === 0 && <p class="muted">{t("servers.logEmpty")}</p>}
      {shown && shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keys
        <div ref={box} class={`log${whole ? " whole" : ""}`} role="log" aria-label={t("servers.log")} tabIndex={0}>
          {shown.map((line, at) => {
            const { time, text, level } = logLine(line, now);
            return (
              <div key={at} data-level={level}>
                <span>{time}</span>
                <span>{text}</span>
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
}
