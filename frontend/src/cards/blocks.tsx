/** One view for each kind of block a card can hold; a kind without a view does not compile. */
import type { FunctionComponent, JSX } from "preact";
import { areFigures } from "../figures";
import { percent } from "../format";
import { t } from "../i18n";
import { Icon } from "../icons/Icon";
import { Markdown } from "../markdown/Markdown";
import { CodeBlock } from "../parts/CodeBlock";
import type { Badge, CardBody } from "../wire";
import { CardInputs } from "./CardInputs";
import { CardPicture } from "./CardPicture";
import type { Filled } from "./inputs";

interface BlockProps<B> {
  block: B;
  server: string;
  filled: Filled;
}

type Views = { [T in CardBody["type"]]: FunctionComponent<BlockProps<Extract<CardBody, { type: T }>>> };

const FEWEST_STEPS = 2;
const MOST_STEPS = 10;

const views: Views = {
  text: ({ block, server }) =>
    block.format === "markdown" ? (
      <Markdown small source={block.text} server={server} />
    ) : (
      <p class="plain">{block.text}</p>
    ),
  fields: ({ block }) => (
    <dl class="fields">
      {block.fields.map(({ label, value }, at) => (
        <div key={at}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  ),
  image: ({ block, server }) => <CardPicture picture={block.image} server={server} />,
  images: ({ block, server }) => (
    <div class="pics">
      {block.images.map((picture, at) => (
        <CardPicture key={at} picture={picture} server={server} />
      ))}
    </div>
  ),
  progress: ({ block }) => <Progress {...block.progress} />,
  badge: ({ block }) => <Badges badges={[block.badge]} />,
  divider: () => <hr />,
  table: ({ block }) => <Table {...block.table} />,
  code: ({ block }) => <CodeBlock text={block.code.text} language={block.code.language} />,
  input: ({ block, filled }) => <CardInputs inputs={[block.input]} filled={filled} />,
  note: ({ block }) => (
    <div class="note">
      <Icon name="alert" />
      <span>{block.note}</span>
    </div>
  ),
};

/** Draws a block; a type this page does not know draws nothing. */
export function CardBlockView(props: BlockProps<CardBody>): JSX.Element | null {
  const View = views[props.block.type] as FunctionComponent<BlockProps<CardBody>> | undefined;
  return View ? <View {...props} /> : null;
}

export function Badges({ badges }: { badges: readonly Badge[] }): JSX.Element {
  return (
    <div class="badges">
      {badges.map((badge, at) => (
        <span key={at} class="badge" data-tone={badge.tone}>
          {badge.text}
        </span>
      ))}
    </div>
  );
}

function Progress({ value, max, label }: { value: number; max: number; label: string }): JSX.Element {
  const most = max > 0 ? max : 1;
  const reached = Math.min(most, Math.max(0, value));
  const steps = Number.isInteger(most) && most >= FEWEST_STEPS && most <= MOST_STEPS;
  return (
    <div class="progress">
      <div class="line">
        <span class="grow">{label}</span>
        {most === 100 && <span class="share">{percent(reached / most)}</span>}
      </div>
      <progress
        value={reached}
        max={most}
        class={steps ? "in-steps" : undefined}
        aria-label={label || t("card.progress")}
      />
    </div>
  );
}

function Table({
  columns,
  rows,
  caption,
}: {
  columns: readonly string[];
  rows: readonly string[][];
  caption: string;
}): JSX.Element {
  const right = columns.map((_, at) => areFigures(rows.map((row) => row[at] ?? "")));
  const side = (at: number) => (right[at] ? "figure" : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="table" tabIndex={0}>
      <table>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" class={side(at)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column} class={side(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
