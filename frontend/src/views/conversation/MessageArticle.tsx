/** One message: a bubble, a chip from a card, or an answer with its steps, text and cards. */
import { useComputed } from "@preact/signals";
import type { FunctionComponent, JSX } from "preact";
import { AttachedFile, AttachedImage } from "../../blocks/Attachment";
import { CardSlot } from "../../blocks/CardSlot";
import { Thinking } from "../../blocks/Thinking";
import { ToolRow } from "../../blocks/ToolRow";
import { UiCommandRow } from "../../blocks/UiCommandRow";
import type { Conversation } from "../../conversation";
import { t } from "../../i18n";
import { Markdown } from "../../markdown/Markdown";
import type { BlockView, MessageView } from "../../message";
import type { Block } from "../../wire";
import { AnswerFoot } from "./AnswerFoot";
import { FromPrompt } from "./FromPrompt";
import { Summary } from "./Summary";
import { UserMessage } from "./UserMessage";

export interface BlockProps {
  conversation: Conversation;
  message: MessageView;
  view: BlockView;
}

type Views = { [T in Block["type"]]: FunctionComponent<BlockProps> };

/** One view for each type of block; a type without one does not compile. */
const views: Views = {
  text: TextBlock,
  thinking: ({ message, view }) => <Thinking view={view} open={message.open.value} />,
  tool_call: ({ conversation, message, view }) => (
    <ToolRow conversation={conversation} view={view} open={message.open.value} />
  ),
  tool_result: () => null, // drawn in the row of its call
  card: ({ conversation, message, view: { block } }) =>
    block.value.type === "card" ? (
      <CardSlot conversation={conversation} messageId={message.id} block={block.value} />
    ) : null,
  ui_command: ({ view: { block } }) =>
    block.value.type === "ui_command" ? <UiCommandRow block={block.value} /> : null,
  image: ({ view: { block } }) => (block.value.type === "image" ? <AttachedImage block={block.value} /> : null),
  file: ({ view: { block } }) => (block.value.type === "file" ? <AttachedFile block={block.value} /> : null),
};

const STEPS: ReadonlySet<Block["type"]> = new Set(["thinking", "tool_call", "ui_command"]);

/** Results are drawn in the rows of their calls; thinking and text that came to nothing are left out. */
function isHidden({ block, live }: BlockView): boolean {
  const { type } = block.value;
  if (type === "tool_result") return true;
  return (type === "thinking" || type === "text") && live.ended.value && !live.parts.some(Boolean);
}

interface MessageArticleProps {
  conversation: Conversation;
  message: MessageView;
  /** How it stands to the message before: the same answer going on, with steps touching steps, or a new turn. */
  joined: "steps" | "answer" | "none";
  /** The last message of an answer carries the foot. */
  foot: boolean;
  /** The id of the answer's first message: the alternatives of an answer stand there. */
  answer: string;
  last: boolean;
}

export function MessageArticle({
  conversation,
  message,
  joined,
  foot,
  answer,
  last,
}: MessageArticleProps): JSX.Element {
  if (message.message.value.covers) return <Summary conversation={conversation} message={message} />;
  if (message.role === "user") return <UserMessage conversation={conversation} message={message} last={last} />;
  return (
    <article
      class="msg"
      data-testid="message"
      data-role={message.role}
      data-message-id={message.id}
      data-joined={joined}
      aria-label={message.role === "assistant" ? t("message.answer") : undefined}
      aria-busy={message.open.value || undefined}
    >
      {message.message.value.origin?.prompt && <FromPrompt origin={message.message.value.origin} />}
      {groups(message.blocks.value).map(({ steps, views: run }) => {
        const drawn = run.map((view) => (
          <BlockSlot key={view.key} conversation={conversation} message={message} view={view} />
        ));
        return steps ? (
          <div key={run[0]?.key} class="steps">
            {drawn}
          </div>
        ) : (
          drawn
        );
      })}
      {foot && <AnswerFoot conversation={conversation} message={message} answer={answer} />}
    </article>
  );
}

/** A task's end without a word of the model's: the sentence in its place is ours. */
const UNCLOSED = "no_closing";

/** Drawn from its first character on; what comes after it is the renderer's alone. */
function TextBlock({ message, view: { live } }: BlockProps): JSX.Element | null {
  const begun = useComputed(() => live.changed.value > 0 || live.parts.length > 0);
  if (message.message.value.stop_detail === UNCLOSED) {
    return live.text.trim() ? <Markdown source={t("said.task.noClosing")} /> : null;
  }
  return begun.value ? <Markdown source={live} /> : null;
}

function BlockSlot(props: BlockProps): JSX.Element {
  const View = views[props.view.block.value.type];
  return <View {...props} />;
}

/** Neighbouring steps stand together, joined by a hairline. */
function groups(blocks: readonly BlockView[]): { steps: boolean; views: BlockView[] }[] {
  const runs: { steps: boolean; views: BlockView[] }[] = [];
  for (const view of blocks) {
    if (isHidden(view)) continue;
    const steps = STEPS.has(view.block.value.type);
    const run = runs.at(-1);
    if (run?.steps === steps) run.views.push(view);
    else runs.push({ steps, views: [view] });
  }
  return runs;
}

/** Whether a message begins or ends with a step, for joining it to its neighbour. */
export function edges(message: MessageView): { first: boolean; last: boolean; empty: boolean } {
  const seen = message.blocks.value.filter((view) => !isHidden(view));
  const is = (view: BlockView | undefined) => view !== undefined && STEPS.has(view.block.value.type);
  return { first: is(seen[0]), last: is(seen.at(-1)), empty: seen.length === 0 };
}
