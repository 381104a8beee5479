/** Whether a provider can answer, and in words what is missing. */
import { t } from "../../i18n";
import type { ProviderInfo } from "../../wire";
import { isDemo, isUsable, localListing } from "./catalog";

/** True where a request would be answered; a model server on this computer has to be there. */
export function answers(provider: ProviderInfo): boolean {
  if (!provider.local || isDemo(provider)) return isUsable(provider);
  const found = localListing.value;
  return found !== null && found !== "loading" && found.models.some((model) => model.provider === provider.name);
}

/** Where the key comes from, or what is missing, in words. */
export function keyWords(provider: ProviderInfo): string {
  if (isDemo(provider)) return t("models.demo");
  if (provider.local) return t(answers(provider) ? "models.running" : "models.notRunning");
  if (provider.key_from === "stored") return t("models.keyStored");
  if (provider.key_from === "environment") return t("models.keyFrom", { name: provider.key_variable ?? "" });
  if (!provider.needs_key) return provider.base_url ? t("models.noKeyNeeded") : t("models.noAddress");
  return t("models.noKey");
}
