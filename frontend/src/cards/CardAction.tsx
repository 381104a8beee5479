/** A card's button and what became of it: the label never changes, the ground and the sign do. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/names";
import type { CardAction, CardState } from "../wire";

export type ButtonState = CardState["state"] | "rest";

interface CardActionProps {
  action: CardAction;
  state: ButtonState;
  /** What went wrong, for a failed one. */
  message?: string | null | undefined;
  small?: boolean;
  /** The key that presses it while the card has the focus. */
  digit?: number | undefined;
  onPress: (action: CardAction) => void;
}

const signs: Record<ButtonState, IconName | null> = {
  rest: null,
  pressed: "check",
  running: "spin",
  queued: "clock",
  failed: "redo",
};

function look(action: CardAction, state: ButtonState): string {
  if (state === "running") return "running";
  if (state === "pressed" || state === "queued") return "pressed";
  if (state === "failed") return "failed";
  return action.kind === "secondary" ? "" : action.kind;
}

function words(state: ButtonState, message: string | null | undefined): string | undefined {
  if (state === "rest") return undefined;
  if (state === "failed") return message ? `${t("card.failed")}: ${message}` : t("card.failed");
  return t(`card.${state}`);
}

/** At work it cannot be pressed again; without an action it is drawn, but disabled. */
export function CardActionView(props: CardActionProps): JSX.Element {
  const { action, state, digit } = props;
  const busy = state === "running" || state === "queued";
  const dead = action.action === null;
  const title = dead ? t("card.noAction") : words(state, props.message);
  const sign = signs[state];
  const icon = sign && <Icon name={sign} {...(state === "running" ? { class: "spin" } : {})} />;
  return (
    <button
      type="button"
      class={`btn ${look(action, state)}${props.small ? " small" : ""}`}
      data-testid="card-action"
      data-action-id={action.id}
      data-pressed={String(state === "pressed" || busy)}
      data-state={state}
      disabled={dead}
      aria-disabled={busy || undefined}
      aria-busy={state === "running" || undefined}
      title={title}
      onClick={() => !busy && props.onPress(action)}
    >
      {digit === undefined ? icon : <kbd>{digit}</kbd>}
      <span class={digit === undefined ? undefined : "grow"}>{action.label}</span>
      {digit !== undefined && icon}
      {title && <span class="sr-only">{title}</span>}
    </button>
  );
}
