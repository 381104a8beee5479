/** The foot of an answer: copy, again, branch, alternatives; then who answered, when, and what it took. */
import type { JSX } from "preact";
import type { Conversation } from "../../conversation";
import { cost, number, time } from "../../format";
import { t } from "../../i18n";
import type { MessageView } from "../../message";
import { openConversation } from "../../opening";
import { IconButton } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { complain } from "../../parts/complain";
import { ask } from "../../socket";
import type { Message } from "../../wire";
import { SiblingWalker } from "./SiblingWalker";

export function AnswerFoot({
  conversation,
  message,
  answer,
}: {
  conversation: Conversation;
  message: MessageView;
  /** The id of the answer's first message. */
  answer: string;
}): JSX.Element {
  const whole = message.message.value;
  const of = { conversation_id: conversation.id, message_id: message.id };
  const branch = async () => {
    try {
      openConversation((await ask({ type: "branch", ...of })).conversation_id);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <div class="msg-foot">
      <CopyButton text={() => textOf(whole)} label={t("message.copy")} />
      <IconButton
        icon="redo"
        label={t("message.again")}
        testid="regenerate"
        onClick={() => ask({ type: "regenerate", ...of }).catch(complain)}
      />
      <IconButton icon="branch" label={t("message.branch")} testid="branch" onClick={branch} />
      <SiblingWalker conversation={conversation} messageId={answer} />
      <span class="meta cut">{facts(whole).join(" · ")}</span>
    </div>
  );
}

const textOf = (message: Message): string =>
  message.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");

/** What is known of the answer; what is not known is left out. */
function facts(message: Message): string[] {
  const said: string[] = [];
  if (message.provider === "demo") said.push(t("models.demoShort"));
  else if (message.model) said.push(message.model);
  said.push(time(new Date(message.created_ms)));
  const tokens = (message.usage?.input_tokens ?? 0) + (message.usage?.output_tokens ?? 0);
  if (tokens > 0) said.push(t("status.tokens", { count: tokens, tokens: number(tokens) }));
  if (message.usage?.cost) said.push(cost(message.usage.cost));
  return said;
}
