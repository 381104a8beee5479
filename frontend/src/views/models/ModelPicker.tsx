/** The model's chip and its popover: search, models by provider, anything typed, and the ways to keys and options. */
import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { openSettings } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { place } from "../../parts/place";
import type { ConversationInfo } from "../../wire";
import { done } from "../settings/tried";
import { openOptions } from "./ConversationOptions";
import { DEMO, listings, localListing, providers, readLocal, readModels, readProviders } from "./catalog";
import { groupsOf, openProviders, type Picked, pickedOf, type Row } from "./choices";
import { choose, chosenIn, setFavourite } from "./chosen";
import { ModelList } from "./ModelList";

interface PickerProps {
  /** Whose model it is; null: that of new conversations. */
  conversation: ConversationInfo | null;
}

/** "Demo model" for the demo; else the model's id, or the provider's name where it is the provider's own choice. */
export function chipWords({ provider, model }: Picked): string {
  if (provider === DEMO) return t("models.demoShort");
  return model || providers.value?.find(({ name }) => name === provider)?.title || provider;
}

export function ModelPicker({ conversation }: PickerProps): JSX.Element {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const chosen = chosenIn(conversation);
  const settle = () => {
    if (button.current && box.current) place(box.current, button.current.getBoundingClientRect());
  };
  const close = () => {
    box.current?.hidePopover();
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="chip"
        data-testid="model-picker"
        data-provider={chosen.provider}
        data-model={chosen.model}
        title={chosen.provider === DEMO ? t("models.demo") : t("models.pick")}
        aria-haspopup="dialog"
        aria-expanded={open}
        popovertarget={id}
      >
        <b class="cut">{chipWords(chosen)}</b>
        <Icon name="chev-d" small />
      </button>
      <div
        ref={box}
        id={id}
        class="menu picker"
        role="dialog"
        aria-label={t("models.pick")}
        popover="auto"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.isComposing) return;
          // Esc is for this box alone: further out it would stop the task.
          event.preventDefault();
          event.stopPropagation();
          close();
        }}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open && <Choice conversation={conversation} chosen={chosen} onSettle={settle} onClose={close} />}
      </div>
    </>
  );
}

interface ChoiceProps {
  conversation: ConversationInfo | null;
  chosen: Picked;
  onSettle: () => void;
  onClose: () => void;
}

function Choice({ conversation, chosen, onSettle, onClose }: ChoiceProps): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const shelf = { providers: providers.value ?? [], listings: listings.value, local: localListing.value };
  const groups = groupsOf(shelf, query, chosen.provider);
  const broken = groups.filter(({ error }) => error !== null);
  const rows = groups.flatMap((group) => group.rows);
  useEffect(() => {
    input.current?.focus();
    done(readProviders());
    readLocal();
  }, []);
  const names = openProviders(shelf, chosen.provider).map(({ name }) => name);
  useEffect(() => {
    for (const name of names) readModels(name);
  }, [names.join(" ")]);
  const height = groups.reduce((sum, group) => sum + group.rows.length + 1, 0);
  // a list of another height may need another place
  useEffect(onSettle, [height]);
  const pick = (row: Row | undefined) => {
    if (!row) return;
    onClose();
    choose(conversation, pickedOf(row));
  };
  const star = (row: Row | undefined) => {
    if (row?.kind === "model" && row.model.provider !== DEMO) setFavourite(pickedOf(row), !row.favourite);
  };
  const leave = (then: () => void) => {
    onClose();
    then();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.altKey && event.code === "KeyF") star(rows[at]);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && rows.length) setAt((at + step + rows.length) % rows.length);
    else if (event.key === "Enter") pick(rows[at]);
    else if (!event.altKey || event.code !== "KeyF") return;
    event.preventDefault();
  };
  return (
    <>
      <div class="find">
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={rows.length ? `${id}-${at}` : undefined}
          aria-keyshortcuts="Alt+F"
          aria-label={t("models.search")}
          placeholder={t("models.search")}
          data-testid="model-search"
          spellcheck={false}
          autocomplete="off"
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ModelList id={id} groups={groups} at={at} chosen={chosen} query={query} onPick={pick} />
      <footer>
        {broken.length > 0 && (
          <Button
            small
            kind="quiet"
            icon="redo"
            onClick={() => {
              for (const { provider } of broken) readModels(provider, true);
              readLocal();
            }}
          >
            {t("settings.again")}
          </Button>
        )}
        {conversation && (
          <Button
            small
            kind="quiet"
            icon="sliders"
            testid="conversation-options"
            onClick={() => leave(() => openOptions(conversation.id))}
          >
            {t("models.options")}
          </Button>
        )}
        <Button small kind="quiet" icon="key" onClick={() => leave(() => openSettings("models"))}>
          {t("models.providers")}
        </Button>
      </footer>
    </>
  );
}
