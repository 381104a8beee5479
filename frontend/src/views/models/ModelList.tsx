/** The list inside the model picker: a group for each provider, what each model can do, and why a list is missing. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { findMatch, pieces } from "../../actions/search";
import { compact } from "../../format";
import { t, worded } from "../../i18n";
import { Icon, Spinner } from "../../icons/Icon";
import type { ModelChoice } from "../../wire";
import { DEMO, titleOf } from "./catalog";
import { FAVOURITES, type Group, type Picked, type Row } from "./choices";
import { setFavourite } from "./chosen";
import { priceWords } from "./price";

interface ListProps {
  id: string;
  groups: readonly Group[];
  /** Index of the marked row over all groups. */
  at: number;
  chosen: Picked;
  query: string;
  onPick: (row: Row) => void;
}

export function ModelList(props: ListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  // the marked row stays in view
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView?.({ block: "nearest" });
  }, [props.at, props.query]);
  let index = -1;
  return (
    <div ref={list} id={`${props.id}-list`} class="picker-list" role="listbox" aria-label={t("models.pick")}>
      {props.groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
        <div key={group.provider} role="group" aria-label={titleOfGroup(group)}>
          <div class="group" role="presentation">
            {titleOfGroup(group)}
            {group.loading && <Spinner />}
          </div>
          {group.rows.map((row) => {
            index += 1;
            return <Option key={rowKey(row)} {...props} row={row} index={index} />;
          })}
          {group.error && (
            <div class="list-error" role="presentation">
              {worded(group.error)}
            </div>
          )}
        </div>
      ))}
      {props.groups.length === 0 && (
        <div class="nothing">{props.query.trim() ? t("models.nothing", { text: props.query }) : <Spinner />}</div>
      )}
    </div>
  );
}

const titleOfGroup = ({ provider, title }: Group): string =>
  provider === FAVOURITES ? t("models.group.favourites") : provider === DEMO ? t("models.group.demo") : title;

const rowKey = (row: Row): string =>
  row.kind === "model" ? `model ${row.model.provider} ${row.model.id}` : `typed ${row.id}`;

interface OptionProps extends ListProps {
  row: Row;
  index: number;
}

function Option({ id, row, index, at, chosen, query, onPick }: OptionProps): JSX.Element {
  const current = row.kind === "model" && row.model.provider === chosen.provider && row.model.id === chosen.model;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's, as in any combobox
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field
    <div
      id={`${id}-${index}`}
      class="option"
      role="option"
      aria-selected={index === at}
      data-model={row.kind === "model" ? row.model.id : row.id}
      onClick={() => onPick(row)}
    >
      <span class="sign">{current && <Icon name="check" />}</span>
      {row.kind === "typed" ? (
        <span class="grow">{t("models.useTyped", { model: row.id, provider: titleOf(row.provider) })}</span>
      ) : (
        <>
          <Known model={row.model} query={query} favourite={row.favourite} />
          {row.model.provider !== DEMO && <Star model={row.model} favourite={row.favourite} />}
        </>
      )}
    </div>
  );
}

/** A click on the star marks the model and picks nothing; the keyboard has Alt+F. */
function Star({ model, favourite }: { model: ModelChoice; favourite: boolean }): JSX.Element {
  const words = t(favourite ? "models.unfavour" : "models.favour");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's, as in any combobox
    // biome-ignore lint/a11y/noStaticElementInteractions: an option may hold no button; its keys are the search field's
    <span
      class={favourite ? "star on" : "star"}
      title={`${words} (Alt+F)`}
      data-testid="model-star"
      data-on={favourite}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        setFavourite({ provider: model.provider, model: model.id }, !favourite);
      }}
    >
      <Icon name="star" />
      {favourite && <span class="sr-only">{t("models.favourite")}</span>}
    </span>
  );
}

function Known({ model, query, favourite }: { model: ModelChoice; query: string; favourite: boolean }): JSX.Element {
  const shown = model.provider === DEMO ? t("models.demo") : model.name || model.id;
  const price = priceWords(model);
  const more = [
    ...(shown !== model.id && model.provider !== DEMO ? [model.id] : []),
    ...(favourite ? [titleOf(model.provider)] : []),
  ];
  const about = more.join(" · ");
  return (
    <span class="grow known">
      <span class="model-name">
        <span class="cut">
          {pieces(shown, findMatch(shown, query) ?? []).map((piece, at) =>
            piece.hit ? <mark key={at}>{piece.text}</mark> : piece.text,
          )}
        </span>
        {about && <span class="model-id cut">{about}</span>}
      </span>
      <span class="abilities">
        <span class="marks">
          {model.vision && <Can icon="eye" word={t("models.vision")} />}
          {model.tools && <Can icon="wrench" word={t("models.tools")} />}
          {model.tools === false && <span class="meta">{t("models.noTools")}</span>}
          {model.thinking && <Can icon="thought" word={t("models.thinking")} />}
        </span>
        {price && <span class="meta num">{price}</span>}
        {model.context !== null && (
          <span class="meta num" title={t("models.context", { count: model.context })}>
            {compact(model.context)}
          </span>
        )}
      </span>
    </span>
  );
}

function Can({ icon, word }: { icon: "eye" | "wrench" | "thought"; word: string }): JSX.Element {
  return (
    <span title={word}>
      <Icon name={icon} />
      <span class="sr-only">{word}</span>
    </span>
  );
}
