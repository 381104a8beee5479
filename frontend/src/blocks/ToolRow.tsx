/** A tool call as a row: state, server, tool and arguments at a glance; all of it when opened. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useNow } from "../clock";
import type { Conversation, ToolRun } from "../conversation";
import { bytes, clock, duration, percent } from "../format";
import { t } from "../i18n";
import { Icon, Spinner } from "../icons/Icon";
import type { IconName } from "../icons/names";
import { Markdown } from "../markdown/Markdown";
import type { BlockView } from "../message";
import type { ToolCall, ToolResultBlock } from "../wire";
import { Links } from "./Links";
import { ToolDetail } from "./ToolDetail";
import { argumentWords, type CallState, firstLine, stateOf } from "./toolcall";

interface ToolRowProps {
  conversation: Conversation;
  view: BlockView;
  /** Whether its message is still being written. */
  open: boolean;
}

const signs: Record<CallState, IconName | null> = {
  pending: "todo",
  approval: "hand",
  running: null,
  done: "check",
  error: "x",
  cancelled: "minus",
};

export function ToolRow({ conversation, view, open }: ToolRowProps): JSX.Element | null {
  const call = view.block.value;
  const [shown, setShown] = useState(false);
  if (call.type !== "tool_call") return null;
  const result = conversation.results.value.get(call.id) ?? null;
  const run = conversation.runs.value.get(call.id) ?? null;
  const asked = conversation.approvals.value.some(
    ({ call: waiting, folder }) => waiting.id === call.id || (folder !== null && waiting.id.startsWith(`${call.id}#`)),
  );
  const alive = open || conversation.running.value !== null;
  const state = stateOf({ result, run, asked, alive });
  const sign = signs[state];
  const row = (
    <details
      class="step tool-step"
      data-testid="tool-call"
      data-tool={call.name}
      data-call-id={call.id}
      data-state={state}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span class="sign">{sign ? <Icon name={sign} /> : <Spinner />}</span>
        <span class="sr-only">{t(`tool.${state}`)}</span>
        {call.server && <span>{call.server}</span>}
        <code>{call.tool ?? call.name}</code>
        <Words call={call} state={state} result={result} run={run} writing={open && !view.live.ended.value} />
        <Figures state={state} result={result} run={run} />
        <Icon name="chev-r" class="chev" />
      </summary>
      {shown && <ToolDetail call={call} result={result} />}
    </details>
  );
  if (!result?.for_user && !result?.links.length) return row;
  return (
    <>
      {row}
      {result.for_user && (
        <div class="for-user" data-testid="for-user">
          <Markdown small source={result.for_user} server={call.server ?? undefined} />
        </div>
      )}
      {result.links.length > 0 && <Links server={call.server ?? ""} links={result.links} />}
    </>
  );
}

interface WordsProps {
  call: ToolCall;
  state: CallState;
  result: ToolResultBlock | null;
  run: ToolRun | null;
  writing: boolean;
}

function Words({ call, state, result, run, writing }: WordsProps): JSX.Element {
  const plain = argumentWords(call.arguments);
  if (writing) return <span class="arg cut grow">{t("tool.writing")}</span>;
  if (state === "approval") return <span class="arg cut grow now">{t("tool.approval")}</span>;
  if (state === "error") return <span class="arg cut grow why">{firstLine(result?.text ?? "") || plain}</span>;
  if (state === "cancelled") return <span class="arg cut grow">{t("tool.cancelled")}</span>;
  if (run?.message) return <span class="arg cut grow now">{run.message}</span>;
  return <span class={`arg cut grow${state === "running" ? " now" : ""}`}>{plain}</span>;
}

function Figures({
  state,
  result,
  run,
}: {
  state: CallState;
  result: ToolResultBlock | null;
  run: ToolRun | null;
}): JSX.Element {
  const busy = state === "running" && run !== null;
  const now = useNow(busy);
  if (busy) {
    const share = run.total && run.progress !== null ? Math.min(1, run.progress / run.total) : null;
    return (
      <>
        {share !== null && <progress value={share} max={1} aria-label={t("tool.progress")} />}
        {share !== null && <span class="meta">{percent(share)}</span>}
        <span class="meta">{seconds(Math.max(0, now - run.startedMs))}</span>
      </>
    );
  }
  const size = result ? (result.truncated?.chars ?? result.text.length) : 0;
  return (
    <>
      {state === "done" && size > 0 && <span class="meta">{bytes(size)}</span>}
      {result?.duration_ms !== null && result !== null && <span class="meta">{duration(result.duration_ms)}</span>}
    </>
  );
}

const seconds = (ms: number): string => (ms < 60_000 ? duration(Math.max(1000, ms)) : clock(ms));
