/** A server's question to the model: all of it, which model, what it may cost, and the person's yes or no; then the answer. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { AttachedFile, AttachedImage } from "../../blocks/Attachment";
import { number, cost as price } from "../../format";
import { type Key, t } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { CodeBlock } from "../../parts/CodeBlock";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";
import type { AnswerSampling, Block, Message, Sampling, ToolCall } from "../../wire";

export function SamplingView({ sampling }: { sampling: Sampling }): JSX.Element {
  const { server, state, model, provider } = sampling;
  if (state === "running") {
    return (
      <div class="hint-row" role="status" data-testid="sampling" data-state={state}>
        <Spinner />
        <span class="grow">{t("sample.running", { server, model: model || provider })}</span>
      </div>
    );
  }
  return (
    <section class="ask" data-testid="sampling" data-state={state} aria-label={t("ask.label")}>
      <header>
        <span class="tile" data-tone="accent">
          <Icon name="hand" />
        </span>
        <div class="grow">
          <h2>{state === "asked" ? t("sample.title", { server }) : t("sample.answered", { server })}</h2>
          <p>{state === "asked" ? t("sample.lead") : t("sample.answeredLead")}</p>
        </div>
      </header>
      <div class="call">{state === "asked" ? <Question sampling={sampling} /> : <Answer sampling={sampling} />}</div>
      <Decide key={state} sampling={sampling} />
    </section>
  );
}

function Decide({ sampling: { request_id, server, state } }: { sampling: Sampling }): JSX.Element {
  const [sent, setSent] = useState(false);
  const [review, setReview] = useState(true);
  const decide = (decision: AnswerSampling["decision"]) => () => {
    setSent(true);
    ask({ type: "answer_sampling", request_id, decision, review }).catch((error: unknown) => {
      setSent(false);
      complain(error);
    });
  };
  if (state === "answered") {
    return (
      <footer>
        <Button kind="primary" testid="sampling-send" disabled={sent} onClick={decide("send")}>
          {t("sample.send", { server })}
        </Button>
        <span class="grow" />
        <Button kind="danger" testid="sampling-withhold" disabled={sent} onClick={decide("withhold")}>
          {t("sample.withhold")}
        </Button>
      </footer>
    );
  }
  return (
    <>
      <label class="checked review">
        <input
          type="checkbox"
          class="check"
          data-testid="sampling-review"
          checked={review}
          onChange={(event) => setReview(event.currentTarget.checked)}
        />
        <span>{t("sample.review")}</span>
      </label>
      <footer>
        <Button kind="primary" testid="sampling-once" disabled={sent} onClick={decide("once")}>
          {t("sample.once")}
        </Button>
        <Button testid="sampling-always" disabled={sent} onClick={decide("always")}>
          {t("sample.always", { server })}
        </Button>
        <span class="grow" />
        <Button kind="danger" testid="sampling-deny" disabled={sent} onClick={decide("deny")}>
          {t("sample.deny")}
        </Button>
      </footer>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Question({ sampling }: { sampling: Sampling }): JSX.Element {
  return (
    <>
      <dl class="facts">
        <Fact name={t("sample.model")}>
          {sampling.model || sampling.provider}{" "}
          <span class="muted">{sampling.model && sampling.model !== sampling.provider && sampling.provider}</span>
        </Fact>
        {sampling.hints.length > 0 && <Fact name={t("sample.wants")}>{sampling.hints.join(", ")}</Fact>}
        <Fact name={t("sample.cost")}>{costWords(sampling)}</Fact>
        {sampling.tools.length > 0 && (
          <Fact name={t("sample.tools")}>
            <code>{sampling.tools.join(", ")}</code>
          </Fact>
        )}
      </dl>
      {sampling.system && <Said label={t("sample.system")}>{sampling.system}</Said>}
      {sampling.messages.map((message) => (
        <Said key={message.id} label={t(roleKeys[message.role])}>
          {message.blocks.map((block, at) => (
            <Part key={at} block={block} />
          ))}
        </Said>
      ))}
    </>
  );
}

const roleKeys = {
  user: "sample.user",
  assistant: "sample.assistant",
  tool: "sample.tool",
} as const satisfies Record<Message["role"], Key>;

function costWords({ cost, input_tokens: used, max_tokens }: Sampling): string {
  const words = { tokens: number(used ?? 0), longest: number(max_tokens) };
  return cost === null ? t("sample.costUnknown", words) : t("sample.costKnown", { ...words, cost: price(cost) });
}

function Said({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="sampled">
      <span class="label">{label}</span>
      <div class="text">{children}</div>
    </div>
  );
}

function Part({ block }: { block: Block }): JSX.Element | null {
  if (block.type === "text" || block.type === "tool_result") return <>{block.text}</>;
  if (block.type === "image") return <AttachedImage block={block} />;
  if (block.type === "file") return <AttachedFile block={block} />;
  return block.type === "tool_call" ? <Call call={block} /> : null;
}

function Call({ call }: { call: ToolCall }): JSX.Element {
  return (
    <CodeBlock
      wrap
      language="json"
      label={t("sample.call", { tool: call.name })}
      text={JSON.stringify(call.arguments, null, 2)}
    />
  );
}

function Answer({ sampling }: { sampling: Sampling }): JSX.Element {
  return (
    <>
      {sampling.answer && <Said label={t("sample.answer")}>{sampling.answer}</Said>}
      {sampling.calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </>
  );
}
