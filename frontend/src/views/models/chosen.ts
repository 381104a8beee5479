/** Which model answers: of a conversation, or of new ones; and choosing another. */
import { settingOf } from "../../desk";
import { ask } from "../../socket";
import type { ConversationInfo } from "../../wire";
import { done } from "../settings/tried";
import { DEMO, providers, readProviders } from "./catalog";
import type { Picked } from "./choices";

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Provider and model of new conversations; an empty model is the provider's own choice. */
export function defaultChoice(): Picked {
  const provider = text(settingOf("model.provider")) ?? DEMO;
  return { provider, model: text(settingOf("model.model")) ?? savedModel(provider) };
}

/** What answers in this conversation; null: in the next new one. */
export function chosenIn(conversation: ConversationInfo | null): Picked {
  const fallback = defaultChoice();
  if (!conversation?.provider) return conversation?.model ? { ...fallback, model: conversation.model } : fallback;
  return { provider: conversation.provider, model: conversation.model ?? savedModel(conversation.provider) };
}

/** Marks a model as a favourite, or takes the mark away; a refusal is shown. */
export async function setFavourite({ provider, model }: Picked, favourite: boolean): Promise<void> {
  const before = providers.value?.find(({ name }) => name === provider)?.favourites ?? [];
  const favourites = favourite ? [...before, model] : before.filter((id) => id !== model);
  if (await done(ask({ type: "provider_save", name: provider, favourites }))) await done(readProviders());
}

const savedModel = (provider: string): string => providers.value?.find(({ name }) => name === provider)?.model ?? "";

/** Sets the model of a conversation, or of new ones; a refusal is shown. */
export async function choose(conversation: ConversationInfo | null, picked: Picked): Promise<boolean> {
  if (conversation)
    return done(ask({ type: "set_conversation", conversation_id: conversation.id, options: { ...picked } }));
  return (
    (await done(ask({ type: "set_setting", name: "model.provider", value: picked.provider }))) &&
    (await done(ask({ type: "set_setting", name: "model.model", value: picked.model })))
  );
}
