/** Buttons: with words, or an icon whose words are its label and tooltip. */
import type { ComponentChildren, JSX } from "preact";
import { Icon } from "../icons/Icon";
import type { IconName } from "../icons/names";

export type ButtonKind = "primary" | "secondary" | "danger" | "danger fill" | "quiet" | "link";

interface ButtonProps {
  kind?: ButtonKind;
  small?: boolean;
  icon?: IconName | undefined;
  disabled?: boolean | undefined;
  autofocus?: boolean;
  submit?: boolean;
  title?: string | undefined;
  testid?: string | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  children: ComponentChildren;
}

/** A button with words. `kind` secondary is the plain one. */
export function Button(props: ButtonProps): JSX.Element {
  const kind = !props.kind || props.kind === "secondary" ? "" : ` ${props.kind}`;
  return (
    <button
      type={props.submit ? "submit" : "button"}
      class={`btn${kind}${props.small ? " small" : ""}`}
      disabled={props.disabled}
      autofocus={props.autofocus}
      title={props.title}
      data-testid={props.testid}
      onClick={props.onClick}
    >
      {props.icon && <Icon name={props.icon} />}
      <span>{props.children}</span>
    </button>
  );
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  /** Shown after the label in the tooltip, e.g. "Ctrl+N". */
  keys?: string | undefined;
  pressed?: boolean | undefined;
  disabled?: boolean | undefined;
  class?: string;
  testid?: string | undefined;
  onClick?: (event: MouseEvent) => void;
}

/** A 28-px button that is only an icon. */
export function IconButton(props: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`ib${props.class ? ` ${props.class}` : ""}`}
      aria-label={props.label}
      title={props.keys ? `${props.label} (${props.keys})` : props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      data-testid={props.testid}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}
