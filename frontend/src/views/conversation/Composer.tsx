/** Where the person writes. Enter sends (or queues while a task runs), Shift+Enter breaks the line, an IME keeps its own Enter. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { stopTask } from "../../actions/window";
import { attach, detach, uploads } from "../../attachments";
import type { Conversation } from "../../conversation";
import { openServers, settingOf, toolbox } from "../../desk";
import { draft, focusAsked } from "../../drafts";
import { bytes } from "../../format";
import { t } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import { pickerOpen } from "../../material";
import { IconButton } from "../../parts/Button";
import { complain } from "../../parts/complain";
import { Menu, type MenuItem } from "../../parts/Menu";
import { canSend, sendDraft } from "../../sending";
import { ask } from "../../socket";
import { Templates } from "../material/Templates";
import { ModelPicker } from "../models/ModelPicker";
import { SlashList, useSlash } from "./SlashList";

const IME_KEY_CODE = 229;
const MOST_PX = 204; // eight lines and the padding
/** Where the browser sizes a field by its text, no keystroke costs a layout of ours. */
const GROWS_BY_ITSELF = typeof CSS !== "undefined" && CSS.supports?.("field-sizing", "content");

/** The last wish for the focus that was met: a composer that is only drawn again takes nothing. */
let focusGiven = 0;

export function Composer({ conversation }: { conversation: Conversation | null }): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const running = conversation?.running.value ?? null;
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || GROWS_BY_ITSELF) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(MOST_PX, element.scrollHeight)}px`;
  }, [draft.value]);
  useEffect(() => {
    if (focusAsked.value === focusGiven) return;
    focusGiven = focusAsked.value;
    area.current?.focus();
  }, [focusAsked.value]);
  const slash = useSlash();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === IME_KEY_CODE || slash.onKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void sendDraft();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.files;
    if (!pasted?.length) return;
    event.preventDefault();
    void attach(pasted);
  };
  const pick = () => files.current?.click();
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        area.current?.focus(); // the button has nothing more to send
        void sendDraft();
      }}
    >
      <SlashList slash={slash} />
      <Templates />
      <Files />
      <span class="low-only">
        <Menu button="ib" label={t("part.more")} entries={() => lowEntries(pick)}>
          <Icon name="plus" />
        </Menu>
      </span>
      <textarea
        ref={area}
        rows={1}
        data-testid="composer"
        aria-label={t("composer.label")}
        placeholder={running ? t("composer.whileRunning") : t("composer.placeholder")}
        value={draft.value}
        {...slash.marks}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-testid="file-input"
        aria-label={t("composer.attach")}
        onChange={(event) => {
          void attach([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <div class="bar">
        <span class="low-hide">
          <IconButton icon="clip" label={t("composer.attach")} testid="attach" onClick={pick} />
          <IconButton icon="script" label={t("material.add")} testid="add-material" onClick={openPicker} />
        </span>
        <button
          type="button"
          class="chip low-hide"
          data-testid="tools-chip"
          title={t("frame.servers")}
          onClick={() => openServers()}
        >
          <Icon name="plug" />
          {t("composer.tools", { count: toolbox.value.tools })}
        </button>
        <span class="low-hide">
          <Menu button="chip" worded label={t("composer.approvals")} testid="approval-mode" entries={modes}>
            <Icon name="shield" />
            <span class="cut">{t(`mode.${mode()}`)}</span>
            <Icon name="chev-d" small />
          </Menu>
        </span>
        <span class="grow" />
        <ModelPicker conversation={conversation?.info.value ?? null} />
        {running && <StopButton stopping={conversation?.stopping.value === true} />}
        {(!running || draft.value.trim() !== "") && (
          <button
            type="submit"
            class="send"
            data-testid="send"
            aria-label={t("composer.send")}
            title={t("composer.send")}
            disabled={!canSend()}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}

function StopButton({ stopping }: { stopping: boolean }): JSX.Element {
  const stop = () => {
    focusAsked.value += 1; // the button goes with the task
    stopTask();
  };
  return (
    <button type="button" class="stop" data-testid="stop" aria-disabled={stopping} onClick={stop}>
      {stopping ? <Spinner /> : <Icon name="stop" />}
      {t(stopping ? "composer.stopping" : "composer.stop")}
    </button>
  );
}

function Files(): JSX.Element | null {
  if (uploads.value.length === 0) return null;
  return (
    <div class="files">
      {uploads.value.map(({ key, name, size, ref, source, stale }) => (
        <span key={key} class="file-chip" data-testid="attachment" data-stale={stale || undefined} title={source?.uri}>
          {ref === null ? <Spinner /> : <Icon name={stale ? "redo" : "file"} />}
          <span class="cut">{name}</span>
          {stale ? <b class="now">{t("material.changed")}</b> : <span class="muted num">{bytes(size)}</span>}
          <IconButton icon="x" label={t("composer.detach", { name })} onClick={() => detach(key)} />
        </span>
      ))}
    </div>
  );
}

function openPicker(): void {
  pickerOpen.value = true;
}

const MODES = ["ask", "reads", "all", "none"] as const;
type Mode = (typeof MODES)[number];

const mode = (): Mode => MODES.find((known) => known === settingOf("approvals.mode")) ?? "ask";

const modes = (): MenuItem[] =>
  MODES.map((id) => ({
    id,
    label: t(`mode.${id}`),
    note: t(`mode.${id}Note`),
    checked: id === mode(),
    testid: `mode-${id}`,
    run: () => ask({ type: "set_setting", name: "approvals.mode", value: id }).catch(complain),
  }));

/** In a low window the chips stand in the "+" menu. */
const lowEntries = (pick: () => void) => [
  { id: "attach", label: t("composer.attach"), icon: "clip" as const, run: pick },
  { id: "material", label: t("material.add"), icon: "script" as const, testid: "add-material-low", run: openPicker },
  {
    id: "tools",
    label: t("composer.tools", { count: toolbox.value.tools }),
    icon: "plug" as const,
    run: () => openServers(),
  },
  "divider" as const,
  { heading: t("composer.approvals") },
  ...modes(),
];
