/** Icons, pictograms and the mark, drawn from the symbols that the build puts into the page. */
import type { JSX } from "preact";
import { t } from "../i18n";
import type { IconName, PictogramName } from "./names";

/** A 16-px line icon in the colour of its text; always beside a word or inside a labelled button, so hidden from readers. */
export function Icon({ name, small, class: extra }: { name: IconName; small?: boolean; class?: string }): JSX.Element {
  return (
    <svg class={`i${small ? " small" : ""}${extra ? ` ${extra}` : ""}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  );
}

/** The turning arc that means "now". */
export const Spinner = (): JSX.Element => <Icon name="spin" class="spin" />;

/** A 40-px picture with one accent stroke. */
export function Pictogram({ name }: { name: PictogramName }): JSX.Element {
  return (
    <svg class="pictogram" aria-hidden="true">
      <use href={`#p-${name}`} />
    </svg>
  );
}

/** The lion: eyes closed at rest, open while a task runs or waits; under 28 px only its nose. */
export function Mark({ size, awake = false }: { size: number; awake?: boolean }): JSX.Element {
  const symbol = size < 28 ? "mark-s" : awake ? "mark-work" : "mark";
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" role="img" aria-label={t("app.name")}>
      <use href={`#${symbol}`} />
    </svg>
  );
}
