/** One setting drawn from its schema: words at the left, control at the right; saved when it changes, refused with words. */
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Select, Switch } from "../../parts/Field";
import { saveSetting, settingValue } from "./data";
import { optionWord } from "./options";
import { type FieldSpec, readValue, writeValue } from "./schema";
import { wordsOf } from "./tried";

export function SettingField({ spec, area = false }: { spec: FieldSpec; area?: boolean }): JSX.Element {
  const id = useId();
  const [error, setError] = useState<string | null>(null);
  const value = settingValue(spec.name);
  const save = async (next: unknown) => {
    setError(null);
    if (JSON.stringify(next) === JSON.stringify(value)) return;
    try {
      await saveSetting(spec.name, next);
    } catch (refused) {
      setError(wordsOf(refused));
    }
  };
  const onText = (text: string) => {
    const read = readValue(spec, text);
    if ("value" in read) save(read.value);
    else setError(t(`settings.fault.${read.problem}`, { bound: read.bound ?? "" }));
  };
  const wide = area || spec.control === "list";
  return (
    <div class={`setting${wide ? " wide" : ""}`} data-setting={spec.name}>
      <div class="words">
        {spec.control === "switch" ? (
          <div class="name">{spec.title}</div>
        ) : (
          <label class="name" for={id}>
            {spec.title}
          </label>
        )}
        {spec.description && (
          <div class="muted" id={`${id}-hint`}>
            {spec.description}
          </div>
        )}
        {error && (
          <div class="bad" role="alert">
            <Icon name="error" small /> {error}
          </div>
        )}
      </div>
      <Control id={id} spec={spec} value={value} wide={wide} bad={error !== null} onText={onText} onSwitch={save} />
    </div>
  );
}

interface ControlProps {
  id: string;
  spec: FieldSpec;
  value: unknown;
  wide: boolean;
  bad: boolean;
  onText: (text: string) => void;
  onSwitch: (on: boolean) => void;
}

function Control(props: ControlProps): JSX.Element {
  const { id, spec, value } = props;
  if (spec.control === "switch")
    return <Switch checked={value === true} label={spec.title} onChange={props.onSwitch} />;
  if (spec.control !== "choice") return <Typed {...props} />;
  const listed = spec.options.map((option) => ({ value: option, label: optionWord(spec.name, option) }));
  const now = writeValue(value);
  const more = now !== "" && !spec.options.includes(now) ? [{ value: now, label: now }] : [];
  const none = spec.optional ? [{ value: "", label: t("settings.modelDefault") }] : [];
  return <Select id={id} value={now} options={[...none, ...listed, ...more]} onChange={props.onText} />;
}

function Typed({ id, spec, value, wide, bad, onText }: ControlProps): JSX.Element {
  const [text, setText] = useState(writeValue(value));
  // only a value from outside replaces what is typed
  useEffect(() => setText(writeValue(value)), [JSON.stringify(value)]);
  const shared = {
    id,
    class: `in${spec.control === "number" ? " num" : ""}`,
    value: text,
    "aria-invalid": bad,
    "aria-describedby": spec.description ? `${id}-hint` : undefined,
    spellcheck: false,
    autocomplete: "off",
  } as const;
  if (wide) {
    return (
      <textarea
        {...shared}
        rows={spec.control === "list" ? Math.min(6, Math.max(2, text.split("\n").length)) : 4}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onText(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...shared}
      type="text"
      inputmode={spec.control === "number" ? "decimal" : undefined}
      onInput={(event) => setText(event.currentTarget.value)}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
