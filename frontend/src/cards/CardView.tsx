/** A LeoCard: head, body, buttons. Its words are the server's, the server's name is always on it. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId, useMemo } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/names";
import { confirm } from "../parts/confirm";
import type { Card, CardAction, CardState } from "../wire";
import { Badges, CardBlockView } from "./blocks";
import { type ButtonState, CardActionView } from "./CardAction";
import { CardInputs } from "./CardInputs";
import { CardPicture } from "./CardPicture";
import { CardRows } from "./CardRows";
import { check, type Filled, fill, type InputValue } from "./inputs";
import { layout, type Part } from "./layout";

export interface CardViewProps {
  card: Card;
  server: string;
  /** What became of a button; reading a signal in it keeps the card up to date. */
  stateOf: (actionId: string) => CardState | undefined;
  /** Does what the button says; until it settles the button cannot be pressed again. */
  onAction: (action: CardAction, inputs: Record<string, InputValue>) => Promise<unknown>;
  /** Given where a newer card replaces this one: goes there. */
  onNewer?: (() => void) | undefined;
}

const icons: Record<string, IconName> = {
  summary: "summary",
  media: "image",
  list: "list",
  status: "status",
  review: "review",
  error: "error",
  quiz: "quiz",
  form: "pencil",
};

function iconOf(card: Card): IconName {
  if (card.kind !== "error" && card.tone === "error") return "x";
  if (card.tone === "success") return "check";
  return icons[card.kind] ?? "summary";
}

export function CardView(props: CardViewProps): JSX.Element {
  const { card, server } = props;
  const id = useId();
  const shape = useMemo(() => layout(card), [card]);
  const filled = useMemo(() => fill(card), [card]);
  const press = usePress(props, filled);
  const button = (action: CardAction, extra: { small?: boolean; digit?: number } = {}) => (
    <CardActionView key={action.id} action={action} {...press.stateOf(action)} {...extra} onPress={press.press} />
  );
  const onDigit = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return;
    const action = shape.options[Number(event.key) - 1];
    if (!action?.action || press.stateOf(action).state === "running") return;
    event.preventDefault();
    press.press(action);
  };
  const onKeyDown = shape.options.length ? onDigit : undefined;
  return (
    <article
      class={`card${shape.wide ? " wide" : ""}${props.onNewer ? " old" : ""}`}
      data-testid="card"
      data-card-id={card.id}
      data-kind={card.kind}
      data-tone={card.tone}
      data-server={server}
      aria-labelledby={`${id}-title`}
      tabIndex={onKeyDown ? 0 : undefined}
      onKeyDown={onKeyDown}
    >
      <header>
        <span class="tile">
          <Icon name={iconOf(card)} />
        </span>
        <div class="grow">
          <h2 id={`${id}-title`}>{card.title || t("card.untitled")}</h2>
          {card.subtitle && <p>{card.subtitle}</p>}
        </div>
        <span class="from" title={t("card.from", { server })}>
          <Icon name="plug" />
          {server}
        </span>
      </header>
      {shape.parts.length > 0 && (
        <div class="body">
          <Parts
            parts={shape.parts}
            server={server}
            filled={filled}
            button={(action) => button(action, { small: true })}
          />
        </div>
      )}
      {shape.options.length > 0 && (
        <div class="options">{shape.options.map((action, at) => button(action, at < 9 ? { digit: at + 1 } : {}))}</div>
      )}
      {shape.foot.length > 0 && <footer class="acts">{shape.foot.map((action) => button(action))}</footer>}
      {props.onNewer && (
        <button type="button" class="newer" onClick={props.onNewer}>
          <Icon name="down" />
          {t("card.newer")}
        </button>
      )}
    </article>
  );
}

interface PartsProps {
  parts: readonly Part[];
  server: string;
  filled: Filled;
  button: (action: CardAction) => JSX.Element;
}

function Parts({ parts, server, filled, button }: PartsProps): JSX.Element {
  const draw = (part: Part): JSX.Element | null => {
    switch (part.part) {
      case "block":
        return <CardBlockView block={part.block} server={server} filled={filled} />;
      case "badges":
        return <Badges badges={part.badges} />;
      case "inputs":
        return <CardInputs inputs={part.inputs} filled={filled} />;
      case "rows":
        return <CardRows rows={part.rows} heads={part.heads} server={server} button={button} />;
      case "beside":
        return (
          <div class="beside">
            <CardPicture picture={part.picture} server={server} />
            <div class="body">
              <Parts parts={part.parts} server={server} filled={filled} button={button} />
            </div>
          </div>
        );
    }
  };
  return <>{parts.map(draw)}</>;
}

/** Pressing: inputs are checked, the card's own question is asked, and no second press before the first is answered. */
function usePress({ card, stateOf, onAction }: CardViewProps, filled: Filled) {
  const sending = useSignal<ReadonlySet<string>>(new Set());
  const mark = (id: string, on: boolean) => {
    const next = new Set(sending.value);
    if (on) next.add(id);
    else next.delete(id);
    sending.value = next;
  };
  const press = async (action: CardAction): Promise<void> => {
    if (sending.value.has(action.id) || !check(card, filled)) return;
    mark(action.id, true);
    try {
      if (await agreed(action)) await onAction(action, { ...filled.values.value });
    } finally {
      mark(action.id, false);
    }
  };
  const state = (action: CardAction): { state: ButtonState; message?: string | null } => {
    const told = stateOf(action.id);
    if (told?.state === "running" || told?.state === "queued") return { state: told.state };
    if (sending.value.has(action.id)) return { state: "running" };
    return told ? { state: told.state, message: told.message } : { state: "rest" };
  };
  return { press, stateOf: state };
}

function agreed(action: CardAction): Promise<boolean> | boolean {
  if (!action.confirm) return true;
  return confirm({
    title: action.confirm.title || action.label,
    message: action.confirm.message || undefined,
    confirmText: action.confirm.confirmText || action.label,
    cancelText: action.confirm.cancelText || undefined,
    danger: action.kind === "danger",
  });
}
