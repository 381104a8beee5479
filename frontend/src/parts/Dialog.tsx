/** A native modal dialog: mounted is open, Esc and a click outside are the safe answer. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  lead?: string | undefined;
  small?: boolean;
  testid?: string;
  /** Called for Esc and for a click on the scrim: the answer that changes nothing. */
  onClose: () => void;
  /** The buttons, safe one with `autofocus`. */
  footer: ComponentChildren;
  children?: ComponentChildren;
}

/** Renders a modal dialog for as long as it is mounted. */
export function Dialog(props: DialogProps): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[autofocus]")?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onScrim = (event: MouseEvent) => {
    const at = box.current?.getBoundingClientRect();
    const outside =
      at &&
      (event.clientX < at.left || event.clientX > at.right || event.clientY < at.top || event.clientY > at.bottom);
    if (event.target === box.current && outside) props.onClose();
  };
  return (
    <dialog
      ref={box}
      class={`dialog${props.small ? " small" : ""}`}
      aria-labelledby={`${id}-title`}
      aria-describedby={props.lead ? `${id}-lead` : undefined}
      data-testid={props.testid}
      onMouseDown={onScrim}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <div class="pad">
        <div>
          <h2 id={`${id}-title`}>{props.title}</h2>
          {props.lead && (
            <p class="lead" id={`${id}-lead`}>
              {props.lead}
            </p>
          )}
        </div>
        {props.children}
      </div>
      <footer>{props.footer}</footer>
    </dialog>
  );
}
