/** A trial start: the button, the wait, and what came of it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../format";
import { t } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { allWorded } from "../../sayings";
import type { ServerReport } from "../../wire";
import { wordsOf } from "../settings/tried";
import { Cure } from "./Cure";
import { Install } from "./Remedies";
import { eraWords } from "./words";

export type Outcome = "running" | ServerReport | null;

/** Runs trials one at a time; what ends after another began, or after `clear`, is forgotten. */
export function useTrial(): { outcome: Outcome; run: (start: () => Promise<ServerReport>) => void; clear: () => void } {
  const [outcome, setOutcome] = useState<Outcome>(null);
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current = -1;
    },
    [],
  );
  const clear = () => {
    turn.current += 1;
    setOutcome(null);
  };
  const run = async (start: () => Promise<ServerReport>) => {
    turn.current += 1;
    const mine = turn.current;
    setOutcome("running");
    const report = await start().catch(
      (error: unknown): ServerReport => ({
        ok: false,
        message: wordsOf(error),
        said: [],
        detail: null,
        tools: [],
        duration_ms: 0,
        steps: [],
        protocol: null,
        era: null,
        version: null,
        unclean: 0,
        remedies: [],
      }),
    );
    if (turn.current === mine) setOutcome(report);
  };
  return { outcome, run, clear };
}

export function TestButton({ outcome, onClick }: { outcome: Outcome; onClick: () => void }): JSX.Element {
  return (
    <Button icon="play" testid="server-test" disabled={outcome === "running"} onClick={onClick}>
      {outcome === null ? t("servers.test") : t("servers.testAgain")}
    </Button>
  );
}

/** Nothing, a line while it runs, a line when it worked, a box with cause and cure when not. */
export function TrialOutcome({ outcome }: { outcome: Outcome }): JSX.Element | null {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome !== null) box.current?.scrollIntoView?.({ block: "nearest" });
  }, [outcome]);
  return (
    <div ref={box} class="outcome" hidden={outcome === null}>
      <Told outcome={outcome} />
    </div>
  );
}

function Told({ outcome }: { outcome: Outcome }): JSX.Element | null {
  if (outcome === null) return null;
  if (outcome === "running") {
    return (
      <p class="trial" role="status">
        <Spinner /> {t("servers.testing")}
      </p>
    );
  }
  if (!outcome.ok) {
    return (
      <div role="alert" data-testid="server-report" data-ok="false">
        <Steps report={outcome} />
        <Cure message={allWorded(outcome.message, outcome.said)} detail={outcome.detail} open>
          {outcome.remedies
            .filter(({ kind }) => kind === "install")
            .map(({ value }) => (
              <Install key={value} command={value} />
            ))}
        </Cure>
      </div>
    );
  }
  return (
    <div class="trial-ok" role="status" data-testid="server-report" data-ok="true">
      <p>
        <Icon name="ok" /> <b>{t("servers.testOk", { count: outcome.tools.length })}</b>{" "}
        <span class="muted num">{duration(outcome.duration_ms)}</span>
      </p>
      <Steps report={outcome} />
      {outcome.tools.length > 0 && (
        <p class="muted">
          <code>{outcome.tools.join(", ")}</code>
        </p>
      )}
    </div>
  );
}

const stepKeys = {
  resolve: "servers.step.resolve",
  start: "servers.step.start",
  handshake: "servers.step.handshake",
  tools: "servers.step.tools",
} as const;
const stepWord = (name: string): string => t(stepKeys[name as keyof typeof stepKeys] ?? "servers.step.start");

/** Each step with its time, then what it speaks. */
function Steps({ report }: { report: ServerReport }): JSX.Element | null {
  if (report.steps.length === 0) return null;
  return (
    <ol class="trial-steps" data-testid="server-steps">
      {report.steps.map(({ name, ok, ms }) => (
        <li key={name} data-ok={ok}>
          <Icon name={ok ? "ok" : "error"} /> {stepWord(name)} <span class="muted num">{duration(ms)}</span>
        </li>
      ))}
      {report.protocol && (
        <li class="muted">
          MCP <span class="num">{report.protocol}</span>
          {report.era && `, ${eraWords(report.era)}`}
          {report.version && `, ${t("servers.version", { version: report.version })}`}
        </li>
      )}
      {report.steps.some(({ name }) => name === "handshake") && (
        <li class="muted">
          {report.unclean > 0 ? t("servers.step.unclean", { count: report.unclean }) : t("servers.step.clean")}
        </li>
      )}
    </ol>
  );
}
