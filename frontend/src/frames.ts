/** Every frame of the backend finds its place: the conversation on show, the desk, a notice, a UI command. */
import { runAction } from "./actions/action";
import { runUiCommand } from "./actions/commands";
import { conversations, memoryChanges, servers, settings } from "./desk";
import { worded } from "./i18n";
import { materialChanged } from "./material";
import { openConversation, shown } from "./opening";
import { toast } from "./parts/toasts";
import { offerMemory } from "./views/memory/offer";
import type { CardEvent, Frame, Notice, Said, Saying } from "./wire";

/** Takes one frame. */
export function takeFrame({ conversation_id, seq, event }: Frame): void {
  if (conversation_id !== null && shown.value?.id === conversation_id) shown.value.take(seq, event);
  takeEvent(event);
}

function takeEvent(event: Said): void {
  switch (event.type) {
    case "conversations_changed":
      conversations.value = event.conversations;
      return;
    case "conversation_changed":
      conversations.value =
        conversations.value?.map((row) => (row.id === event.conversation.id ? event.conversation : row)) ?? null;
      return;
    case "servers_changed":
      servers.value = event.servers;
      return;
    case "memory_changed":
      memoryChanges.value += 1;
      return;
    case "settings_changed":
      if (settings.value) settings.value = { ...settings.value, values: event.values };
      return;
    case "tool_start":
      return offerMemory(event.call);
    case "notice":
      toast({ tone: event.level, text: worded({ message: event.message, said: saidOf(event) }) });
      return;
    case "show_conversation":
      return openConversation(event.conversation_id);
    case "run_action":
      runAction(event.action);
      return;
    case "material_changed":
      return materialChanged(event);
    case "card_event":
      return announceCardEvent(event);
    case "ui_command":
      void runUiCommand(event);
      return;
  }
}

const saidOf = ({ key, params }: Notice): Saying | null =>
  key === null ? null : { key, with: params as Saying["with"] };

/** For whoever embeds the page. */
function announceCardEvent(event: CardEvent): void {
  const detail = { actionId: event.action_id, cardId: event.card_id, name: event.name, payload: event.payload };
  window.dispatchEvent(new CustomEvent("leochat:card-action", { detail }));
}
