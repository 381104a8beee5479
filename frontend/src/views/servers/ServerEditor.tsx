/** Adds a server by form or by pasted JSON, or changes one; nothing starts before its whole command was accepted. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { Tabs } from "../../parts/Tabs";
import { toast } from "../../parts/toasts";
import { allWorded } from "../../sayings";
import type { ServerForm, ServerLaunch } from "../../wire";
import { wordsOf } from "../settings/tried";
import { TrialConsent } from "./Consent";
import { Cure } from "./Cure";
import { add, launchOf, test, update } from "./deeds";
import { type Draft, type DraftField, emptyDraft, isConfig, proposeName, type Reading, readDraft } from "./draft";
import { FormFields } from "./FormFields";
import { Found } from "./Found";
import { asked, type Filled, missingIn, type Source, sourceOf, useLook, valuesOf } from "./found";
import { Import } from "./Import";
import { TestButton, TrialOutcome, useTrial } from "./Trial";

interface EditorProps {
  /** The server to change with its texts; null adds one. */
  existing: { name: string; draft: Draft } | null;
  onCancel: () => void;
  /** Names that were added or changed, first to be shown. */
  onSaved: (names: string[]) => void;
}

type Mode = "form" | "json";
/** A configuration that is pasted here is meant as one. */
const PASTED: readonly DraftField[] = ["name", "command", "cwd", "url"];

export function ServerEditor({ existing, onCancel, onSaved }: EditorProps): JSX.Element {
  const [mode, setMode] = useState<Mode>("form");
  const [draft, setDraft] = useState<Draft>(existing?.draft ?? emptyDraft);
  const [source, setSource] = useState<Source>({ text: "" });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [filled, setFilled] = useState<Filled>({});
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [question, setQuestion] = useState<{ form: ServerForm; launch: ServerLaunch } | null>(null);
  const [agreed, setAgreed] = useState<string | null>(null); // the launch that may be tried again
  const trial = useTrial();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input:enabled")?.focus(), []);
  const reading = readNamed(draft);
  const look = useLook(source);
  const found = look !== null && "servers" in look ? look.servers : [];
  const chosen = found.filter(({ name }) => !left.has(name));
  const missing = missingIn(chosen, filled);

  const change = (field: DraftField, text: string) => {
    trial.clear();
    setRefused(null);
    if (!existing && PASTED.includes(field) && isConfig(text)) return paste(text);
    if (field === "command" && /^https?:\/\/\S+$/i.test(text.trim()))
      return setDraft({ ...draft, command: "", url: text.trim() });
    setDraft({ ...draft, [field]: text });
  };
  const take = (next: Source) => {
    setRefused(null);
    setTried(false);
    setLeft(new Set());
    setFilled({});
    setSource(next);
    setMode("json");
  };
  const paste = (text: string) => take({ text });
  const pick = async (file: File | undefined) => {
    if (!file || existing) return;
    try {
      take(await sourceOf(file));
    } catch (error) {
      setRefused(wordsOf(error));
    }
  };
  const save = async () => {
    setTried(true);
    setRefused(null);
    if (mode === "form" ? Object.keys(reading.faults).length > 0 : missing.size > 0) return focusFault();
    setBusy(true);
    try {
      if (existing) {
        await update(existing.name, reading.form);
        onSaved([reading.form.name]);
      } else {
        const picked = chosen.map(({ name }) => name);
        const { names, notes } = await add(
          mode === "form" ? { server: reading.form } : { ...asked(source), picked, values: valuesOf(chosen, filled) },
        );
        for (const { message, said } of notes) toast({ tone: "warning", text: allWorded(message, said) });
        onSaved(names);
      }
    } catch (error) {
      setRefused(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  const onTest = async () => {
    setTried(true);
    if (Object.keys(reading.faults).length > 0) return focusFault();
    const { form } = reading;
    try {
      const launch = await launchOf(form);
      if (launch.accepted || launch.hash === agreed) trial.run(() => test(form, launch.hash));
      else setQuestion({ form, launch });
    } catch (error) {
      trial.run(() => Promise.reject(error));
    }
  };
  const onAgreed = ({ form, launch }: { form: ServerForm; launch: ServerLaunch }) => {
    setQuestion(null);
    setAgreed(launch.hash);
    trial.run(() => test(form, launch.hash));
  };
  const usable = mode === "form" || chosen.length > 0;
  return (
    <>
      <form
        ref={form}
        class="editor"
        noValidate
        onDragOver={(event) => {
          if (!existing && event.dataTransfer?.types.includes("Files")) event.preventDefault();
        }}
        onDrop={(event) => {
          if (existing || !event.dataTransfer?.files.length) return;
          event.preventDefault();
          pick(event.dataTransfer.files[0]);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && usable) save();
        }}
      >
        <div class="detail-head">
          <h2>{existing ? t("servers.editTitle", { name: existing.name }) : t("servers.addTitle")}</h2>
          <span class="grow" />
          {!existing && (
            <Tabs
              label={t("servers.how")}
              tabs={[
                { id: "form", label: t("servers.byForm") },
                { id: "json", label: t("servers.byJson") },
              ]}
              selected={mode}
              onSelect={setMode}
            />
          )}
        </div>
        {mode === "form" && (
          <FormFields
            key="fields"
            draft={draft}
            reading={reading}
            faults={tried ? reading.faults : {}}
            fixedName={existing !== null}
            proposed={proposeName(reading.words, draft.url)}
            onChange={change}
          />
        )}
        {!existing && <Import key="json" whole={mode === "json"} source={source} onText={paste} onFile={pick} />}
        {mode === "json" && (
          <Found
            look={look}
            picked={new Set(chosen.map(({ name }) => name))}
            onPick={(name, on) => setLeft(new Set(on ? [...left].filter((each) => each !== name) : [...left, name]))}
            filled={filled}
            onFill={(name, key, value) => setFilled({ ...filled, [name]: { ...filled[name], [key]: value } })}
            missing={tried ? missing : new Set()}
          />
        )}
        <TrialOutcome outcome={trial.outcome} />
        {refused !== null && (
          <div role="alert">
            <Cure message={refused} />
          </div>
        )}
        <footer>
          {mode === "form" && <TestButton outcome={trial.outcome} onClick={onTest} />}
          <span class="grow" />
          <Button kind="quiet" onClick={onCancel}>
            {t("part.cancel")}
          </Button>
          <Button kind="primary" submit testid="server-save" disabled={busy || !usable}>
            {saveWord(existing !== null, mode, chosen.length)}
          </Button>
        </footer>
      </form>
      {question && (
        <TrialConsent launch={question.launch} onNo={() => setQuestion(null)} onYes={() => onAgreed(question)} />
      )}
    </>
  );
}

/** The reading with the proposed name where none was typed. */
function readNamed(draft: Draft): Reading {
  const reading = readDraft(draft);
  const name = draft.name.trim() || proposeName(reading.words, draft.url);
  return name === draft.name ? reading : readDraft({ ...draft, name });
}

function saveWord(existing: boolean, mode: Mode, found: number): string {
  if (existing) return t("settings.save");
  if (mode === "form") return t("servers.saveAndStart");
  return found > 1 ? t("servers.addAll", { count: found }) : t("servers.addOne");
}

const focusFault = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".editor [aria-invalid=true]")?.focus());
};
