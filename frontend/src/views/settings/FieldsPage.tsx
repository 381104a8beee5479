/** A page of fields drawn from the schema: one section, with what else belongs to it. */
import type { ComponentChildren, JSX } from "preact";
import { fieldNamed } from "./data";
import { SettingField } from "./SettingField";
import type { FieldSpec, Section } from "./schema";

/** Settings that are shown on another page than that of their section. */
const moved: Record<string, string> = {
  "general.theme": "appearance",
  "general.follow_system": "appearance",
  "general.text_size": "appearance",
  "general.language": "appearance",
  "program.updates": "about",
  "program.updates_from": "about",
  "program.keep_running": "general",
  "model.max_rounds": "limits",
  "model.result_limit": "limits",
};

/** The fields of a page: its section's own, and those that moved to it first. */
export function fieldsOf(section: Section): FieldSpec[] {
  const added = Object.keys(moved).flatMap((name) => (moved[name] === section.id ? (fieldNamed(name) ?? []) : []));
  return [...added, ...section.fields.filter(({ name }) => moved[name] === undefined)];
}

export function FieldsPage({ section, children }: { section: Section; children?: ComponentChildren }): JSX.Element {
  return (
    <SettingsPage title={section.title}>
      <div class="settings-list">
        {fieldsOf(section).map((spec) => (
          <SettingField key={spec.name} spec={spec} />
        ))}
      </div>
      {children}
    </SettingsPage>
  );
}

/** Head and scrolling column of a page. */
export function SettingsPage({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <header class="top with-line">
        <h1>{title}</h1>
      </header>
      <div class="scroll">
        <div class="settings-column">{children}</div>
      </div>
    </>
  );
}
