/** An opened tool row: the exact arguments, and the result with how much of it the model got. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { number } from "../format";
import { t } from "../i18n";
import { Button } from "../parts/Button";
import { CodeBlock } from "../parts/CodeBlock";
import { attachmentBytes } from "../pictures";
import { telling } from "../tellings";
import type { ToolCall, ToolResultBlock, Truncated } from "../wire";
import { written } from "./written";

export function ToolDetail({ call, result }: { call: ToolCall; result: ToolResultBlock | null }): JSX.Element {
  const raw = call.invalid?.raw ?? written(call.arguments);
  return (
    <div class="open">
      <CodeBlock
        wrap
        text={raw}
        language="json"
        label={call.invalid ? t("tool.invalid", { error: call.invalid.error }) : t("tool.arguments")}
      />
      {result && <Result result={result} />}
    </div>
  );
}

function Result({ result }: { result: ToolResultBlock }): JSX.Element {
  const [whole, setWhole] = useState<string | null>(null);
  const { truncated } = result;
  const label = truncated
    ? t("tool.resultCut", { kept: number(truncated.kept), chars: number(truncated.chars) })
    : result.is_error
      ? t("tool.error")
      : t("tool.result");
  const words = result.is_error ? telling(result.text) : null;
  return (
    <>
      {words && (
        <p class="told" data-testid="tool-told">
          {words}
        </p>
      )}
      <CodeBlock wrap text={whole ?? result.text} language={looksLikeJson(result.text) ? "json" : ""} label={label}>
        {truncated && whole === null && <ShowAll truncated={truncated} onText={setWhole} />}
      </CodeBlock>
    </>
  );
}

function ShowAll({ truncated, onText }: { truncated: Truncated; onText: (text: string) => void }): JSX.Element {
  const [failed, setFailed] = useState<string | null>(null);
  const show = () =>
    attachmentBytes(truncated.ref)
      .then((bytes) => bytes.text())
      .then(onText, (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)));
  return (
    <Button kind="quiet" small onClick={show}>
      {failed ?? t("tool.showAll")}
    </Button>
  );
}

const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);
