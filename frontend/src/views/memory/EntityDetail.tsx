/** One thing that is remembered: its facts and relations, each changed or forgotten on its own. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import { Empty } from "../../parts/Empty";
import type { MemoryEntity } from "../../wire";
import { addFact, editFact, forget, forgetFact } from "./deeds";
import { EntityForm } from "./EntityForm";
import { useEscape } from "./escape";
import { Relations } from "./Relations";

interface DetailProps {
  /** Null: it was forgotten meanwhile. */
  entity: MemoryEntity | null;
  /** Others that a relation may go to. */
  names: readonly string[];
  onBack: () => void;
  onOpen: (name: string) => void;
}

export function EntityDetail({ entity, names, onBack, onOpen }: DetailProps): JSX.Element {
  const [editing, setEditing] = useState(false);
  if (entity === null)
    return (
      <Empty sign={<Icon name="brain" />} title={t("memory.gone")} hint={t("memory.goneHint")}>
        <Button onClick={onBack}>{t("settings.toList")}</Button>
      </Empty>
    );
  return (
    <>
      <div class="detail-head">
        <span class="narrow-only">
          <IconButton icon="chev-l" label={t("settings.toList")} onClick={onBack} />
        </span>
        <h2 class="memory-title">{entity.name}</h2>
        <span class="tag">{entity.kind}</span>
        <span class="grow" />
        <Button small icon="pencil" testid="memory-edit" onClick={() => setEditing(true)}>
          {t("memory.edit")}
        </Button>
        <Button small kind="danger" testid="memory-forget" onClick={() => forget(entity.name)}>
          {t("memory.forget")}
        </Button>
      </div>
      {editing && (
        <EntityForm
          old={entity}
          onCancel={() => setEditing(false)}
          onSaved={(name) => {
            setEditing(false);
            onOpen(name);
          }}
        />
      )}
      <Facts entity={entity} />
      <Relations entity={entity} names={names} onOpen={onOpen} />
    </>
  );
}

function Facts({ entity }: { entity: MemoryEntity }): JSX.Element {
  return (
    <section class="part">
      <div class="head">
        <h3>{t("memory.facts")}</h3>
      </div>
      {entity.facts.length === 0 && <p class="muted">{t("memory.noFacts")}</p>}
      {entity.facts.length > 0 && (
        <ul class="remembered">
          {entity.facts.map((fact) => (
            <Fact key={fact} entity={entity.name} fact={fact} />
          ))}
        </ul>
      )}
      <NewFact entity={entity.name} />
    </section>
  );
}

function Fact({ entity, fact }: { entity: string; fact: string }): JSX.Element {
  const [editing, setEditing] = useState(false);
  if (editing)
    return (
      <li>
        <FactForm entity={entity} fact={fact} onEnd={() => setEditing(false)} />
      </li>
    );
  return (
    <li data-testid="memory-fact">
      <span class="grow">{fact}</span>
      <IconButton icon="pencil" label={t("memory.editFact")} testid="fact-edit" onClick={() => setEditing(true)} />
      <IconButton
        icon="trash"
        label={t("memory.forgetFact")}
        testid="fact-forget"
        onClick={() => forgetFact(entity, fact)}
      />
    </li>
  );
}

function FactForm({ entity, fact, onEnd }: { entity: string; fact: string; onEnd: () => void }): JSX.Element {
  const [text, setText] = useState(fact);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("textarea")?.focus(), []);
  useEscape(form, onEnd);
  const submit = async () => {
    if (text.trim() === fact || (await editFact(entity, fact, text))) onEnd();
  };
  return (
    <form
      ref={form}
      class="fact-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FactText label={t("memory.editFact")} testid="fact-text" text={text} onText={setText} onEnter={submit} />
      <Button kind="quiet" onClick={onEnd}>
        {t("part.cancel")}
      </Button>
      <Button submit testid="fact-save" disabled={text.trim() === ""}>
        {t("settings.save")}
      </Button>
    </form>
  );
}

function NewFact({ entity }: { entity: string }): JSX.Element {
  const [text, setText] = useState("");
  const submit = async () => {
    if (text.trim() !== "" && (await addFact(entity, text))) setText("");
  };
  return (
    <form
      class="fact-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FactText label={t("memory.newFact")} testid="fact-new" text={text} onText={setText} onEnter={submit} />
      <Button submit testid="fact-add" disabled={text.trim() === ""}>
        {t("memory.addFact")}
      </Button>
    </form>
  );
}

interface TextProps {
  label: string;
  testid: string;
  text: string;
  onText: (text: string) => void;
  onEnter: () => void;
}

/** Grows with its text; Enter saves, Shift+Enter begins a line. */
function FactText({ label, testid, text, onText, onEnter }: TextProps): JSX.Element {
  return (
    <textarea
      class="in"
      rows={Math.min(6, Math.max(1, text.split("\n").length, Math.ceil(text.length / 60)))}
      aria-label={label}
      placeholder={label}
      data-testid={testid}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}
