/** How one thing belongs to others: each relation a sentence whose other end opens. */
import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button, IconButton } from "../../parts/Button";
import type { MemoryEntity, MemoryRelation } from "../../wire";
import { relate, unrelate } from "./deeds";

interface RelationsProps {
  entity: MemoryEntity;
  names: readonly string[];
  onOpen: (name: string) => void;
}

export function Relations({ entity, names, onOpen }: RelationsProps): JSX.Element {
  return (
    <section class="part">
      <div class="head">
        <h3>{t("memory.relations")}</h3>
      </div>
      {entity.relations.length === 0 && <p class="muted">{t("memory.noRelations")}</p>}
      {entity.relations.length > 0 && (
        <ul class="remembered">
          {entity.relations.map((relation) => (
            <li key={JSON.stringify(relation)} data-testid="memory-relation">
              <span class="grow">
                <End name={relation.source} here={entity.name} onOpen={onOpen} /> {relation.kind}{" "}
                <End name={relation.target} here={entity.name} onOpen={onOpen} />
              </span>
              <IconButton
                icon="trash"
                label={t("memory.forgetRelation")}
                testid="relation-forget"
                onClick={() => unrelate(relation)}
              />
            </li>
          ))}
        </ul>
      )}
      <NewRelation from={entity.name} names={names} />
    </section>
  );
}

function End({ name, here, onOpen }: { name: string; here: string; onOpen: (name: string) => void }): JSX.Element {
  if (name === here) return <b>{name}</b>;
  return (
    <Button kind="link" onClick={() => onOpen(name)}>
      {name}
    </Button>
  );
}

function NewRelation({ from, names }: { from: string; names: readonly string[] }): JSX.Element {
  const [kind, setKind] = useState("");
  const [to, setTo] = useState("");
  const list = useId();
  const usable = kind.trim() !== "" && to.trim() !== "";
  const submit = async () => {
    const relation: MemoryRelation = { source: from, kind, target: to };
    if (!usable || !(await relate(relation))) return;
    setKind("");
    setTo("");
  };
  return (
    <form
      class="fact-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        class="in"
        type="text"
        autocomplete="off"
        aria-label={t("memory.relation")}
        placeholder={t("memory.relationHint")}
        data-testid="relation-kind"
        value={kind}
        onInput={(event) => setKind(event.currentTarget.value)}
      />
      <input
        class="in"
        type="text"
        autocomplete="off"
        list={list}
        aria-label={t("memory.relationTo")}
        placeholder={t("memory.relationTo")}
        data-testid="relation-to"
        value={to}
        onInput={(event) => setTo(event.currentTarget.value)}
      />
      <datalist id={list}>
        {names
          .filter((name) => name !== from)
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      <Button submit testid="relation-add" disabled={!usable}>
        {t("memory.addRelation")}
      </Button>
    </form>
  );
}
