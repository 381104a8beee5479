/** What a pasted text or picked file would add: each server with a check, its command, and the form of what it asks for. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Field, Select } from "../../parts/Field";
import { allWorded } from "../../sayings";
import type { Blank, FoundServer, Told } from "../../wire";
import { Exact } from "./Command";
import { commandLine } from "./command";
import { type Filled, isUnpinned, type Look, needsOf, startOf } from "./found";

interface FoundProps {
  look: Look;
  /** Names that are to be added. */
  picked: ReadonlySet<string>;
  onPick: (name: string, picked: boolean) => void;
  filled: Filled;
  onFill: (name: string, key: string, value: string | boolean) => void;
  /** `server key` of what is missing, once that shall be said. */
  missing: ReadonlySet<string>;
}

export function Found({ look, ...rest }: FoundProps): JSX.Element | null {
  if (look === null) return null;
  if ("fault" in look) {
    return (
      <p class="json-fault" role="status" data-testid="import-fault">
        <Icon name="info" />
        <span>{look.fault}</span>
      </p>
    );
  }
  return (
    <section class="part" data-testid="import-found">
      <div class="head">
        <h3>{t("servers.json.found", { count: look.servers.length })}</h3>
      </div>
      <ul class="found">
        {look.servers.map((server) => (
          <FoundRow key={server.name} server={server} choose={look.servers.length > 1} {...rest} />
        ))}
      </ul>
      <Notes notes={look.notes} />
      <p class="muted">{t(look.bundle ? "servers.json.bundle" : "servers.json.off")}</p>
    </section>
  );
}

interface RowProps extends Omit<FoundProps, "look"> {
  server: FoundServer;
  choose: boolean;
}

function FoundRow({ server, choose, picked, onPick, filled, onFill, missing }: RowProps): JSX.Element {
  const chosen = picked.has(server.name);
  return (
    <li class={chosen ? "" : "off"}>
      {choose ? (
        <input
          type="checkbox"
          class="check"
          aria-label={t("servers.json.pick", { name: server.name })}
          checked={chosen}
          onChange={(event) => onPick(server.name, event.currentTarget.checked)}
        />
      ) : (
        <Icon name={server.url === null ? "terminal" : "globe"} />
      )}
      <b>{server.name}</b>
      <Badges server={server} />
      <code>
        <Exact text={server.url ?? commandLine(server.command)} />
      </code>
      {server.description && <p class="about muted">{server.description}</p>}
      <div class="about">
        <Notes notes={server.notes} />
      </div>
      {chosen && server.blanks.length > 0 && (
        <div class="about form" data-testid="import-form">
          {server.blanks.map((blank) => (
            <BlankField
              key={blank.key}
              blank={blank}
              value={filled[server.name]?.[blank.key] ?? startOf(blank)}
              missing={missing.has(`${server.name} ${blank.key}`)}
              onValue={(value) => onFill(server.name, blank.key, value)}
            />
          ))}
        </div>
      )}
    </li>
  );
}

function Badges({ server }: { server: FoundServer }): JSX.Element {
  return (
    <span class="badges">
      {server.version && !server.version.includes("$") && <span class="badge">{server.version}</span>}
      {isUnpinned(server.command) && (
        <span class="badge" data-tone="warning" title={t("servers.json.unpinnedWhy")}>
          {t("servers.json.unpinned")}
        </span>
      )}
      {needsOf(server).map((name) => (
        <span key={name} class="badge" data-tone="info">
          {t("servers.json.needs", { name })}
        </span>
      ))}
    </span>
  );
}

function Notes({ notes }: { notes: readonly Told[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note.message}>
          <Icon name="info" /> <span>{allWorded(note.message, note.said)}</span>
        </li>
      ))}
    </ul>
  );
}

interface BlankProps {
  blank: Blank;
  value: string | boolean | string[];
  missing: boolean;
  onValue: (value: string | boolean) => void;
}

function BlankField({ blank, value, missing, onValue }: BlankProps): JSX.Element {
  if (blank.kind === "boolean") {
    return (
      <label class="checked">
        <input
          type="checkbox"
          class="check"
          data-name={blank.key}
          checked={value === true}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <span>
          {blank.title}
          {blank.description && <span class="muted"> {blank.description}</span>}
        </span>
      </label>
    );
  }
  return (
    <Field
      label={blank.title}
      required={blank.required}
      hint={[blank.description, hintOf(blank)].filter(Boolean).join(" ")}
      error={missing ? t("part.fillIn") : undefined}
    >
      {(bound) => {
        const shared = {
          ...bound,
          class: "in mono",
          "data-name": blank.key,
          spellcheck: false,
          autocomplete: "off",
        } as const;
        if (blank.choices.length > 0) {
          const options = blank.choices.map((choice) => ({ value: choice, label: choice }));
          const all = blank.required ? options : [{ value: "", label: t("servers.none") }, ...options];
          return <Select {...bound} name={blank.key} value={String(value)} options={all} onChange={onValue} />;
        }
        if (blank.multiple) {
          return (
            <textarea
              {...shared}
              rows={2}
              value={String(value)}
              onInput={(event) => onValue(event.currentTarget.value)}
            />
          );
        }
        return (
          <input
            {...shared}
            type={blank.secret ? "password" : "text"}
            inputMode={blank.kind === "number" ? "decimal" : undefined}
            value={String(value)}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
        );
      }}
    </Field>
  );
}

function hintOf({ kind, multiple, least, most }: Blank): string {
  const words: string[] = [];
  if (kind === "folder" || kind === "file")
    words.push(t(kind === "folder" ? "servers.blank.folder" : "servers.blank.file"));
  if (multiple) words.push(t("servers.blank.multiple"));
  if (least !== null && most !== null) words.push(t("servers.blank.range", { least, most }));
  return words.join(" ");
}
