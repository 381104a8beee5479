/** The model's thinking as a step: how long it lasts or lasted, its words one click away. */
import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useNow } from "../clock";
import { seconds } from "../format";
import { t } from "../i18n";
import { Icon, Spinner } from "../icons/Icon";
import type { LiveText } from "../live";
import type { BlockView } from "../message";
import { GrowingText } from "./GrowingText";

export function Thinking({ view, open }: { view: BlockView; open: boolean }): JSX.Element {
  const block = view.block.value;
  const writing = open && !view.live.ended.value;
  const now = useNow(writing);
  const [shown, setShown] = useState(false);
  const durationMs = block.type === "thinking" ? block.duration_ms : null;
  const title = writing
    ? t("thinking.now", { time: seconds(now - (view.startedMs ?? now)) })
    : durationMs === null
      ? t("thinking.done")
      : t("thinking.doneIn", { time: seconds(Math.max(1000, durationMs)) });
  return (
    <details
      class="step thinking"
      data-testid="thinking"
      data-state={writing ? "running" : "done"}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span class="sign">{writing ? <Spinner /> : <Icon name="thought" />}</span>
        <span class={writing ? "grow now" : "grow"}>{title}</span>
        <Icon name="chev-r" class="chev" />
      </summary>
      {shown && <Words live={view.live} />}
    </details>
  );
}

/** Reads the text only while it is open, so that a storm of hidden thinking costs nothing. */
function Words({ live }: { live: LiveText }): JSX.Element {
  const empty = useComputed(() => live.changed.value >= 0 && live.length === 0);
  return <div class="open">{empty.value ? t("thinking.hidden") : <GrowingText live={live} />}</div>;
}
