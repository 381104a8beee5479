/** The list of a narrow window, folded to a rail of icons. */
import type { JSX } from "preact";
import { ActionButton } from "../../actions/ActionButton";
import { openServers, openSettings, toolbox } from "../../desk";
import { t } from "../../i18n";
import { Mark } from "../../icons/Icon";
import { shown } from "../../opening";
import { IconButton } from "../../parts/Button";

export function Rail(): JSX.Element {
  const awake = shown.value?.running.value !== null && shown.value !== null;
  return (
    <nav class="rail" aria-label={t("list.label")}>
      <Mark size={28} awake={awake} />
      <ActionButton id="list.toggle" testid="toggle-list" />
      <ActionButton id="conversation.new" testid="new-conversation" />
      <ActionButton id="list.search" testid="search" />
      <span class="grow" />
      <span class="ib-wrap">
        <IconButton icon="plug" label={t("frame.servers")} testid="open-servers" onClick={() => openServers()} />
        {toolbox.value.servers > 0 && <i class="dot" aria-hidden="true" />}
      </span>
      <IconButton icon="sliders" label={t("frame.settings")} testid="open-settings" onClick={() => openSettings()} />
    </nav>
  );
}
