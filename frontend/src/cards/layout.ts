/** From a card's flat body to what is drawn together: rows of a list, a picture beside its fields, badges in a line. */
import type { Badge, Card, CardAction, CardBody, CardField, Input, Picture } from "../wire";

/** One thing of a list card: first line bold, the rest muted, its facts and signs beside. */
export interface Row {
  picture: Picture | null;
  name: string;
  rest: string;
  fields: readonly CardField[];
  badges: readonly Badge[];
  action: CardAction | null;
}

export type Part =
  | { part: "block"; block: CardBody }
  | { part: "badges"; badges: readonly Badge[] }
  | { part: "inputs"; inputs: readonly Input[] }
  | { part: "beside"; picture: Picture; parts: readonly Part[] }
  | { part: "rows"; rows: readonly Row[]; heads: readonly string[] | null };

export interface Layout {
  parts: readonly Part[];
  /** The buttons at the foot: primary first, then secondary in their order, danger last. */
  foot: readonly CardAction[];
  /** A quiz's answers, where there are three or more. */
  options: readonly CardAction[];
  /** True where the card takes the whole column. */
  wide: boolean;
}

const ROW_BLOCKS = new Set(["image", "text", "fields", "badge"]);
const FEWEST_OPTIONS = 3;
const MOST_HEADS = 3;

/** What is drawn of a card, and where. */
export function layout(card: Card): Layout {
  const rows = card.kind === "list" ? segments(card.body) : [];
  const count = rows.filter(isRow).length;
  const asRows = count > 0 && (count > 1 || rows.some((row) => isRow(row) && row.length > 1));
  const inRows = asRows ? sharedActions(card.actions, count) : [];
  const left = card.actions.filter((action) => !inRows.includes(action));
  const secondary = left.filter(({ kind }) => kind === "secondary");
  const options = card.kind === "quiz" && secondary.length >= FEWEST_OPTIONS ? secondary : [];
  const parts = asRows ? listParts(rows, inRows) : plainParts(card.body);
  return {
    parts,
    foot: inOrder(left.filter((action) => !options.includes(action))),
    options,
    wide: isWide(card, parts),
  };
}

function inOrder(actions: readonly CardAction[]): CardAction[] {
  const of = (kind: CardAction["kind"]) => actions.filter((action) => action.kind === kind);
  return [...of("primary"), ...of("secondary"), ...of("danger")];
}

function isWide(card: Card, parts: readonly Part[]): boolean {
  if (card.kind === "list" || card.kind === "review") return true;
  if (card.body.some(({ type }) => type === "table" || type === "code")) return true;
  return card.kind !== "quiz" && parts.some(({ part }) => part === "beside");
}

function segments(body: readonly CardBody[]): CardBody[][] {
  const cut: CardBody[][] = [[]];
  for (const block of body) {
    if (block.type === "divider") cut.push([]);
    else cut.at(-1)?.push(block);
  }
  return cut.filter((blocks) => blocks.length > 0);
}

const isRow = (blocks: readonly CardBody[]): boolean =>
  blocks.some(({ type }) => type === "text") && blocks.every(({ type }) => ROW_BLOCKS.has(type));

/** The actions that share one label and are as many as the rows: one for each, in order. */
function sharedActions(actions: readonly CardAction[], rows: number): readonly CardAction[] {
  if (rows === 1) return onlyAction(actions);
  for (const { label } of actions) {
    const same = actions.filter((action) => action.label === label);
    if (same.length === rows) return same;
  }
  return [];
}

/** What belongs to a single row: the one dangerous button (Remove), else the one secondary button (View). */
function onlyAction(actions: readonly CardAction[]): readonly CardAction[] {
  for (const kind of ["danger", "secondary"] as const) {
    const same = actions.filter((action) => action.kind === kind);
    if (same.length) return same.length === 1 ? same : [];
  }
  return [];
}

function listParts(all: readonly CardBody[][], actions: readonly CardAction[]): Part[] {
  const parts: Part[] = [];
  let run: Row[] = [];
  let at = 0;
  const close = () => {
    if (run.length) parts.push({ part: "rows", rows: run, heads: commonLabels(run) });
    run = [];
  };
  for (const blocks of all) {
    if (isRow(blocks)) {
      run.push(row(blocks, actions[at] ?? null));
      at += 1;
      continue;
    }
    close();
    parts.push(...plainParts(blocks));
  }
  close();
  return parts;
}

function row(blocks: readonly CardBody[], action: CardAction | null): Row {
  const lines = blocks.flatMap((block) => (block.type === "text" ? plainLines(block.text, block.format) : []));
  return {
    picture: blocks.find((block) => block.type === "image")?.image ?? null,
    name: lines[0] ?? "",
    rest: lines.slice(1).join("\n"),
    fields: blocks.flatMap((block) => (block.type === "fields" ? block.fields : [])),
    badges: blocks.flatMap((block) => (block.type === "badge" ? [block.badge] : [])),
    action,
  };
}

/** The lines of a text; Markdown's marks go, since a row is bold and muted by its place. */
function plainLines(text: string, format: "plain" | "markdown"): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const bare = format === "markdown" ? lines.map((line) => line.replace(/^#+\s+|[*_`]{1,3}/g, "")) : lines;
  return bare.filter(Boolean);
}

/** The labels all rows have alike, in the same order; null where they differ or are too many for columns. */
function commonLabels(rows: readonly Row[]): readonly string[] | null {
  const labels = rows[0]?.fields.map(({ label }) => label) ?? [];
  if (labels.length === 0 || labels.length > MOST_HEADS) return null;
  const same = rows.every(({ fields }) => fields.map(({ label }) => label).join("\n") === labels.join("\n"));
  return same ? labels : null;
}

function plainParts(body: readonly CardBody[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < body.length; ) {
    const taken = beside(body, at) ?? gathered(body, at);
    if (taken) {
      parts.push(taken.part);
      at = taken.next;
      continue;
    }
    const block = body[at];
    if (block) parts.push({ part: "block", block });
    at += 1;
  }
  return parts;
}

/** An image followed by fields stands beside them, and beside the badges around these fields. */
function beside(body: readonly CardBody[], at: number): { part: Part; next: number } | null {
  const image = body[at];
  if (image?.type !== "image") return null;
  let next = at + 1;
  while (body[next]?.type === "fields" || body[next]?.type === "badge") next += 1;
  const right = body.slice(at + 1, next);
  if (!right.some(({ type }) => type === "fields")) return null;
  return { part: { part: "beside", picture: image.image, parts: plainParts(right) }, next };
}

function gathered(body: readonly CardBody[], at: number): { part: Part; next: number } | null {
  const badges: Badge[] = [];
  const inputs: Input[] = [];
  for (let next = at; ; next += 1) {
    const block = body[next];
    if (block?.type === "badge" && inputs.length === 0) badges.push(block.badge);
    else if (block?.type === "input" && badges.length === 0) inputs.push(block.input);
    else if (badges.length) return { part: { part: "badges", badges }, next };
    else if (inputs.length) return { part: { part: "inputs", inputs }, next };
    else return null;
  }
}
