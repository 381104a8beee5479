/** A card in the conversation: its buttons' states, pressing them, and the newer card that replaces it. */
import type { JSX } from "preact";
import { CardView } from "../cards/CardView";
import { type Conversation, cardKey } from "../conversation";
import { complain } from "../parts/complain";
import { scrollThread } from "../scrolling";
import { ask } from "../socket";
import type { CardBlock } from "../wire";

interface CardSlotProps {
  conversation: Conversation;
  messageId: string;
  block: CardBlock;
}

export function CardSlot({ conversation, messageId, block }: CardSlotProps): JSX.Element {
  const { card, server } = block;
  const newest = conversation.newestCards.value.get(`${server} ${card.id}`) ?? messageId;
  return (
    <CardView
      card={card}
      server={server}
      stateOf={(actionId) => conversation.cardStates.value.get(cardKey(messageId, card.id, actionId))}
      onAction={(action, inputs) =>
        ask({
          type: "card_action",
          conversation_id: conversation.id,
          message_id: messageId,
          card_id: card.id,
          action_id: action.id,
          inputs,
        }).catch(complain)
      }
      onNewer={newest === messageId ? undefined : () => void scrollThread(newest, null)}
    />
  );
}
