/** The line under the composer: what runs, who answers, what it took. What is unknown is left out. */
import type { JSX } from "preact";
import { useNow } from "../../clock";
import type { Conversation } from "../../conversation";
import { compact, cost, number, percent, seconds } from "../../format";
import { t } from "../../i18n";
import { Mark } from "../../icons/Icon";
import type { ConversationInfo } from "../../wire";
import { chosenIn } from "../models/chosen";

export function StatusLine({ conversation }: { conversation: Conversation | null }): JSX.Element {
  const info = conversation?.info.value ?? null;
  const { provider, model } = chosenIn(info);
  const demo = provider === "demo" || provider === "";
  return (
    <div class="stat" data-testid="status-line">
      {conversation && <Task conversation={conversation} />}
      <span class="cut">{demo ? t("status.demo") : model || provider}</span>
      {info && <Sums info={info} />}
      <span class="grow" />
      {info && <Context info={info} />}
    </div>
  );
}

function Task({ conversation }: { conversation: Conversation }): JSX.Element | null {
  const running = conversation.running.value;
  const waits =
    conversation.approvals.value.length +
      conversation.elicitations.value.length +
      conversation.samplings.value.filter(({ state }) => state !== "running").length >
    0;
  const now = useNow(running !== null);
  if (!running) return null;
  return (
    <span>
      <Mark size={16} awake />
      <b>{waits ? t("status.waiting") : t("status.round", { round: Math.max(1, running.round) })}</b>
      {!waits && <span class="num">{seconds(Math.max(0, now - running.startedMs))}</span>}
    </span>
  );
}

function Sums({ info: { usage } }: { info: ConversationInfo }): JSX.Element {
  const { input_tokens: input, output_tokens: output, cached_input_tokens: cached } = usage;
  return (
    <>
      {(input !== null || output !== null) && (
        <span class="wide-only">
          {input !== null && t("status.in", { tokens: number(input) })}
          {input !== null && output !== null && " · "}
          {output !== null && t("status.out", { tokens: number(output) })}
        </span>
      )}
      {input !== null && cached !== null && cached > 0 && (
        <span class="wide-only" title={t("status.cachedTokens", { tokens: number(cached), of: number(input) })}>
          {t("status.cached", { share: percent(Math.min(1, cached / input)) })}
        </span>
      )}
      {usage.cost !== null && <span>{cost(usage.cost)}</span>}
    </>
  );
}

function Context({ info: { context } }: { info: ConversationInfo }): JSX.Element | null {
  const { used, window } = context;
  if (used === null || window === null || window <= 0) return null;
  const share = Math.min(1, used / window);
  return (
    <span title={t("status.context", { used: number(used), window: number(window) })}>
      <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle class="track" cx="8" cy="8" r="6" />
        {share > 0 && (
          <circle
            class="share"
            cx="8"
            cy="8"
            r="6"
            pathLength="100"
            stroke-dasharray={`${Math.max(1, share * 100)} 100`}
          />
        )}
      </svg>
      {t("status.share", { share: percent(share), window: compact(window) })}
    </span>
  );
}
