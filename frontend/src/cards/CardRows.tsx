/** The rows of a list card: picture, name, facts in columns, signs, button. */
import type { JSX } from "preact";
import { areFigures } from "../figures";
import type { CardAction } from "../wire";
import { CardPicture } from "./CardPicture";
import type { Row } from "./layout";

interface CardRowsProps {
  rows: readonly Row[];
  heads: readonly string[] | null;
  server: string;
  button: (action: CardAction) => JSX.Element;
}

/** Under 520 px the facts go under the name; see the style sheet. */
export function CardRows({ rows, heads, server, button }: CardRowsProps): JSX.Element {
  const has = {
    pictures: rows.some(({ picture }) => picture),
    badges: rows.some(({ badges }) => badges.length),
    actions: rows.some(({ action }) => action),
  };
  const right = (heads ?? []).map((_, at) => areFigures(rows.map(({ fields }) => fields[at]?.value ?? "")));
  return (
    <div
      class="rows"
      data-columns={heads?.length ?? 0}
      data-pictures={has.pictures || undefined}
      data-signs={has.badges || undefined}
      data-buttons={has.actions || undefined}
    >
      {heads && (
        <div class="row-head" aria-hidden="true">
          <span class="nm" />
          {heads.map((head, at) => (
            <span key={at} class={right[at] ? "r" : undefined}>
              {head}
            </span>
          ))}
        </div>
      )}
      {rows.map((row, at) => (
        <div key={at} class="row-line">
          {has.pictures &&
            (row.picture ? <CardPicture picture={row.picture} server={server} /> : <span class="pic-space" />)}
          <div class="nm">
            <b class="cut">{row.name}</b>
            {row.rest && <span class="cut-2">{row.rest}</span>}
          </div>
          <RowFacts row={row} heads={heads} right={right} signs={has.badges} />
          {has.actions && <span class="go">{row.action && button(row.action)}</span>}
        </div>
      ))}
    </div>
  );
}

interface RowFactsProps {
  row: Row;
  heads: readonly string[] | null;
  right: readonly boolean[];
  signs: boolean;
}

function RowFacts({ row, heads, right, signs }: RowFactsProps): JSX.Element | null {
  if (!row.fields.length && !signs) return null;
  return (
    <div class="facts-line">
      {row.fields.map(({ label, value }, at) => (
        <span key={at} class={`v${right[at] ? " r" : ""}`}>
          <span class={heads ? "sr-only" : "muted"}>{label} </span>
          {value}
        </span>
      ))}
      {signs && (
        <span class="badges">
          {row.badges.map((badge, at) => (
            <span key={at} class="badge" data-tone={badge.tone}>
              {badge.text}
            </span>
          ))}
        </span>
      )}
    </div>
  );
}
