/** The first time a model remembers something, the person is told once that it may go along with messages. */
import { openSettings, settingOf } from "../../desk";
import { t } from "../../i18n";
import { toast } from "../../parts/toasts";
import type { ToolCall } from "../../wire";
import { saveSetting } from "../settings/data";

const REMEMBERING = new Set(["create_entities", "add_observations", "create_relations"]);
const OFFERED = "memory.offered";
const LONG_MS = 12_000;

export function offerMemory({ server, tool }: ToolCall): void {
  if (server !== "memory" || !tool || !REMEMBERING.has(tool)) return;
  // not before the settings are known: an offer that may have been made is not made again
  if (settingOf(OFFERED) !== false || settingOf("memory.recall") !== false) return;
  saveSetting(OFFERED, true).catch(() => undefined); // told again the next time, no harm done
  toast({
    text: t("memory.offer"),
    icon: "brain",
    duration: LONG_MS,
    action: { label: t("memory.offerShow"), run: () => openSettings("memory") },
  });
}
