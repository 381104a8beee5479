/** The frame of the window: the list at the left, the open page beside it, and what floats over both. */
import type { JSX } from "preact";
import { Palette } from "../actions/Palette";
import { currentId, listShown, page } from "../desk";
import { t } from "../i18n";
import { Mark } from "../icons/Icon";
import { listOpen, narrow } from "../layout";
import { ConfirmHost } from "../parts/confirm";
import { link } from "../socket";
import { ConversationPage } from "./conversation/ConversationPage";
import { HelpHost } from "./Help";
import { PickerHost } from "./material/Picker";
import { PromptHost } from "./material/PromptDialog";
import { ReaderHost } from "./material/Reader";
import { OptionsHost } from "./models/ConversationOptions";
import { Settings } from "./settings/Settings";
import { Rail } from "./sidebar/Rail";
import { Sidebar } from "./sidebar/Sidebar";
import { useWayBack } from "./wayback";

export function Shell(): JSX.Element {
  useWayBack();
  if (link.value === "refused") return <Refused />;
  return (
    <>
      {page.value.at === "conversation" ? <Conversations /> : <Settings />}
      <ConfirmHost />
      <OptionsHost />
      <Palette />
      <HelpHost />
      <PickerHost />
      <PromptHost />
      <ReaderHost />
    </>
  );
}

function Conversations(): JSX.Element {
  const open = listOpen.value;
  const rail = narrow.value || !open;
  return (
    <div class="app" data-side={rail ? "rail" : "list"} data-conversation-id={currentId.value ?? undefined}>
      {rail && <Rail />}
      {open && narrow.value && <Scrim />}
      {open && <Sidebar />}
      <ConversationPage />
    </div>
  );
}

/** Behind the list of a narrow window: a click closes it. */
function Scrim(): JSX.Element {
  return (
    <button
      type="button"
      class="scrim"
      aria-label={t("list.hide")}
      onClick={() => {
        listShown.value = false;
      }}
    />
  );
}

/** The key of this window is not the running app's: nothing works until it is started again. */
function Refused(): JSX.Element {
  return (
    <main class="refused" data-testid="refused">
      <Mark size={56} />
      <h1>{t("link.refused")}</h1>
      <p class="muted">{t("link.refusedHint")}</p>
    </main>
  );
}
